package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
)

// offlineNotice says that the offline rules read episodes, not a model.
const offlineNotice = "Read by offline rules, not by a language model; ANNALS_LLM names one, as in openai:gpt-5-mini."

// readBy says which analyst reads episodes.
func readBy(client *annals.Client) string {
	if client.Analyst() == offline {
		return offlineNotice
	}
	return "Read by " + client.Analyst() + "; 'annals usage' shows what that cost."
}

// printer holds the outputs of a run, and whether to print JSON.
type printer struct {
	stdout, stderr *screen
	json           bool
}

// tell prints a value as JSON, or words for people.
func (p *printer) tell(value any, format string, words ...any) error {
	if p.json {
		return p.printJSON(value)
	}
	_, err := fmt.Fprintf(p.stdout, format, words...)
	return err
}

func (p *printer) printJSON(value any) error { return writeJSON(p.stdout, value) }

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// printMeasured prints the report of a benchmark.
func (p *printer) printMeasured(report interface{ Markdown() string }, err error) error {
	if err != nil {
		return err
	}
	return p.tell(report, "%s", report.Markdown())
}

// listing says how rows are printed: as JSON under a key, or as a table for people.
type listing[Row any] struct {
	key    string
	view   func(Row) any // a row in JSON; nil: as it is
	header string
	ids    func(Row) []uuid.UUID                // that a row shows, shortened; nil: none
	cells  func(row Row, short string) []string // short has the ids
	past   func(Row) bool                       // whether a row is dimmed; nil: none is
	none   string                               // what is said where there are no rows
}

// as makes the view of a row of a method that returns its JSON.
func as[Row, View any](view func(Row) View) func(Row) any {
	return func(row Row) any { return view(row) }
}

// show prints the rows that a command found.
func (l listing[Row]) show(s *session, rows []Row) error { return l.print(&s.printer, rows) }

func (l listing[Row]) print(p *printer, rows []Row) error {
	switch {
	case p.json && l.view == nil:
		return p.printJSON(map[string]any{l.key: some(rows)})
	case p.json:
		return p.printJSON(map[string]any{l.key: each.Of(rows, l.view)})
	case len(rows) == 0 && l.none != "":
		p.say("%s", l.none)
	}
	ids, cells, past := make([][]uuid.UUID, len(rows)), make([][]string, len(rows)), make([]bool, len(rows))
	if l.ids != nil {
		ids = each.Of(rows, l.ids)
	}
	short := shortened(ids)
	for i, row := range rows {
		cells[i], past[i] = l.cells(row, short[i]), l.past != nil && l.past(row)
	}
	return p.tableWith(l.header, cells, func(i int) bool { return past[i] })
}

// shortened lists the ids of each row, shortened.
func shortened(ids [][]uuid.UUID) []string {
	short := shorten(slices.Concat(ids...))
	return each.Of(ids, func(of []uuid.UUID) string { return strings.Join(each.Of(of, short), ", ") })
}

// table prints rows in aligned columns.
func (p *printer) table(header string, rows [][]string) error {
	return p.tableWith(header, rows, nil)
}

// tableWith prints rows in aligned columns, and dims the header and past rows, if any are. It colours whole
// lines only, because escape sequences would count in the width of a column.
func (p *printer) tableWith(header string, rows [][]string, past func(row int) bool) error {
	if len(rows) == 0 {
		return nil
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	if header != "" {
		fmt.Fprintln(w, header)
	}
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(each.Of(row, cell), "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	row := 0
	if header != "" {
		row = -1
	}
	for line := range strings.Lines(text.String()) {
		if err := p.line(line, row < 0 || past != nil && past(row)); err != nil {
			return err
		}
		row++
	}
	return nil
}

func (p *printer) line(text string, off bool) error {
	if !off {
		_, err := io.WriteString(p.stdout, text)
		return err
	}
	if err := p.stdout.paint(dim, strings.TrimSuffix(text, "\n")); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout)
	return err
}

// day formats a time as a date, with the clock time unless it is midnight.
func day(t time.Time) string {
	switch t = t.UTC(); {
	case t.IsZero():
		return "–"
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04")
}

// moment formats a time to the second.
func moment(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format(time.DateTime)
}

// ended formats the time at which something ended; empty: it has not.
func ended(t *time.Time, format func(time.Time) string) string {
	if t == nil {
		return ""
	}
	return format(*t)
}

// brief shortens a text to one line of at most limit characters.
func brief(s string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}

// progress is a line that shows the progress of some work and redraws itself.
type progress struct {
	to    io.Writer
	what  string
	of    int64 // the total; 0: unknown
	show  func(int64) string
	began time.Time

	mu    sync.Mutex
	done  int64
	drawn time.Time
}

const (
	redrawn   = 100 * time.Millisecond // the shortest time between two drawings
	clearLine = "\r\x1b[K"
)

func (p *printer) progress(what string, of int64, show func(int64) string) *progress {
	return &progress{to: p.watched(), what: what, of: of, show: show, began: time.Now()}
}

func plain(n int64) string { return fmt.Sprint(n) }

func (p *progress) add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += int64(n)
	now := time.Now()
	if now.Sub(p.drawn) < redrawn {
		return
	}
	p.drawn = now
	line := p.what + " " + p.show(p.done)
	if p.of > 0 {
		line += " of " + p.show(p.of)
	}
	speed := p.show(int64(float64(p.done) / max(now.Sub(p.began).Seconds(), 1)))
	_, _ = fmt.Fprintf(p.to, "%s%s, %s a second", clearLine, line, speed) // a failure to draw is ignored
}

// finish removes the line.
func (p *progress) finish() { _, _ = io.WriteString(p.to, clearLine) }
