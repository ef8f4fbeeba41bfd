package main

// The parts of a document in the format SPDX 2.3, as far as they are used.
type (
	document struct {
		Version   string          `json:"spdxVersion"`
		License   string          `json:"dataLicense"`
		ID        string          `json:"SPDXID"`
		Name      string          `json:"name"`
		Namespace string          `json:"documentNamespace"`
		Creation  creation        `json:"creationInfo"`
		Packages  []modulePackage `json:"packages"`
		Relations []relation      `json:"relationships"`
	}
	creation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	modulePackage struct {
		ID            string      `json:"SPDXID"`
		Name          string      `json:"name"`
		Version       string      `json:"versionInfo"`
		Download      string      `json:"downloadLocation"`
		FilesAnalyzed bool        `json:"filesAnalyzed"`
		Declared      string      `json:"licenseDeclared"`
		Concluded     string      `json:"licenseConcluded"`
		Copyright     string      `json:"copyrightText"`
		Checksums     []checksum  `json:"checksums,omitempty"`
		Comment       string      `json:"comment,omitempty"`
		References    []reference `json:"externalRefs"`
	}
	checksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	reference struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	relation struct {
		From string `json:"spdxElementId"`
		Type string `json:"relationshipType"`
		To   string `json:"relatedSpdxElement"`
	}
)
