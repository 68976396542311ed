package acceptance_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var (
	all    = flag.Bool("all", false, "every test, at every door, with the scripted model too")
	update = flag.Bool("update", false, "write the table into docs/acceptance.md")
)

// cell is the outcome of a test at a door in a mode.
type cell struct{ id, mode, door string }

// outcomes collects the outcomes of the tests.
var outcomes = struct {
	sync.Mutex
	marks map[cell]string
	notes map[string][]string
}{marks: map[cell]string{}, notes: map[string][]string{}}

// The marks of a table.
const (
	passes = "pass"
	fails  = "FAIL"
	absent = "–" // the operation does not exist at this door
)

func record(c cell, mark string) {
	outcomes.Lock()
	defer outcomes.Unlock()
	outcomes.marks[c] = mark
}

// note adds a remark on a test to the table, once.
func note(id, format string, args ...any) {
	outcomes.Lock()
	defer outcomes.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(outcomes.notes[id], text) {
		outcomes.notes[id] = append(outcomes.notes[id], text)
	}
}

// table formats the outcomes, one test per line.
func table() string {
	var b strings.Builder
	columns := []cell{}
	for _, mode := range modes {
		for _, door := range doorNames {
			columns = append(columns, cell{mode: mode, door: door})
		}
	}
	b.WriteString("| test |")
	for _, c := range columns {
		fmt.Fprintf(&b, " %s, %s |", c.door, c.mode)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, test := range tests {
		fmt.Fprintf(&b, "| `%s` |", test.id)
		for _, c := range columns {
			mark := outcomes.marks[cell{test.id, c.mode, c.door}]
			if mark == "" {
				mark = " "
			}
			fmt.Fprintf(&b, " %s |", mark)
		}
		b.WriteString("\n")
	}
	for _, test := range tests {
		for _, text := range outcomes.notes[test.id] {
			fmt.Fprintf(&b, "\n- `%s`: %s", test.id, text)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

const (
	tableBegins = "<!-- table: written by make acceptance -->\n"
	tableEnds   = "<!-- end of table -->"
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if len(outcomes.marks) > 0 {
		fmt.Print("\n", table(), "\n")
	}
	if *update && *all {
		page := filepath.Join("..", "..", "docs", "acceptance.md")
		text, err := os.ReadFile(page)
		before, rest, ok := strings.Cut(string(text), tableBegins)
		_, after, closed := strings.Cut(rest, tableEnds)
		if err == nil && ok && closed {
			err = os.WriteFile(page, []byte(before+tableBegins+table()+tableEnds+after), 0o600)
		}
		if err != nil || !ok || !closed {
			fmt.Println("docs/acceptance.md is not written:", err)
			code = 1
		}
	}
	os.Exit(code)
}
