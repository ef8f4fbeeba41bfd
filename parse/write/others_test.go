package write_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/parse/write"
)

// What handex writes is for others to read. These tests ask PyYAML (Debian's
// python3-yaml) and libxml2 (libxml2-utils).

// documents returns how many texts the others are asked about.
func documents(tb testing.TB) int {
	tb.Helper()
	return testkit.Rounds(tb, 150, 500)
}

// loader answers, for each text of a JSON list, what PyYAML reads, a string for
// each value with its type.
const loader = `
import json, sys, yaml
def plain(v):
    if isinstance(v, dict): return {str(k): plain(x) for k, x in v.items()}
    if isinstance(v, list): return [plain(x) for x in v]
    return type(v).__name__ + " " + str(v)
def read(text):
    try: return plain(yaml.safe_load(text))
    except yaml.YAMLError as e: return "error " + str(e)
json.dump([read(t) for t in json.load(sys.stdin)], sys.stdout)
`

// pyYAML reads texts with PyYAML.
func pyYAML(t *testing.T, texts []string) []any {
	t.Helper()
	if err := exec.CommandContext(t.Context(), "python3", "-c", "import yaml").Run(); err != nil {
		t.Skip("no python3 with its module yaml: ", err)
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-c", loader)
	cmd.Stdin = bytes.NewReader(in)
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr(err))
	}
	var out []any
	if err := json.Unmarshal(raw, &out); err != nil || len(out) != len(texts) {
		t.Fatalf("%d answers: %v", len(out), err)
	}
	return out
}

func stderr(err error) string {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(exit.Stderr)
	}
	return ""
}

// goYAML is what PyYAML should have answered.
func goYAML(t *testing.T, text string) any {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if len(doc.Content) == 0 {
		return "NoneType None"
	}
	return plainNode(doc.Content[0])
}

func plainNode(n *yaml.Node) any {
	switch {
	case n.Kind == yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			out[n.Content[i].Value] = plainNode(n.Content[i+1])
		}
		return out
	case n.Kind == yaml.SequenceNode:
		out := []any{}
		for _, c := range n.Content {
			out = append(out, plainNode(c))
		}
		return out
	case n.Tag == "!!null":
		return "NoneType None"
	case n.Tag == "!!int":
		return "int " + n.Value
	}
	return "str " + n.Value
}

// keyOf is where a field stands in the formats of keys.
var keyOf = map[string]map[string]string{
	"flow-guardian": {"goal": "goal", "state": "now", "hypothesis": "hypothesis", "outcome": "outcome", "branch": "branch", "date": "timestamp", "session": "session_id"},
	"company":       {"source": "source_file", "from": "from", "to": "to", "branch": "branch", "session": "session_key"},
}

func TestPyYAMLReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	draft := rapid.Custom(wild.draft)
	var names, texts []string
	var drafts []write.Draft
	for i := range documents(t) {
		name := []string{"flow-guardian", "company"}[i%2]
		d := draft.Example(i)
		text, _, err := write.Write(name, d)
		if err != nil {
			t.Fatal(err)
		}
		names, texts, drafts = append(names, name), append(texts, string(text)), append(drafts, d)
	}
	compared := 0
	for i, got := range pyYAML(t, texts) {
		if diff := cmp.Diff(goYAML(t, texts[i]), got); diff != "" && texts[i] != "" {
			t.Errorf("go -, PyYAML +:\n%s\n%s", diff, texts[i])
		}
		entries, _ := got.(map[string]any)
		for _, f := range drafts[i].Fields {
			key, ok := keyOf[names[i]][f.Key]
			want := "str " + edgeless(f.Value)
			if !ok || want == "str " {
				continue
			}
			if compared++; entries[key] != want {
				t.Errorf("%s is %q, not %q, in\n%s", key, entries[key], want, texts[i])
			}
		}
		paths := 0
		for _, f := range drafts[i].Files {
			if strings.TrimSpace(f.Path) != "" {
				paths++
			}
		}
		list, _ := entries[map[string]string{"flow-guardian": "files", "company": "files_changed"}[names[i]]].([]any)
		if len(list) > paths || paths > 0 && len(list) == 0 {
			t.Errorf("%d of %d files in\n%s", len(list), paths, texts[i])
		}
	}
	t.Logf("%d values compared", compared)
	if compared < documents(t) {
		t.Errorf("only %d values were compared", compared)
	}
}

// edgeless is a value as it is to be read: line ends are newlines, none at its
// ends.
func edgeless(v string) string {
	v = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(v)
	if strings.HasPrefix(v, "\n") || strings.HasSuffix(v, "\n") {
		v = strings.TrimSpace(v)
	}
	return v
}

