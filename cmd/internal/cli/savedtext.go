package cli

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// The saved queries stand in the config file as
//
//	[queries]
//	standup = 'is:open since:yesterday'
//
// The file is the user's: it is edited as text, and an edit whose result does
// not read back as wanted is not made.

// savedKey is where a saved query stands in the text of a config file.
type savedKey struct {
	name string
	span [2]int // of key = value, in bytes
	text int    // where its text begins
	bare bool   // nothing in the text is escaped
	flat bool   // it is a key of a [queries] table
}

// savedKeys finds the saved queries of a config file, and behind them the end
// of the last line of its [queries] table, 0 if it has none.
func savedKeys(text []byte) (keys []savedKey, end int) {
	var p unstable.Parser
	p.Reset(text)
	inside := false
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			path := keyPath(e.Key())
			inside = e.Kind == unstable.Table && slices.Equal(path, []string{"queries"})
			if inside {
				end = lineEnd(text, int(e.Child().Raw.Offset))
			}
		case unstable.KeyValue:
			path := keyPath(e.Key())
			if inside {
				end = lineEnd(text, int(e.Raw.Offset+e.Raw.Length))
			}
			if key, ok := savedKeyOf(e, path, inside); ok {
				keys = append(keys, key)
			}
		default:
		}
	}
	return keys, end
}

// savedKeyOf reads a key and its value, if that is a saved query.
func savedKeyOf(e *unstable.Node, path []string, inside bool) (savedKey, bool) {
	value := e.Value()
	if value.Kind != unstable.String || inside != (len(path) == 1) || !inside && (len(path) != 2 || path[0] != "queries") {
		return savedKey{}, false
	}
	from, to := int(value.Raw.Offset), int(value.Raw.Offset+value.Raw.Length)
	return savedKey{
		name: path[len(path)-1], span: [2]int{int(e.Raw.Offset), to}, flat: inside,
		text: from + 1, bare: to-from == len(value.Data)+len(`""`),
	}, true
}

func keyPath(it unstable.Iterator) []string {
	var path []string
	for it.Next() {
		path = append(path, string(it.Node().Data))
	}
	return path
}

// lineEnd is the offset behind the line that from lies in.
func lineEnd(text []byte, from int) int {
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(text)
}

// withSaved is a config file's text with a query saved under a name.
func withSaved(file string, text []byte, name, q string) ([]byte, error) {
	line, err := toml.Marshal(map[string]string{name: q})
	if err != nil {
		return nil, fmt.Errorf("save %s: %w", name, err)
	}
	keys, end := savedKeys(text)
	at := slices.IndexFunc(keys, func(k savedKey) bool { return k.name == name && k.flat })
	var after []byte
	switch {
	case at >= 0:
		span := keys[at].span
		after = slices.Concat(text[:span[0]], bytes.TrimRight(line, "\n"), text[span[1]:])
	case end > 0:
		after = slices.Concat(ended(text[:end]), line, text[end:])
	default:
		block := append([]byte("[queries]\n"), line...)
		if len(bytes.TrimSpace(text)) > 0 {
			block = append([]byte("\n"), block...)
		}
		after = slices.Concat(ended(text), block)
	}
	return after, verifySaved(file, text, after, func(want map[string]string) { want[name] = q })
}

// withoutSaved is a config file's text without a saved query that is in it.
func withoutSaved(file string, text []byte, name string) ([]byte, error) {
	keys, _ := savedKeys(text)
	at := slices.IndexFunc(keys, func(k savedKey) bool { return k.name == name })
	if at < 0 {
		return nil, savedByHand(file)
	}
	span := keys[at].span
	start := bytes.LastIndexByte(text[:span[0]], '\n') + 1
	after := slices.Concat(text[:start], text[lineEnd(text, span[1]):])
	return after, verifySaved(file, text, after, func(want map[string]string) { delete(want, name) })
}

// ended is text with a newline at its end, unless it is empty.
func ended(text []byte) []byte {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return text
	}
	return append(slices.Clip(text), '\n')
}

// verifySaved makes sure that an edit changed the saved queries as wanted and
// nothing else: TOML has more ways to write a table than are known here.
func verifySaved(file string, before, after []byte, change func(map[string]string)) error {
	was, rest, err := splitSaved(before)
	if err != nil {
		return tomlFault(file, before, err)
	}
	is, restAfter, err := splitSaved(after)
	change(was)
	if err != nil || !reflect.DeepEqual(was, is) || !reflect.DeepEqual(rest, restAfter) {
		return savedByHand(file)
	}
	return nil
}

func savedByHand(file string) error {
	return fmt.Errorf("%s: its queries are not written as lines of a [queries] table: edit it by hand", file)
}

// splitSaved reads a config file's saved queries, and all the rest of it.
func splitSaved(text []byte) (saved map[string]string, rest map[string]any, err error) {
	var file struct {
		Queries map[string]string `toml:"queries"`
	}
	if err := toml.Unmarshal(text, &file); err != nil {
		return nil, nil, err
	}
	if file.Queries == nil {
		file.Queries = map[string]string{}
	}
	rest = map[string]any{}
	if err := toml.Unmarshal(text, &rest); err != nil {
		return nil, nil, err
	}
	delete(rest, "queries")
	return file.Queries, rest, nil
}

// savedPlace is where the query of a name stands in a config file's text: the
// byte at an offset of the query, or where that cannot be told, its beginning.
func savedPlace(file string, text []byte, name string, offset int) (place, bool) {
	keys, _ := savedKeys(text)
	at := slices.IndexFunc(keys, func(k savedKey) bool { return k.name == name })
	if at < 0 {
		return place{}, false
	}
	start := keys[at].text
	column := start - bytes.LastIndexByte(text[:start], '\n')
	if keys[at].bare {
		column += offset
	}
	return place{file, bytes.Count(text[:start], []byte("\n")) + 1, column}, true
}
