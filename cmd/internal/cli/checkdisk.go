package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// checker gathers the findings of a check.
type checker struct {
	*app
	in      index.Inspector
	checked render.Checked
}

// paths returns the absolute paths that words name, or nil if one of them does not exist:
// then they are a query. It returns an error if a missing one can only be meant as a path.
func (k *checker) paths(words []string) ([]string, error) {
	paths, all := make([]string, len(words)), true
	for i, word := range words {
		paths[i] = k.env.Absolute(word)
		_, err := os.Lstat(paths[i])
		switch {
		case err == nil && word != "":
		case !looksLikePath(word):
			all = false
		case errors.Is(err, fs.ErrNotExist):
			return nil, render.WithHint(fmt.Errorf("%s: no such file or folder", word),
				"to search for the text, quote it: '\""+word+"\"'")
		default:
			return nil, err
		}
	}
	if !all {
		return nil, nil
	}
	return paths, nil
}

// looksLikePath reports whether a word is meant as a path and not as a query: it has a
// slash or the extension of a handoff, and no sign of the query language.
func looksLikePath(word string) bool {
	if strings.ContainsAny(word, `:"()|*`) || strings.HasPrefix(word, "!") {
		return false
	}
	if len(word) > 1 && word[0] == '/' && strings.IndexByte(word[1:], '/') == len(word)-2 {
		return false // a regular expression
	}
	return strings.Contains(word, "/") || slices.Contains([]string{".md", ".yaml", ".yml", ".xml", ".json"},
		strings.ToLower(filepath.Ext(word)))
}

// project checks the handoffs of the working folder's project.
func (k *checker) project() error {
	root := k.service.Project(k.env.WorkDir)
	if root == "" {
		return render.WithHint(errors.New("the working folder is not in a project"),
			"name files, folders or a query: handex check DIR")
	}
	return k.disk(k.service.ProjectFolders(root))
}

// roots checks the handoffs in all roots.
func (k *checker) roots() error {
	roots, err := k.service.Roots()
	if err != nil {
		return err
	}
	return k.disk(index.PathsOf(roots))
}

// stdin checks the handoff on the standard input. It requires --as: a text without a file
// name could be taken for another format.
func (k *checker) stdin() error {
	switch {
	case k.in.Format == "":
		return render.WithHint(errors.New("the format of the standard input is unknown"),
			"name it: handex check - --as FORMAT")
	case k.typed():
		return render.WithHint(errors.New("check - reads a handoff from the standard input, which is a terminal"),
			"use | or <: handex check - --as FORMAT < FILE")
	}
	raw, err := k.standardInput()
	if err != nil {
		return err
	}
	docs := parse.Parse(parse.Source{Path: "-", Bytes: raw, ModTime: k.env.Now(), Zone: k.env.Zone, Format: k.in.Format})
	k.checked.Files = 1
	k.checked.Findings = k.findings("-", raw, docs)
	return nil
}

// disk checks the files at paths; of a folder, the files in it that are handoffs.
func (k *checker) disk(paths []string) error {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			k.unread(path, err)
		case !info.IsDir():
			files = append(files, path)
		default:
			below, err := k.below(path)
			if err != nil {
				return err
			}
			files = append(files, below...)
		}
	}
	slices.Sort(files)
	return k.files(slices.Compact(files))
}

// below returns the paths of the handoffs in a folder, and adds what could not be read to
// the unread files.
func (k *checker) below(dir string) ([]string, error) {
	var files []string
	root := index.Root{Path: dir, Include: k.flags.Include, Exclude: k.flags.Exclude}
	found, report, err := index.Find(k.ctx, root)
	for _, f := range found {
		files = append(files, f.Path)
	}
	k.checked.Unread = append(k.checked.Unread, report.Troubles...)
	for _, s := range report.Skipped {
		k.checked.Unread = append(k.checked.Unread, index.Trouble{Path: s.Path, Reason: s.Reason})
	}
	return files, err
}

// unread adds a path to the files that could not be read, with the innermost reason of err.
func (k *checker) unread(path string, err error) {
	if own, ok := errors.AsType[*index.Error](err); ok {
		err = own.Err
	}
	if own, ok := errors.AsType[*fs.PathError](err); ok {
		err = own.Err
	}
	k.checked.Unread = append(k.checked.Unread, index.Trouble{Path: path, Reason: err.Error()})
}

// files checks files on all cores and adds the findings in the order of paths.
func (k *checker) files(paths []string) error {
	type result struct {
		findings []render.Finding
		err      error
	}
	results := make([]result, len(paths))
	group, ctx := errgroup.WithContext(k.ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, path := range paths {
		group.Go(func() error {
			read, err := k.in.Inspect(path)
			results[i] = result{k.findings(path, read.Bytes, read.Documents), err}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, r := range results {
		switch {
		case errors.Is(r.err, fs.ErrNotExist): // it was removed after it was found
		case r.err != nil:
			k.unread(paths[i], r.err)
		default:
			k.checked.Files++
			k.checked.Findings = append(k.checked.Findings, r.findings...)
		}
	}
	return nil
}

// findings returns the problems of the handoffs in a file, in the order of its lines. raw
// is its text, docs are the handoffs in it.
func (k *checker) findings(path string, raw []byte, docs []*parse.Document) []render.Finding {
	var list []render.Finding
	for _, d := range docs {
		for _, p := range d.Problems {
			list = append(list, render.Finding{
				Path: path, Shown: k.shown(path), Entry: d.Entry, Format: d.Format, Problem: p,
				Place: parse.ExcerptOf(raw, p.Span),
			})
		}
	}
	sortFindings(list)
	return list
}

// sortFindings sorts findings of one file by line and column, the most severe first.
func sortFindings(list []render.Finding) {
	slices.SortStableFunc(list, func(x, y render.Finding) int {
		return cmp.Or(cmp.Compare(x.Place.Line, y.Place.Line), cmp.Compare(x.Place.Column, y.Place.Column),
			cmp.Compare(y.Severity, x.Severity))
	})
}
