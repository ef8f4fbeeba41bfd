package main

import (
	"encoding/json"
	"runtime/debug"
	"testing"
)

func TestDocument(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{
		GoVersion: "go1.26.8",
		Main:      debug.Module{Path: "github.com/x/handex", Version: "v0.1.0"},
		Deps: []*debug.Module{
			{Path: "github.com/Big/One", Version: "v2.0.0+incompatible", Sum: "h1:abc="},
			{Path: "replaced", Version: "v1.0.0", Replace: &debug.Module{Path: "other", Version: "v1.0.1", Sum: "h1:def="}},
		},
		Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "amd64"}, {Key: "vcs.revision", Value: "0123"}},
	}
	if _, err := newDocument(info, "handex", "ff"); err == nil {
		t.Error("a program without the time of its commit has a document")
	}
	info.Settings = append(info.Settings, debug.BuildSetting{Key: "vcs.time", Value: "2026-02-10T12:00:00Z"})
	doc, err := newDocument(info, "handex_0.1.0", "ff")
	if err != nil {
		t.Fatal(err)
	}
	have, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	entry := func(id, name, version, more, url string) string {
		return `{"SPDXID":"SPDXRef-Package-` + id + `","name":"` + name + `","versionInfo":"` + version + `",` +
			`"downloadLocation":"NOASSERTION","filesAnalyzed":false,"licenseDeclared":"NOASSERTION",` +
			`"licenseConcluded":"NOASSERTION","copyrightText":"NOASSERTION",` + more +
			`"externalRefs":[{"referenceCategory":"PACKAGE-MANAGER","referenceType":"purl","referenceLocator":"pkg:golang/` + url + `"}]}`
	}
	depends := func(id string) string {
		return `,{"spdxElementId":"SPDXRef-Package-0","relationshipType":"DEPENDS_ON","relatedSpdxElement":"SPDXRef-Package-` + id + `"}`
	}
	want := `{"spdxVersion":"SPDX-2.3","dataLicense":"CC0-1.0","SPDXID":"SPDXRef-DOCUMENT","name":"handex_0.1.0",` +
		`"documentNamespace":"https://github.com/x/handex/sbom/ff",` +
		`"creationInfo":{"created":"2026-02-10T12:00:00Z","creators":["Tool: handex-sbom"]},"packages":[` +
		entry("0", "github.com/x/handex", "v0.1.0", `"checksums":[{"algorithm":"SHA256","checksumValue":"ff"}],`+
			`"comment":"built for linux/amd64 from commit 0123",`, "github.com/x/handex@v0.1.0") + "," +
		entry("1", "stdlib", "1.26.8", "", "stdlib@1.26.8") + "," +
		entry("2", "github.com/Big/One", "v2.0.0+incompatible", `"comment":"go.sum: h1:abc=",`, "github.com/big/one@v2.0.0%2Bincompatible") + "," +
		entry("3", "other", "v1.0.1", `"comment":"go.sum: h1:def=",`, "other@v1.0.1") +
		`],"relationships":[{"spdxElementId":"SPDXRef-DOCUMENT","relationshipType":"DESCRIBES","relatedSpdxElement":"SPDXRef-Package-0"}` +
		depends("1") + depends("2") + depends("3") + "]}"
	if string(have) != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}
