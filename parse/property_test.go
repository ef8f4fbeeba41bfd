package parse_test

import (
	"encoding/binary"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/parsetest"
)

func TestAnyTextIsReadWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := parsetest.Source(t)
		docs := parse.Parse(src)
		for _, fault := range faults(src.Bytes, docs) {
			t.Error(fault)
		}
		if diff := cmp.Diff(docs, parse.Parse(src)); diff != "" {
			t.Errorf("a second reading differs: %s", diff)
		}
	})
}

// narrow is a UTF-16 file as UTF-8, any other as it is.
func narrow(raw []byte) []byte {
	if len(raw) < 2 || raw[0]^raw[1] != 1 || raw[0] < 0xfe {
		return raw
	}
	var order binary.ByteOrder = binary.BigEndian
	if raw[0] == 0xff {
		order = binary.LittleEndian
	}
	var units []uint16
	for i := 2; i+1 < len(raw); i += 2 {
		units = append(units, order.Uint16(raw[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// faults lists the promises of Parse that docs break.
func faults(raw []byte, docs []*parse.Document) []string {
	if len(docs) == 0 {
		return []string{"no document"}
	}
	raw = narrow(raw)
	var out []string
	if lost := lostWords(raw, docs); len(lost) > 0 {
		out = append(out, "lost words: "+strings.Join(lost, ", "))
	}
	signal, told := strings.Contains(string(raw), parse.EscalationSignal), false
	for i, d := range docs {
		told = told || len(d.Escalations) > 0
		if d.Entry != i {
			out = append(out, "entries are not numbered in order")
		}
		if len(docs) > 1 && d.Key == "" && i > 0 {
			out = append(out, "an entry has no key")
		}
	}
	if signal != told {
		out = append(out, "escalation is not what grep finds")
	}
	return append(out, spanFaults(raw, docs)...)
}

func FuzzParse(f *testing.F) {
	for _, x := range fixtures(f) {
		f.Add(x.source.Path, x.source.Bytes)
	}
	for _, h := range hostile {
		f.Add("HANDOFF.md", grown(h.start, h.unit, 200))
	}
	f.Fuzz(func(t *testing.T, path string, raw []byte) {
		src := parse.Source{Path: path, Bytes: raw, ModTime: modTime}
		docs := parse.Parse(src)
		for _, fault := range faults(raw, docs) {
			t.Error(fault)
		}
		if diff := cmp.Diff(docs, parse.Parse(src)); diff != "" {
			t.Errorf("a second reading differs: %s", diff)
		}
	})
}

// Files are read on all cores at once.
func TestManyReadAtOnce(t *testing.T) {
	t.Parallel()
	list := fixtures(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, f := range list {
				if diff := cmp.Diff(f.want, viewAll(parse.Parse(f.source))); diff != "" {
					t.Errorf("%s: want -, got +:\n%s", f.name, diff)
				}
			}
		})
	}
	all.Wait()
}
