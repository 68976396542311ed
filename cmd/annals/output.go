package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/temporal"
)

// offlineNotice says what reads episodes, and that it is not a model.
const offlineNotice = "Read by offline rules, not by a language model; ANNALS_LLM names one, as in openai:gpt-5-mini."

// readBy says who reads episodes.
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

// table prints rows in aligned columns.
func (a *app) table(header string, rows [][]string) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	if header != "" && len(rows) > 0 {
		fmt.Fprintln(w, header)
	}
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(views(row, printable), "\t"))
	}
	return w.Flush()
}

// printable keeps what was taken in from steering the terminal or the table.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
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

func span(i temporal.Interval) string { return day(i.Start) + " to " + day(i.End) }

// brief shortens a text to one line.
func brief(s string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}
