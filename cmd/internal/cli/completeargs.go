package cli

import (
	"context"
	"embed"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"handex/cmd/internal/hooks"
	"handex/cmd/internal/service"
	"handex/index"
	"handex/query"
)

// argument completes a word that is neither a command nor a flag.
func (l *typedLine) argument() []query.Candidate {
	p := l.positional()
	if p == nil {
		return nil
	}
	switch p.Name {
	case "query":
		return l.condition()
	case "name|query":
		if len(l.words) == 0 {
			return append(begins(l.word, l.reportNames()), l.condition()...)
		}
		return l.condition()
	case "path|query":
		if strings.ContainsAny(l.word, "/.") {
			return []query.Candidate{{Text: files}}
		}
		return append(l.condition(), query.Candidate{Text: files})
	case "field":
		return begins(l.word, countable())
	case "id|path", "other":
		if strings.ContainsAny(l.word, "/.") {
			return []query.Candidate{{Text: files}}
		}
		return begins(l.word, l.newest())
	case "path":
		return []query.Candidate{{Text: files}}
	case "dir":
		return []query.Candidate{{Text: folders}}
	case "shell":
		return begins(l.word, texts(shells))
	case "topic":
		topics := []query.Candidate{{Text: "query"}, {Text: "fields"}, {Text: "is"}, {Text: "dates"}}
		return begins(l.word, append(topics, commands(l.parser.Model.Node)...))
	case "agent":
		return begins(l.word, texts(hooks.Names()))
	case "name":
		return begins(l.word, l.savedNames())
	}
	return nil
}

// positional is the argument that is being typed; the last takes all others.
func (l *typedLine) positional() *kong.Positional {
	args := l.node.Positional
	if len(args) == 0 {
		return nil
	}
	return args[min(len(l.words), len(args)-1)]
}

// condition completes a word of a query.
func (l *typedLine) condition() []query.Candidate {
	c := service.Completer{Ask: l.ask}
	if settings, err := l.service.Settings(); err == nil {
		c.Queries = settings.SavedQueries()
	}
	return c.Word(l.word)
}

// countable are the fields of values, latest-per and the like.
func countable() []query.Candidate {
	var list []query.Candidate
	for _, f := range query.Fields() {
		if f.Group {
			list = append(list, query.Candidate{Text: f.Name, Doc: f.Doc})
		}
	}
	return list
}

func (l *typedLine) savedNames() []query.Candidate {
	settings, err := l.service.Settings()
	if err != nil {
		return nil
	}
	var list []query.Candidate
	for _, q := range settings.Queries {
		list = append(list, query.Candidate{Text: q.Name, Doc: q.Text})
	}
	return list
}

// newest are the ids of the newest handoffs.
func (l *typedLine) newest() []query.Candidate {
	q, err := query.Parse("", query.Env{})
	if err != nil {
		return nil
	}
	var list []query.Candidate
	for _, h := range l.ask(q).Hits {
		list = append(list, query.Candidate{Text: h.ID, Doc: h.Date.Format(time.DateOnly) + " " + h.Project + " " + h.Goal})
	}
	return list
}

// patience is how long a person waits for candidates.
const patience = 200 * time.Millisecond

// ask asks the index as it is; what it does not answer in time is nothing.
func (l *typedLine) ask(q *query.Query) *index.Result {
	ctx, stop := context.WithTimeout(l.ctx, patience)
	defer stop()
	return service.New(l.serviceOptions(&l.flags)).Peek(ctx, q)
}

//go:embed shell
var scripts embed.FS

var shells = []string{"bash", "zsh", "fish"}

// completionCmd prints what makes a shell complete command lines.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help tells how the script is used.
func (*completionCmd) Help() string {
	return "bash: put  source <(handex completion bash)  into ~/.bashrc.\n\n" +
		"zsh: put  source <(handex completion zsh)  into ~/.zshrc, behind compinit.\n\n" +
		"fish: handex completion fish > ~/.config/fish/completions/handex.fish\n\n" +
		"Values as those behind project: come from the index as it is."
}

// Run prints the script.
func (c *completionCmd) Run(a *app) error {
	script, err := scripts.ReadFile("shell/handex." + c.Shell)
	if err != nil {
		return err
	}
	_, err = a.out.Write(script)
	return err
}
