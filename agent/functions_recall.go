package agent

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
)

// The size of a page of results, and the number of results that a search considers.
const (
	pageSize  = 5
	maxFound  = 200
	dayLayout = "2006-01-02"
)

type recallArguments struct {
	Query     string   `json:"query" jsonschema:"what to look for: words or a question; empty: everything, the newest first"`
	Page      int      `json:"page,omitempty" jsonschema:"which page of results, from 0"`
	Roles     []string `json:"roles,omitempty" jsonschema:"only what these said: user, assistant"`
	StartDate string   `json:"start_date,omitempty" jsonschema:"only from this day or time on, as 2024-05-01 or 2024-05-01T10:00:00Z"`
	EndDate   string   `json:"end_date,omitempty" jsonschema:"only up to this day or time, which counts too"`
}

type recallDateArguments struct {
	StartDate string `json:"start_date" jsonschema:"from this day on, as 2024-05-01"`
	EndDate   string `json:"end_date" jsonschema:"up to this day, which counts too"`
	Page      int    `json:"page,omitempty" jsonschema:"which page of results, from 0"`
}

func recallFunctions() []function {
	return []function{
		reads("conversation_search", "Searches everything that was ever said between you and the user, by words and by meaning.", recall),
		reads("conversation_search_date", "Lists what was said between you and the user on some days, the newest first.",
			func(ctx context.Context, t *turn, a recallDateArguments) (string, error) {
				return recall(ctx, t, recallArguments{StartDate: a.StartDate, EndDate: a.EndDate, Page: a.Page})
			}),
	}
}

func recall(ctx context.Context, t *turn, a recallArguments) (string, error) {
	skip, err := skipOf(a.Page)
	if err != nil {
		return "", err
	}
	since, until, err := t.days(a.StartDate, a.EndDate)
	if err != nil {
		return "", err
	}
	found, total, err := t.agent.Recall(ctx, RecallQuery{
		Text: a.Query, Roles: a.Roles, Since: since, Until: until, Skip: skip, Limit: pageSize, before: t.state.turnStart(),
	})
	if err != nil {
		return "", err
	}
	lines := each.Of(found, func(m Said) string {
		who := fence.Plain(cmp.Or(m.Actor, m.Role))
		return fence.Noted(fmt.Sprintf("%s, %s: %s", stamp(m.OccurredAt, t.zone), who, t.excerpt(m.Content)), m.Note)
	})
	return t.page(lines, a.Page, total), nil
}

// skipOf returns how many results come before a page.
func skipOf(page int) (int, error) {
	if page < 0 || page > math.MaxInt32/pageSize {
		return 0, graph.Invalid("page", "is %d; the first is 0, the last %d", page, math.MaxInt32/pageSize)
	}
	return page * pageSize, nil
}

// excerpt cuts a result so that a page of results fits into the context.
func (t *turn) excerpt(text string) string {
	text = cutToTokens(text, min(max(t.settings.room()/(3*pageSize)-30, 40), 1000), " …")
	return strings.ReplaceAll(fence.WithoutNotes(text), "\n", "\n  ")
}

// page formats a page of results with their total.
func (t *turn) page(lines []string, page, total int) string {
	if total == 0 {
		return "Nothing was found."
	}
	pages := (total + pageSize - 1) / pageSize
	if len(lines) == 0 {
		return fmt.Sprintf("Found %s on %s; page %d has none.", each.Count(total, "result"), each.Count(pages, "page"), page)
	}
	of := fmt.Sprint(total)
	if total == maxFound {
		of += " or more"
	}
	return fmt.Sprintf("Showing %d of %s results (page %d, the last is %d):\n%s", len(lines), of, page, pages-1, strings.Join(lines, "\n"))
}

// days parses the bounds of a search. The last day is included.
func (t *turn) days(start, end string) (since, until time.Time, err error) {
	if since, _, err = readTime("start_date", start, t.zone); err != nil {
		return since, until, err
	}
	until, whole, err := readTime("end_date", end, t.zone)
	switch {
	case err != nil || until.IsZero():
	case whole:
		until = until.AddDate(0, 0, 1)
	default:
		until = until.Add(time.Microsecond)
	}
	if err == nil && !since.IsZero() && !until.IsZero() && !since.Before(until) {
		err = graph.Invalid("end_date", "comes before the start")
	}
	return since, until, err
}

// readTime parses a time or a whole day; the zero time if the text is empty.
func readTime(field, text string, zone *time.Location) (at time.Time, whole bool, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, false, nil
	}
	if at, err := time.ParseInLocation(dayLayout, text, zone); err == nil {
		return at, true, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at, false, nil
		}
	}
	return time.Time{}, false, graph.Invalid(field, "%q is no date; write 2024-05-01 or 2024-05-01T10:00:00Z", text)
}

func hitsIn(threads []string, roles []string, since, until time.Time) annals.Filter {
	f := annals.Filter{Threads: threads, Roles: roles}
	var tests []annals.TimeTest
	if !since.IsZero() {
		tests = append(tests, annals.TimeTest{Op: "gte", At: since})
	}
	if !until.IsZero() {
		tests = append(tests, annals.TimeTest{Op: "lt", At: until})
	}
	if len(tests) > 0 {
		f.Occurred = annals.TimeCondition{tests}
	}
	return f
}
