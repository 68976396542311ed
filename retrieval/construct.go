package retrieval

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/temporal"
)

// Construct puts what was found into a string for a model's prompt. It
// explains its own format: facts with the dates between which they hold,
// entities with what is known of them, communities, and what was said.
func Construct(r Result) string {
	var b strings.Builder
	b.WriteString("FACTS, ENTITIES and EPISODES below are relevant to the current conversation.\n" +
		"Each fact is followed by the dates between which it holds; \"present\" means that it still does.\n")
	section(&b, "FACTS", statements(r.Facts), func(h FactHit) string { return h.Fact.Fact + " (date range: " + dateRange(h.Valid) + ")" })
	section(&b, "ENTITIES", r.Entities, func(h EntityHit) string { return named(h.Name, h.Summary) })
	section(&b, "COMMUNITIES", r.Communities, func(h CommunityHit) string { return named(h.Name, h.Summary) })
	section(&b, "EPISODES", r.Episodes, func(h EpisodeHit) string {
		return fmt.Sprintf("%s (%s)", named(h.Speaker(), oneLine(h.Content)), day(h.OccurredAt))
	})
	return b.String()
}

// statements leaves one of the facts that one sentence gave for several pairs
// of entities.
func statements(facts []FactHit) []FactHit {
	var out []FactHit
	for _, f := range facts {
		said := slices.ContainsFunc(out, func(o FactHit) bool { return o.Fact.Fact == f.Fact.Fact && o.Valid.Equal(f.Valid) })
		if !said {
			out = append(out, f)
		}
	}
	return out
}

func section[Hit any](b *strings.Builder, name string, hits []Hit, line func(Hit) string) {
	if len(hits) == 0 {
		return
	}
	fmt.Fprintf(b, "\n<%s>\n", name)
	for _, hit := range hits {
		fmt.Fprintf(b, "- %s\n", line(hit))
	}
	fmt.Fprintf(b, "</%s>\n", name)
}

func named(name, text string) string {
	switch {
	case name == "":
		return text
	case text == "":
		return name
	}
	return name + ": " + text
}

func dateRange(i temporal.Interval) string {
	from, to := "unknown", "present"
	if !i.Start.IsZero() {
		from = day(i.Start)
	}
	if !i.End.IsZero() {
		to = day(i.End)
	}
	return from + " – " + to
}

// day leaves the clock time out where it is midnight.
func day(t time.Time) string {
	t = t.UTC()
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
