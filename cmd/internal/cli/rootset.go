package cli

import (
	"cmp"
	"errors"
	"slices"

	"handex/index"
)

// roots are the folders to search: those of the flags, or of HANDEX_ROOTS, or
// of the config file with the usual places.
func (a *app) roots() ([]index.Root, error) {
	roots, err := a.chosen()
	if err != nil {
		return nil, err
	}
	if roots == nil {
		if roots, err = a.configured(); err != nil {
			return nil, err
		}
	}
	for i := range roots {
		roots[i].Exclude = append(slices.Clip(roots[i].Exclude), a.flags.Exclude...)
		if a.flags.Include != nil {
			roots[i].Include = a.flags.Include
		}
	}
	return roots, nil
}

// chosen are the roots of this run, nil if it names none.
func (a *app) chosen() ([]index.Root, error) {
	if len(a.flags.Root) == 0 {
		return index.EnvRoots(a.env.Getenv("HANDEX_ROOTS"), a.rootEnv()), nil
	}
	var roots []index.Root
	for _, path := range a.flags.Root {
		if path == "" {
			return nil, errors.New("--root needs a folder")
		}
		root := index.Root{Path: a.env.abs(path)}
		if !slices.ContainsFunc(roots, func(r index.Root) bool { return r.Path == root.Path }) {
			roots = append(roots, root)
		}
	}
	return roots, nil
}

// configured are the roots of the config file, and the usual places unless it
// turns them off.
func (a *app) configured() ([]index.Root, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	roots := append([]index.Root{}, c.Roots...) // which other requests share
	if !c.DefaultRoots {
		return roots, nil
	}
	env := a.rootEnv()
	env.WorkDir = cmp.Or(a.dir, env.WorkDir)
	for _, root := range index.DefaultRoots(env, a.known()) {
		if !slices.ContainsFunc(roots, func(r index.Root) bool { return r.Path == root.Path }) {
			roots = append(roots, root)
		}
	}
	return roots, nil
}

func (a *app) rootEnv() index.RootEnv {
	return index.RootEnv{Home: a.env.Home, WorkDir: a.env.WorkDir, Getenv: a.env.Getenv}
}

// known are the folders that encoded names on this machine stand for, found
// once.
func (a *app) known() []string {
	if a.folders == nil {
		a.folders = append([]string{}, index.KnownFolders(a.rootEnv())...)
	}
	return a.folders
}
