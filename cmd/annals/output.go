package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/annalsdb/annals"
)

// offlineNotice says that offline rules read episodes, not a model.
const offlineNotice = "Read by offline rules, not by a language model; ANNALS_LLM names one, as in openai:gpt-5-mini."

// readBy says what reads episodes.
func readBy(client *annals.Client) string {
	if client.Analyst() == offline {
		return offlineNotice
	}
	return "Read by " + client.Analyst() + "; 'annals usage' shows what that cost."
}

func (a *app) printJSON(value any) error {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// measured is the report of a benchmark.
type measured interface {
	JSON(w io.Writer) error
	Markdown(w io.Writer) error
}

func (a *app) printMeasured(m measured) error {
	if a.json {
		return m.JSON(a.stdout)
	}
	return m.Markdown(a.stdout)
}

// printList prints rows as JSON under a key, or as a table for people.
func printList[Row, View any](a *app, key string, rows []Row, view func(Row) View, header string, cells func(Row) []string) error {
	if a.json {
		return a.printJSON(map[string][]View{key: views(rows, view)})
	}
	return a.table(header, views(rows, cells))
}

// table prints rows in aligned columns.
func (a *app) table(header string, rows [][]string) error {
	return a.tableWith(header, rows, func(int) bool { return false })
}

// tableWith prints rows in aligned columns, and dims the header and the rows
// that are past. It colours whole lines only: escape sequences would count as
// part of a column's width.
func (a *app) tableWith(header string, rows [][]string, past func(row int) bool) error {
	if len(rows) == 0 {
		return nil
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	if header != "" {
		fmt.Fprintln(w, header)
	}
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(views(row, cell), "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	row := 0
	if header != "" {
		row = -1
	}
	for line := range strings.Lines(text.String()) {
		if err := a.line(line, row < 0 || past(row)); err != nil {
			return err
		}
		row++
	}
	return nil
}

func (a *app) line(text string, off bool) error {
	if !off {
		_, err := io.WriteString(a.stdout, text)
		return err
	}
	if err := a.stdout.paint(dim, strings.TrimSuffix(text, "\n")); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.stdout)
	return err
}

func views[Row, View any](rows []Row, view func(Row) View) []View {
	out := make([]View, len(rows))
	for i, row := range rows {
		out[i] = view(row)
	}
	return out
}

// day prints a time as a date, with the clock time where that is not midnight.
func day(t time.Time) string {
	switch t = t.UTC(); {
	case t.IsZero():
		return "–"
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04")
}

// moment prints a time to the second.
func moment(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format(time.DateTime)
}

// brief shortens a text to one line.
func brief(s string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}
