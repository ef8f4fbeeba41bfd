package topic

import (
	"strings"

	"handex/parse/internal/metadata"
	"handex/parse/internal/scan"
)

// Columns by the words of their heads: what a row is about, and its state.
var (
	mainColumns   = []string{"title", "task", "item", "action", "step", "issue", "what", "todo", "description", "name", "work", "topic", "question", "blocker", "deliverable", "slice", "tâche", "aufgabe", "tarea", "tarefa", "任务", "事项", "内容", "作業", "タスク", "항목", "작업"}
	statusColumns = scan.Set("status", "state", "done", "statut", "estado", "stato", "状态", "状態", "상태", "stand")
)

// A tableScan reads the rows of one table.
type tableScan struct {
	rows         int
	main, status int // columns, -1 where there is none
}

// row is what a row of a table is about, and whether it says that it is done; ""
// for its head, its rule and rows that say nothing.
func (t *tableScan) row(line string) (text string, done bool) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	t.rows++
	switch {
	case t.rows == 1:
		t.head(cells)
		return "", false
	case strings.Trim(line, "|-: \t") == "":
		return "", false
	}
	if t.status >= 0 && t.status < len(cells) {
		done = metadata.Status(cells[t.status]) == "completed"
	}
	at := t.main
	if at < 0 || at >= len(cells) {
		at = 0
		if len(cells) > 1 && (len(cells[0]) < 4 || !strings.Contains(cells[0], " ") && strings.ContainsAny(cells[0], "0123456789#")) {
			at = 1 // behind a number
		}
	}
	if scan.IsNone(cells[at]) {
		return "", false
	}
	text = cells[at]
	if inner, ok := strings.CutPrefix(text, "**"); ok && strings.HasSuffix(inner, "**") {
		text = strings.TrimSuffix(inner, "**")
	}
	return text, done
}

func (t *tableScan) head(cells []string) {
	t.main, t.status = -1, -1
	best := len(mainColumns)
	for i, c := range cells {
		name := strings.ToLower(scan.TrimMarks(scan.Plain(c)))
		if statusColumns[name] {
			t.status = i
		}
		for rank, word := range mainColumns[:best] {
			if strings.Contains(name, word) {
				t.main, best = i, rank
				break
			}
		}
	}
}
