package construct

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/retrieval/prose"
)

// saying is a line of an episode, without its date.
type saying struct {
	id   uuid.UUID
	at   time.Time
	date string // at, as a context says it
	in   sitting
	line string
}

// sitting is what stands below one date: the part of a group's conversation within an hour.
type sitting struct {
	group, thread string
	hour          time.Time
}

// said returns the lines of an episode below its date: the end of the question that it answers, if
// it needs that, and its own.
func (e ContextEpisode) said() []saying {
	var out []saying
	if e.asked != nil {
		out = e.asked.said()
	}
	return append(out, saying{
		id: e.ID, at: e.OccurredAt, date: cmp.Or(e.Date, "At an unknown time"), in: sitting{e.group, e.Thread, e.OccurredAt.UTC().Truncate(time.Hour)},
		line: line(fence.Noted(prose.Named(e.Speaker, prose.OneLine(e.Content)), e.Notes, e.Pinned), e.Cite),
	})
}

// diary holds what was said, by sitting, each in the order of time.
type diary map[sitting][]saying

// add puts a saying in its place. If the diary has a part of it, as the end of a question, add
// keeps the longer line.
func (d diary) add(s saying) {
	said := d[s.in]
	if s.id != uuid.Nil {
		if i := slices.IndexFunc(said, func(o saying) bool { return o.id == s.id }); i >= 0 {
			if len(s.line) > len(said[i].line) {
				said[i] = s
			}
			return
		}
	}
	i := len(said) // of equals, the later added comes later
	for i > 0 && s.before(said[i-1]) {
		i--
	}
	d[s.in] = slices.Insert(said, i, s)
}

// before orders sayings by time; ids begin with the time at which they were made.
func (s saying) before(o saying) bool {
	return cmp.Or(s.at.Compare(o.at), bytes.Compare(s.id[:], o.id[:])) < 0
}

// lines returns the sittings in the order of time.
func (d diary) lines() []ContextDay {
	sittings := make([][]saying, 0, len(d))
	for _, said := range d {
		sittings = append(sittings, said)
	}
	slices.SortFunc(sittings, func(a, b []saying) int {
		return cmp.Or(a[0].at.Compare(b[0].at), cmp.Compare(a[0].in.thread, b[0].in.thread), cmp.Compare(a[0].in.group, b[0].in.group))
	})
	days := make([]ContextDay, len(sittings))
	for i, said := range sittings {
		days[i] = ContextDay{Date: said[0].date, Lines: each.Of(said, func(s saying) string { return s.line })}
	}
	return days
}
