package parse_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
)

func TestPlaceOf(t *testing.T) {
	t.Parallel()
	want := map[string]string{ // what the specifications say
		"flow-guardian": ".flow-guardian/handoff.yaml",
		"company":       "meta/handoff.yaml",
		"act-xml":       ".act/handoffs/*.xml",
		"act-md":        ".act/handoffs/*.md",
		"claude-suite":  "handoffs/*.md",
	}
	got := map[string]string{}
	for _, name := range parse.Placed() {
		p, ok := parse.PlaceOf(name)
		if !ok {
			t.Errorf("%s has no place", name)
		}
		got[name] = p.Dir + "/" + p.File
		if p.File == "" {
			got[name] += "*" + p.Ext
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, ok := parse.PlaceOf("markdown"); ok {
		t.Error("markdown has a place")
	}
}

func TestFieldOf(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"flow-guardian", "now", "state"},
		{"flow-guardian", "goal", "goal"},
		{"flow-guardian", "timestamp", "date"},
		{"flow-guardian", "session_id", "session"},
		{"flow-guardian", "files", "files"},
		{"flow-guardian", "my key", "meta.my_key"},
		{"company", "generated_at", "date"},
		{"company", "source_file", "source"},
		{"company", "session_key", "session"},
		{"company", "work_queue_items", "item"},
		{"company", "files_changed", "files"},
		{"act-xml", "original_task", "goal"},
		{"act-xml", "from_session", "session"},
		{"act-xml", "Last Commit", "commit"},
		{"claude-suite", "purpose", "goal"},
		{"no such format", "state", "state"},
	} {
		if got := parse.FieldOf(c[0], c[1]); got != c[2] {
			t.Errorf("%s in %s: %s, want %s", c[1], c[0], got, c[2])
		}
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]parse.Kind{"next": parse.Next, "Gotchas": parse.Gotchas, "What was done": parse.Done, "checks": parse.Checks, "OTHER": parse.Other} {
		if got, ok := parse.KindOf(heading); got != want || !ok {
			t.Errorf("%s: %s %v, want %s", heading, got, ok, want)
		}
	}
	if got, ok := parse.KindOf("nxet"); ok {
		t.Errorf("nxet is %s", got)
	}
}

func TestReadKeeping(t *testing.T) {
	t.Parallel()
	type problem struct {
		rule    string
		line    int
		message string
	}
	cases := map[string]struct {
		text     string
		want     parse.Keeping
		problems []problem
	}{
		"nothing":       {"", parse.Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}, nil},
		"as specified":  {"handoff:\n  maxFiles: 7\n  format: md\n  autoSave: true\n", parse.Keeping{MaxFiles: 7, Format: "md", AutoSave: true}, nil},
		"flow style":    {"other: 1\nhandoff: {maxFiles: \"12\"}", parse.Keeping{MaxFiles: 12, Format: "xml", AutoSave: true}, nil},
		"not nested":    {"maxFiles: 9\nformat: md\n", parse.Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}, nil},
		"none":          {"handoff:\n  maxFiles: 0\n  format: md\n", parse.Keeping{MaxFiles: 5, Format: "md", AutoSave: true}, []problem{{"config.maxfiles", 2, `handoff.maxFiles: "0" is not a number of at least 1`}}},
		"no number":     {"handoff:\n  maxFiles: many\n", parse.Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}, []problem{{"config.maxfiles", 2, `handoff.maxFiles: "many" is not a number of at least 1`}}},
		"too many":      {"handoff:\n  maxFiles: 99999999999999999999\n", parse.Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}, []problem{{"config.maxfiles", 2, `handoff.maxFiles: "99999999999999999999" is not a number of at least 1`}}},
		"a list":        {"handoff:\n  maxFiles: [3]\n", parse.Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}, []problem{{"config.maxfiles", 2, `handoff.maxFiles: "3" is not a number of at least 1`}}},
		"other format":  {"handoff:\n  format: pdf\n", parse.Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}, []problem{{"config.format", 2, `handoff.format: "pdf" is neither xml nor md`}}},
		"broken":        {"handoff:\n  maxFiles: 2\n  format: [md\n", parse.Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}, []problem{{"yaml.syntax", 3, "not YAML: a bracket is never closed, or text follows a value inside it; read line by line"}}},
		"no saving":     {"handoff:\n  autoSave: false\n", parse.Keeping{MaxFiles: 5, Format: "xml"}, nil},
		"unclear":       {"handoff:\n  autoSave: maybe\n", parse.Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}, []problem{{"config.autosave", 2, `handoff.autoSave: "maybe" is neither true nor false`}}},
		"null is a gap": {"handoff:\n  maxFiles:\n  format: null\n", parse.Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, problems := parse.ReadKeeping([]byte(c.text))
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			var told []problem
			for _, p := range problems {
				told = append(told, problem{p.Rule, p.Line, p.Message})
			}
			if diff := cmp.Diff(c.problems, told, cmp.AllowUnexported(problem{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func FuzzReadKeeping(f *testing.F) {
	f.Add([]byte("handoff:\n  maxFiles: 5\n  format: md\n"))
	f.Add([]byte("handoff: {maxFiles: 0x5, format: [xml]}"))
	f.Add([]byte("\xff\xfeh\x00"))
	f.Add([]byte("\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		k, problems := parse.ReadKeeping(text)
		if k.MaxFiles < 1 || k.Format != "xml" && k.Format != "md" {
			t.Errorf("%+v", k)
		}
		for _, p := range problems {
			if p.Rule == "" || p.Message == "" || p.Line < 0 {
				t.Errorf("%+v", p)
			}
		}
	})
}
