// Sbom writes the modules that a Go program was built from as a software bill of
// materials (SPDX 2.3, JSON), for the packages of a release.
//
//	sbom PROGRAM DOCUMENT
//
// It reads what the Go command recorded in the program, so it lists what is in the
// program and nothing else, and yields the same bytes for the same program.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM DOCUMENT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// run writes the software bill of materials of the program file to a file with a name.
func run(program, name string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	doc, err := newDocument(info, strings.TrimSuffix(filepath.Base(name), ".sbom.json"), hex.EncodeToString(sum[:]))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}

// newDocument returns the software bill of materials of a program with the SHA-256 sum. Its
// date is that of the commit, so that it does not change with the time of the build.
func newDocument(info *debug.BuildInfo, name, sum string) (*document, error) {
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["vcs.time"] == "" {
		return nil, errors.New("the program does not record the time of its commit")
	}
	program := newModulePackage(0, &info.Main)
	program.Checksums = []checksum{{"SHA256", sum}}
	program.Comment = fmt.Sprintf("built for %s/%s from commit %s",
		settings["GOOS"], settings["GOARCH"], settings["vcs.revision"])
	doc := &document{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: name,
		Namespace: "https://" + info.Main.Path + "/sbom/" + sum,
		Creation:  creation{settings["vcs.time"], []string{"Tool: handex-sbom"}},
		Packages:  []modulePackage{program},
		Relations: []relation{{"SPDXRef-DOCUMENT", "DESCRIBES", program.ID}},
	}
	standard := debug.Module{Path: "stdlib", Version: strings.TrimPrefix(info.GoVersion, "go")}
	for i, m := range append([]*debug.Module{&standard}, info.Deps...) {
		if m.Replace != nil {
			m = m.Replace
		}
		p := newModulePackage(i+1, m)
		doc.Packages = append(doc.Packages, p)
		doc.Relations = append(doc.Relations, relation{program.ID, "DEPENDS_ON", p.ID})
	}
	return doc, nil
}

// newModulePackage returns the entry for a module. Its hash in go.sum is one over a list of
// hashes, not the checksum of a file, so it is only a comment.
func newModulePackage(number int, m *debug.Module) modulePackage {
	url := "pkg:golang/" + strings.ToLower(m.Path) + "@" + strings.ReplaceAll(m.Version, "+", "%2B")
	p := modulePackage{
		ID: fmt.Sprintf("SPDXRef-Package-%d", number), Name: m.Path, Version: m.Version, Download: "NOASSERTION",
		Declared: "NOASSERTION", Concluded: "NOASSERTION", Copyright: "NOASSERTION",
		References: []reference{{"PACKAGE-MANAGER", "purl", url}},
	}
	if m.Sum != "" {
		p.Comment = "go.sum: " + m.Sum
	}
	return p
}
