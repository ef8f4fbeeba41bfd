package write

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/outline"
)

// A Relay is what became of a manifest that was to be sent: the step of its
// lifecycle after it was written.
type Relay struct {
	// Status is the word of the protocol: "sent" or "failed", and in the log also
	// "received".
	Status string
	At     time.Time
	// Session is the key of the receiver's session, "" if it is not known.
	Session string
}

// Mark returns the manifest with its status set and, if it was sent, sent_at and
// session_key; every other byte of it stays. The errors are those of EditYAML.
func (r Relay) Mark(manifest []byte) ([]byte, error) {
	set := []YAMLSet{}
	if r.Status == "sent" {
		key := YAMLSet{Key: "session_key"}
		if r.Session != "" {
			key.Values = []string{r.Session}
		}
		set = append(set, YAMLSet{Key: "sent_at", Values: []string{r.time()}}, key)
	}
	return EditYAML(manifest, append(set, YAMLSet{Key: "status", Values: []string{r.Status}}))
}

func (r Relay) time() string { return r.At.UTC().Format(time.RFC3339) }

// Log returns the log of past manifests with an entry for manifest d added. The errors are
// those of AppendLog.
func (r Relay) Log(log []byte, d *parse.Document) ([]byte, error) {
	value := func(name, key string) YAMLSet {
		f, _ := d.Field(name)
		if f.Value == "" {
			return YAMLSet{Key: key}
		}
		return YAMLSet{Key: key, Values: []string{f.Value}}
	}
	return AppendLog(log, []YAMLSet{
		value("source", "source_file"), value("from", "from"), value("to", "to"),
		{Key: "status", Values: []string{r.Status}},
		value("date", "generated_at"),
		{Key: "sent_at", Values: []string{r.time()}},
		value("branch", "branch"),
	})
}

// defaultLogEntries is how many entries a log keeps that does not say.
const defaultLogEntries = 50

// AppendLog adds an entry to the end of a log of past manifests, a YAML mapping
// of version, max_entries and the list entries, and drops the oldest entries
// beyond max_entries (50 if it does not say). An empty text becomes a log. Other
// keys, comments and the order of keys stay; blank lines and the way values are
// set out may not. It fails, and the text is to be left as it is, where the text
// is no such log or over 256 KiB.
func AppendLog(text []byte, entry []YAMLSet) ([]byte, error) {
	tree, err := outline.ParseYAML(string(text))
	if err == nil && (len(tree.Docs) == 0 || len(tree.Docs) == 1 && tree.Docs[0].Content[0].Tag == "!!null") {
		tree, err = outline.ParseYAML(fmt.Sprintf("version: 1\nmax_entries: %d\n", defaultLogEntries))
	}
	if err != nil {
		return nil, err
	}
	if len(tree.Docs) > 1 {
		return nil, fmt.Errorf("%d documents in one file", len(tree.Docs))
	}
	log := tree.Docs[0].Content[0]
	if log.Kind != yaml.MappingNode {
		return nil, errNoMapping
	}
	list := valueOf(log, "entries")
	if list == nil {
		list = &yaml.Node{Kind: yaml.SequenceNode}
		addEntry(log, "entries", list)
	} else if list.Kind == yaml.ScalarNode && list.Tag == "!!null" {
		*list = yaml.Node{Kind: yaml.SequenceNode}
	}
	if list.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("line %d: entries is not a list", list.Line)
	}
	list.Style = 0
	list.Content = append(list.Content, logEntry(entry))
	list.Content = list.Content[max(0, len(list.Content)-logEntries(log)):]
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(tree.Docs[0]); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return out.Bytes(), nil
}

// logEntries returns how many entries the log keeps, at least one.
func logEntries(log *yaml.Node) int {
	if most := valueOf(log, "max_entries"); most != nil {
		if n, err := strconv.Atoi(most.Value); err == nil && n > 0 {
			return n
		}
	}
	return defaultLogEntries
}

// logEntry returns keys and their values as a YAML mapping.
func logEntry(entry []YAMLSet) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode}
	for _, s := range entry {
		addEntry(out, s.Key, s.node())
	}
	return out
}

// valueOf returns the value of a mapping's key, nil if it has none.
func valueOf(m *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// addEntry adds an entry to a mapping.
func addEntry(m *yaml.Node, key string, value *yaml.Node) {
	m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
}
