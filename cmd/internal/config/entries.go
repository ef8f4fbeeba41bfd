package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// An entry is a table's header, or a key with its value, in the text of a file.
type entry struct {
	table []string // the table of the header, or that the key is in
	nth   int      // of the [[tables]] of this name, from 0; -1 if it is none
	key   []string // nil for a header
	from  int      // where the first key begins
	to    int      // where the value ends, or the header's first key begins
	value int      // where the value begins, behind its quote

	isText   bool // the value is a string
	verbatim bool // and is written as it is read
}

// parseEntries returns the entries of a text, up to the first error of syntax.
func parseEntries(text []byte) []entry {
	var p unstable.Parser
	p.Reset(text)
	var list []entry
	header := entry{nth: -1}
	tables := map[string]int{} // how many there are of each name
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			at := int(e.Child().Raw.Offset)
			header = entry{table: keyPath(e.Key()), nth: -1, from: at, to: at}
			if e.Kind == unstable.ArrayTable {
				name := strings.Join(header.table, "\x00")
				header.nth = tables[name]
				tables[name]++
			}
			list = append(list, header)
		case unstable.KeyValue:
			list = append(list, keyEntry(header, e))
		default:
		}
	}
	return list
}

// keyEntry returns the entry of a key below a header.
func keyEntry(header entry, e *unstable.Node) entry {
	v := e.Value()
	from := int(e.Raw.Offset)
	k := header
	k.key, k.from, k.to, k.value = keyPath(e.Key()), from, from+int(e.Raw.Length), from
	if v.Kind == unstable.String {
		k.to = int(v.Raw.Offset + v.Raw.Length)
		k.value = int(v.Raw.Offset) + 1
		k.isText, k.verbatim = true, int(v.Raw.Length) == len(v.Data)+len(`""`)
	}
	return k
}

func keyPath(it unstable.Iterator) []string {
	var path []string
	for it.Next() {
		path = append(path, string(it.Node().Data))
	}
	return path
}

// isQuery reports whether an entry is a saved query: of a table [queries], or with
// a dotted key above all tables.
func (e entry) isQuery(name string) bool {
	return e.isText && e.nth < 0 && slices.Equal(slices.Concat(e.table, e.key), []string{"queries", name})
}

// lineStart returns where the line of an offset begins.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd returns where the line after that of an offset begins.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}
