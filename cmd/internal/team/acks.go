package team

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/OWNER/handex/cmd/internal/acks"
	"github.com/OWNER/handex/cmd/internal/redact"
	"github.com/OWNER/handex/index"
)

// An ackLine is the JSON of an acknowledgement for other machines. Ids are made of local
// paths, so it has the member who wrote the handoff, and the path that the file has there.
type ackLine struct {
	Member string    `json:"member"` // "" is that of the ref
	Path   string    `json:"path"`
	Entry  int       `json:"entry"`
	Digest string    `json:"digest"` // of the text that was sent, 16 hex digits
	At     time.Time `json:"at"`
	Note   string    `json:"note,omitempty"`
	Undo   bool      `json:"undo,omitempty"`
}

// maxNote is how long a note can be, in bytes; maxLines how many lines a member can have.
const (
	maxNote  = 4 << 10
	maxLines = 10_000
)

// readAcks returns the acknowledgements in the lines of data. Lines that cannot be accepted
// are left out and added to wrong.
func readAcks(data []byte, now time.Time, wrong *problems) []ackLine {
	var list []ackLine
	for line := range bytes.Lines(data) {
		var a ackLine
		if len(list) == maxLines {
			wrong.add("it has more than %d acknowledgements", maxLines)
			break
		}
		err := json.Unmarshal(line, &a)
		_, digestErr := strconv.ParseUint(a.Digest, 16, 64)
		switch {
		case err != nil || digestErr != nil || a.At.IsZero():
			wrong.add("%q is not an acknowledgement", strings.TrimSpace(string(line[:min(len(line), 100)])))
		case !isShareable(a.Path) || a.Member != "" && !index.IsMember(a.Member) || !isNote(a.Note):
			wrong.add("the acknowledgement of %q has an invalid path, member or note", a.Path)
		case a.At.After(now.Add(24 * time.Hour)):
			wrong.add("the acknowledgement of %q is dated in the future", a.Path)
		default:
			list = append(list, a)
		}
	}
	return list
}

// isNote reports whether a text is short enough for a note and without control characters.
func isNote(text string) bool {
	return len(text) <= maxNote && !strings.ContainsFunc(text, unicode.IsControl)
}

// encodeAcks returns acknowledgements as lines, the oldest first and each only once.
func encodeAcks(list []ackLine) []byte {
	lines := make([]string, 0, len(list))
	slices.SortStableFunc(list, func(a, b ackLine) int { return a.At.Compare(b.At) })
	seen := map[string]bool{}
	for _, a := range list {
		a.At = a.At.UTC()
		if line, err := json.Marshal(a); err == nil && !seen[string(line)] {
			seen[string(line)] = true
			lines = append(lines, string(line)+"\n")
		}
	}
	return []byte(strings.Join(lines, ""))
}

// mergeAcks returns before, the lines that were sent last time, with lines added.
func mergeAcks(before []byte, lines []ackLine) []byte {
	old := readAcks(before, endOfTime, &problems{})
	return encodeAcks(append(old, lines...))
}

// An acked is an acknowledgement of this machine, with its handoff.
type acked struct {
	acks.Event
	index.Summary
}

// ownAcks returns the events of acknowledgements on this machine whose handoffs the index
// still has.
func (t *Team) ownAcks(ctx context.Context) ([]acked, error) {
	events, err := t.Index.OwnAcks()
	if err != nil {
		return nil, err
	}
	var list []acked
	for _, e := range events {
		found, err := t.Index.Find(ctx, e.ID)
		switch {
		case isMissing(err):
		case err != nil:
			return nil, err
		default:
			list = append(list, acked{e, found[0]})
		}
	}
	return list, nil
}

// find returns the handoffs in the file at a path, none if there is no such file.
func (t *Team) find(ctx context.Context, path string) ([]index.Summary, error) {
	if _, err := os.Lstat(path); err != nil {
		return nil, nil //nolint:nilerr // what is gone needs no acknowledgement
	}
	found, err := t.Index.Find(ctx, path)
	if isMissing(err) {
		return nil, nil
	}
	return found, err
}

// isMissing reports whether an error says that a reference names no handoff, or several.
func isMissing(err error) bool {
	_, missing := errors.AsType[*index.NotFoundError](err)
	_, ambiguous := errors.AsType[*index.AmbiguousError](err)
	return missing || ambiguous
}

