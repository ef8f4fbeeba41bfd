package write

import (
	"time"

	"handex/parse"
)

// A Relay is what became of a manifest that was to be sent: the step of its
// lifecycle after it was written.
type Relay struct {
	// Status is the word of the protocol: "sent", "failed", or the "received" of
	// later tools.
	Status string
	At     time.Time
	// Session is the key of the receiver's session, "" if it is not known.
	Session string
}

// Mark is the manifest with its status, and of one that was sent sent_at and
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

// Log is the log of past manifests with an entry for d. The errors are those of
// AppendLog.
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
