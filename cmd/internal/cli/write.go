package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"handex/index"
	"handex/parse"
	"handex/parse/write"
)

// writeCmd makes a handoff.
type writeCmd struct {
	As       string   `required:"" help:"The format: flow-guardian, company, claude-suite, act (as .act/config.yaml says), ..." placeholder:"FORMAT"`
	Document string   `arg:"" optional:"" help:"- reads a JSON document, or a hook's input, from the standard input."`
	Set      []string `help:"A field: goal, status, branch, ... or any key of the format. Repeated, it is a list." placeholder:"KEY=VALUE" sep:"none"`
	Section  []string `help:"A section: next, done, gotchas, ... The text @FILE is that of a file, - the standard input. Repeatable." placeholder:"KIND=TEXT" sep:"none"`
	Item     []string `help:"The id of a work item. Repeatable." placeholder:"ID" sep:"none"`
	File     []string `help:"A file that was touched; 'src/a.go (created)' says how. Repeatable." placeholder:"PATH" sep:"none"`
	To       string   `help:"Who is to receive it." placeholder:"AGENT"`
	Dir      string   `help:"Whose project; the working folder if left out." placeholder:"DIR"`
	Bare     bool     `help:"Fill in only what the format's specification does."`
	Hook     bool     `help:"For the hooks of agents: read the input of one, take over what the newest handoff leaves to do and what git says was done since, save only if that is something, and never fail."`
	Editor   bool     `help:"Edit the text before it is checked."`
	Save     bool     `help:"Put it where the specification says, instead of writing it out."`
	DryRun   bool     `name:"dry-run" help:"Show what saving would change, and change nothing."`
}

// Help tells what is filled in, and what a document looks like.
func (*writeCmd) Help() string {
	return `What is not given is filled in where the format has a place for it and it is known: project, branch, last commit, changed files, the time, and the session from the input of a hook. A handoff that breaks a rule of its format is refused, and nothing is changed.

A document is a JSON object: "title", "sections" (an object of texts by kind, or a list of {"kind", "heading", "body"}), "files" (paths, or {"path", "action"}), "work_items", "fields"; any other key is as with --set. It is read if nothing else says what the handoff is to hold, or if - asks for it; what a flag says counts more.`
}

// Run makes the text, checks it, and writes it. What keeps a hook from it is told
// in a line: an agent would take another exit status for a refusal.
func (c *writeCmd) Run(a *app) error {
	if !c.Hook {
		return c.write(a)
	}
	c.Document = "-"
	if err := c.write(a); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		a.say("not saved: " + line)
	}
	return nil
}

func (c *writeCmd) write(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	if err := mustKnow("--as", c.As, writableNames()); err != nil {
		return err
	}
	w := &writing{app: a, cmd: c, json: form != ""}
	if err := w.gather(); err != nil {
		return err
	}
	if err := w.place(); err != nil {
		return err
	}
	if err := w.fill(); err != nil {
		return err
	}
	if err := w.compose(); err != nil {
		return err
	}
	switch {
	case c.DryRun:
		return w.preview()
	case c.Save:
		if err := w.save(); err != nil {
			return err
		}
	}
	return w.tell()
}

// writableNames are the names of the formats that can be written, and of families.
func writableNames() []string {
	names := parse.Writable()
	for _, format := range parse.Writable() {
		if place, _ := parse.PlaceOf(format); place.Family != "" && !slices.Contains(names, place.Family) {
			names = append(names, place.Family)
		}
	}
	return names
}

// A writing is one handoff in the making.
type writing struct {
	*app
	cmd  *writeCmd
	json bool

	draft      write.Draft
	filesGiven bool // also where there are none
	hook       hookInput
	unread     bool // something may wait on the standard input
	git        gitAnswer
	spot       spot
	text       []byte
	doc        *parse.Document
	lost       []write.Loss

	path    string   // where it was saved
	removed []string // paths of handoffs that made room for it
}

// A gitAnswer is what git said of a folder; dir is empty if it was not asked.
type gitAnswer struct {
	dir   string
	state index.GitState
	ok    bool
	err   error
}

// place finds where the handoff belongs.
func (w *writing) place() (err error) {
	dir := w.cmd.Dir
	if dir == "" {
		dir = w.hook.Cwd
	}
	w.spot, err = w.app.spot(w.cmd.As, dir)
	return err
}

// compose makes the text of the draft, has it edited, and checks it.
func (w *writing) compose() error {
	var err error
	if w.text, w.lost, err = write.Write(w.spot.format, w.draft); err != nil {
		return err
	}
	if w.cmd.Editor {
		return w.edit()
	}
	return w.check()
}

// check refuses a text that is no valid handoff of its format.
func (w *writing) check() error {
	docs := parse.Parse(parse.Source{
		Path: filepath.ToSlash(filepath.Join(w.spot.root, w.spot.folder, w.name())), Bytes: w.text, ModTime: w.env.Now(), Zone: w.env.Zone,
		Strict: true, Neighbour: w.neighbour,
	})
	w.doc = docs[0]
	switch faults := faultsOf(w.doc); {
	case len(faults) > 0 && w.unread:
		return hinted{refusal(w.spot.format, faults), "the standard input was not read; to read a document from it write -"}
	case len(faults) > 0:
		return refusal(w.spot.format, faults)
	case w.doc.Format != w.spot.format || len(docs) > 1:
		return fmt.Errorf("no valid %s handoff: it reads as %d of the format %s", w.spot.format, len(docs), w.doc.Format)
	}
	return nil
}

// name is what the handoff's file is called, if no other has the name.
func (w *writing) name() string {
	switch s := w.spot; {
	case s.File != "":
		return s.File
	case s.Stamp != "":
		return w.env.Now().In(w.env.Zone).Format(s.Stamp) + s.Ext
	default:
		return w.sessionName() + s.Ext
	}
}

// neighbour reads a file beside the handoff for the rules that ask for one.
func (w *writing) neighbour(rel string) ([]byte, error) {
	f, err := w.spot.reader()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return f.Read(filepath.Join(w.spot.folder, filepath.FromSlash(rel)))
}

// tell writes what came of it: the text, or where it was saved, or the words for
// its receiver.
func (w *writing) tell() error {
	if w.json {
		return w.wire()
	}
	for _, l := range w.lost {
		w.note(l.String())
	}
	for _, p := range w.doc.Problems {
		w.note(p.Message)
	}
	w.tellRemoved("removed")
	switch {
	case w.path == "":
		_, err := w.out.Write(w.text)
		return err
	case w.spot.Unsent != "":
		w.say("saved, to be sent: " + w.path)
		_, err := io.WriteString(w.out, relayPrompt(w.doc, filepath.ToSlash(w.spot.file())))
		return err
	}
	_, err := io.WriteString(w.out, w.path+"\n")
	return err
}
