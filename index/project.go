package index

import "github.com/OWNER/handex/index/internal/project"

type (
	// A Project is what a handoff belongs to.
	Project = project.Project
	// KnownPaths finds known folders by their encoded name.
	KnownPaths = project.KnownPaths
	// A RootEnv is what the roots depend on.
	RootEnv = project.Env
)

// NewKnownPaths returns the folders, each under every encoding there is.
func NewKnownPaths(paths []string) KnownPaths { return project.NewKnownPaths(paths) }

// ProjectOf returns the project of the file at path, found in a scan of scanRoot; both
// are absolute. The file need not exist.
func ProjectOf(path, scanRoot string, known KnownPaths) Project {
	return project.Of(path, scanRoot, known)
}