func TestPyYAMLReadsWhatIsEdited(t *testing.T) {
	t.Parallel()
	type edit struct {
		set           write.YAMLSet
		before, after int // of texts
	}
	example := rapid.Custom(func(t *rapid.T) []string {
		entries, _ := yamlText(t)
		set := drawSet(t)
		edited, err := write.EditYAML([]byte(joinEntries(entries)), []write.YAMLSet{set})
		if err != nil {
			return nil
		}
		raw, err := json.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		return []string{joinEntries(entries), string(edited), string(raw)}
	})
	var texts []string
	var edits []edit
	for i := 0; len(edits) < documents(t) && i < 4*documents(t); i++ {
		parts := example.Example(i)
		if parts == nil {
			continue
		}
		e := edit{before: len(texts), after: len(texts) + 1}
		if err := json.Unmarshal([]byte(parts[2]), &e.set); err != nil {
			t.Fatal(err)
		}
		texts, edits = append(texts, firstDocument(parts[0]), firstDocument(parts[1])), append(edits, e)
	}
	got := pyYAML(t, texts)
	agreed := 0
	for _, e := range edits {
		before, isMap := got[e.before].(map[string]any)
		if text, ok := got[e.before].(string); !isMap && (!ok || text != "NoneType None") {
			continue // PyYAML does not take the text itself
		}
		after, _ := got[e.after].(map[string]any)
		agreed++
		if diff := cmp.Diff(expected(before, e.set), after, cmp.Comparer(func(a, b string) bool { return a == b })); diff != "" {
			t.Errorf("want -, PyYAML +:\n%s\n%q\n%q", diff, texts[e.before], texts[e.after])
		}
	}
	t.Logf("%d edits compared", agreed)
	if agreed < documents(t)/2 {
		t.Errorf("only %d edits were compared", agreed)
	}
}

// firstDocument is the first document of a stream: safe_load takes one.
func firstDocument(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	for _, mark := range []string{"\n---", "\n..."} {
		for from := 0; ; {
			i := strings.Index(text[from:], mark)
			if i < 0 {
				break
			}
			if from += i + 1; strings.Trim(text[:from], "# \r\nabcdefghijklmnopqrstuvwxyz") == "" {
				continue // the mark that begins it
			}
			text = text[:from]
			break
		}
	}
	return text
}

func expected(before map[string]any, set write.YAMLSet) map[string]any {
	out := map[string]any{}
	maps.Copy(out, before)
	delete(out, map[string]string{"yes": "True", "no": "no"}[set.Key])
	switch {
	case set.List || len(set.Values) > 1:
		list := []any{}
		for _, v := range set.Values {
			list = append(list, "str "+v)
		}
		out[set.Key] = list
	case len(set.Values) == 1:
		out[set.Key] = "str " + set.Values[0]
	default:
		out[set.Key] = "NoneType None"
	}
	return out
}

func TestLibxmlReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("no xmllint: ", err)
	}
	draft := rapid.Custom(wild.draft)
	var drafts []write.Draft
	var all strings.Builder
	all.WriteString("<all>\n")
	for i := range documents(t) {
		d := draft.Example(i)
		text, _, err := write.Write("act-xml", d)
		if err != nil {
			t.Fatal(err)
		}
		drafts = append(drafts, d)
		all.Write(text)
	}
	all.WriteString("</all>\n")
	cmd := exec.CommandContext(t.Context(), "xmllint", "--c14n", "-")
	cmd.Stdin = strings.NewReader(all.String())
	canonical, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr(err))
	}
	ours, theirs := elements(t, all.String()), elements(t, string(canonical))
	if diff := cmp.Diff(ours, theirs); diff != "" || len(theirs) != documents(t) {
		t.Errorf("%d documents; go -, libxml2 +:\n%s", len(theirs), diff)
	}
	tags := map[string]string{"project": "project", "session": "from_session", "date": "timestamp", "to": "to_agent", "meta.thread_url": "thread_url"}
	compared := 0
	for i, d := range drafts {
		for _, f := range d.Fields {
			value := strings.TrimSpace(f.Value)
			if tag, ok := tags[f.Key]; ok && value != "" && !strings.ContainsAny(value, "\r\n") && !strings.ContainsFunc(value, isForbidden) {
				if compared++; strings.TrimSpace(theirs[i]["metadata/"+tag]) != value {
					t.Errorf("%s is %q, not %q", tag, theirs[i]["metadata/"+tag], value)
				}
			}
		}
	}
	t.Logf("%d values compared", compared)
	if compared < documents(t) {
		t.Errorf("only %d values were compared", compared)
	}
}

// isForbidden reports whether XML 1.0 has no such character.
func isForbidden(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff || r == 0xfffd
}

// elements lists the texts of each document inside <all> by the path of their
// element.
func elements(t *testing.T, text string) []map[string]string {
	t.Helper()
	var out []map[string]string
	var path []string
	dec := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(fmt.Errorf("at %d: %w", dec.InputOffset(), err))
		}
		switch token := token.(type) {
		case xml.StartElement:
			if path = append(path, token.Name.Local); len(path) == 2 {
				out = append(out, map[string]string{})
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if len(path) > 2 {
				out[len(out)-1][strings.Join(path[2:], "/")] += string(token)
			}
		}
	}
}