// linesOf returns the acknowledgements among own that are about handoffs of a share, those
// that it sends or that other members share.
func (t *Team) linesOf(s Share, out *Outgoing, own []acked) []ackLine {
	names := map[string]string{}
	for name, list := range out.handoffs {
		names[list[0].Path] = name
	}
	var lines []ackLine
	for _, a := range own {
		line := ackLine{Entry: a.Entry, At: a.At, Undo: a.Undo}
		line.Note, _ = redact.Text(a.Note)
		digest := a.Event.Digest
		if rel, err := filepath.Rel(t.mirror(s.Key), a.Path); err == nil && filepath.IsLocal(rel) {
			member, rest, _ := strings.Cut(filepath.ToSlash(rel), "/")
			name, ok := strings.CutPrefix(rest, "files/")
			if !ok || !index.IsMember(member) {
				continue
			}
			line.Member, line.Path = member, name
		} else if line.Path = names[a.Path]; line.Path == "" {
			continue
		} else if digest == a.Digest {
			digest = t.sentDigest(a.Summary)
		}
		line.Digest = fmt.Sprintf("%016x", uint64(digest))
		lines = append(lines, line)
	}
	return lines
}

// sentDigest returns the digest of the text of a handoff as others receive it, which is
// another one if credentials are masked.
func (t *Team) sentDigest(h index.Summary) int64 {
	if digest, ok := t.digests[h.ID]; ok {
		return digest
	}
	if t.digests == nil {
		t.digests = map[string]int64{}
	}
	t.digests[h.ID] = t.maskedDigest(h)
	return t.digests[h.ID]
}

// maskedDigest computes the digest of a handoff with its credentials masked. If none are
// masked, it is that of the handoff.
func (t *Team) maskedDigest(h index.Summary) int64 {
	text, masked, err := readMasked(h.Path)
	if err != nil || masked == 0 {
		return h.Digest
	}
	in := index.Inspector{Now: t.Now(), Zone: time.UTC}
	for _, d := range in.Digests(h.Path, text) {
		if d.Entry == h.Entry {
			return d.Digest
		}
	}
	return h.Digest
}

// importAcks writes the acknowledgements of all other members to a file of this machine,
// with the ids that the handoffs have here.
func (t *Team) importAcks(ctx context.Context, shares []Share, members map[string]*Member) error {
	var events []acks.Event
	known := map[string][]index.Summary{} // by path, as many lines can name one
	for _, id := range sortedKeys(members) {
		m := members[id]
		data, err := os.ReadFile(filepath.Join(t.mirror(m.Key, m.Name), acksFile))
		if err != nil {
			continue // most members have none
		}
		for _, line := range readAcks(data, t.Now(), &problems{}) {
			if line.Member == "" {
				line.Member = m.Name
			}
			e, ok, err := t.eventOf(ctx, shares, m.Key, line, known)
			if err != nil {
				return err
			}
			if ok {
				events = append(events, e)
			}
		}
	}
	text, err := acks.Encode(events)
	if err != nil {
		return err
	}
	return t.write(ctx, acksFile, text)
}

// eventOf returns an acknowledgement of another member as an event with the id that the
// handoff has on this machine. ok is false if this machine does not have the handoff. known
// caches the handoffs by path.
func (t *Team) eventOf(ctx context.Context, shares []Share, key string, line ackLine, known map[string][]index.Summary,
) (e acks.Event, ok bool, err error) {
	path := filepath.Join(t.mirror(key, line.Member), "files", filepath.FromSlash(line.Path))
	isOwn := false
	for _, s := range shares {
		if s.Key != key || s.member() != line.Member {
			continue
		}
		isOwn = true
		path = filepath.Join(s.Root, filepath.FromSlash(line.Path))
		if rest, ok := strings.CutPrefix(line.Path, "~/"); ok {
			path = filepath.Join(t.Home, filepath.FromSlash(rest))
		}
	}
	found, ok := known[path]
	if !ok {
		if found, err = t.find(ctx, path); err != nil {
			return e, false, err
		}
		known[path] = found
	}
	at := slices.IndexFunc(found, func(h index.Summary) bool { return h.Entry == line.Entry })
	if at < 0 {
		return e, false, nil
	}
	digest, err := strconv.ParseUint(line.Digest, 16, 64)
	target := acks.Target{ID: found[at].ID, Digest: int64(digest)}
	e = acks.Event{Target: target, At: line.At, Undo: line.Undo, Note: line.Note}
	if isOwn && e.Digest != found[at].Digest && e.Digest == t.sentDigest(found[at]) {
		e.Digest = found[at].Digest
	}
	return e, err == nil, nil
}
