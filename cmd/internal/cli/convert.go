package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/cmd/internal/render"
	"handex/parse"
)

// convertCmd writes a handoff in another format.
type convertCmd struct {
	Ref string `arg:"" name:"id|path" help:"Id, session or the beginning of one, or a path."`
	As  string `required:"" help:"The format to write." placeholder:"FORMAT"`
}

// Help tells what becomes of what the format has no place for.
func (*convertCmd) Help() string {
	return "Formats: " + strings.Join(writableNames(), ", ") + ". What the format has no place for is kept at the nearest one, and told. " +
		"Nothing is written to the handoff itself."
}

// conversion is the JSON of convert.
type conversion struct {
	Schema int    `json:"schema"`
	Text   string `json:"text"`
	Losses []loss `json:"losses"`
}

type loss struct {
	What string `json:"what"`
	Kept string `json:"kept"`
}

// Run writes the text, and tells beside it what reads differently and which
// rules of the format the handoff breaks.
func (c *convertCmd) Run(a *app) error {
	format := c.As
	if forms := family(c.As); len(forms) > 0 {
		format = forms[0]
	}
	if !slices.Contains(parse.Writable(), format) {
		return hinted{fmt.Errorf("%q is no format that can be written", c.As), "formats: " + strings.Join(writableNames(), ", ")}
	}
	d, err := a.document(c.Ref)
	if err != nil {
		return err
	}
	text, losses, err := parse.Convert(d, format)
	if err != nil {
		return err
	}
	if a.flags.JSON || a.flags.JSONL || a.flags.JQ != nil {
		out := conversion{render.Schema, string(text), []loss{}}
		for _, l := range losses {
			out.Losses = append(out.Losses, loss{l.What, l.Kept})
		}
		return render.JSON(a.out, out)
	}
	for _, l := range losses {
		a.note(l.String())
	}
	for _, p := range parse.Judge(format, text) {
		a.note(fmt.Sprintf("%s: %s [%s]", p.Severity, p.Message, p.Rule))
	}
	if a.env.Stdout.IsTerminal() {
		text = []byte(render.Clean(string(text)))
	}
	_, err = a.out.Write(text)
	return err
}

// document reads a handoff: a file that is there, or one the index knows.
func (a *app) document(ref string) (*parse.Document, error) {
	file := a.env.abs(ref)
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		docs, err := a.parseFile(file, file, info.ModTime())
		if err != nil {
			return nil, err
		}
		newest := slices.MaxFunc(docs, func(x, y *parse.Document) int { return x.Date.Sort.Compare(y.Date.Sort) })
		if len(docs) > 1 {
			a.note(fmt.Sprintf("%d handoffs are in that file; this is the newest; all: handex search path:%s", len(docs), filepath.Base(file)))
		}
		return newest, nil
	}
	if err := a.open(); err != nil {
		return nil, err
	}
	h, err := a.service.Newest(a.ctx, ref)
	if err != nil {
		return nil, err
	}
	place := h.Path
	if h.VersionOf != "" {
		place = h.VersionOf // its format is told by where it stood
	}
	docs, err := a.parseFile(h.Path, place, h.Updated)
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		if d.Entry == h.Entry {
			return d, nil
		}
	}
	return nil, fmt.Errorf("%s has changed since it was indexed", h.Path)
}

// parseFile reads the handoffs of a file as one that stands at a place.
func (a *app) parseFile(file, place string, written time.Time) ([]*parse.Document, error) {
	text, err := readText(file)
	if err != nil {
		return nil, err
	}
	return parse.Parse(parse.Source{
		Path: filepath.ToSlash(place), Bytes: text, ModTime: written, Zone: a.env.Zone,
		Neighbour: func(rel string) ([]byte, error) { return besides(place, rel) },
	}), nil
}

// besides reads a file of the same project, by its path from the handoff's
// folder. Links do not lead out of the folder above that.
func besides(place, rel string) (text []byte, err error) {
	dir := filepath.Dir(place)
	root, err := os.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	f, err := root.Open(filepath.FromSlash(path.Join(filepath.Base(dir), rel)))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errors.New("not a regular file"))
	}
	return io.ReadAll(io.LimitReader(f, 256<<10))
}
