package retrieval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/retrieval/prose"
	"github.com/annalsdb/annals/temporal"
)

// A note says what a reader must know to believe a line: when a fact holds, and what became of what
// somebody said. It stands in parentheses at the start of its line, where no stored text can stand:
// names lose the characters that lines are made of, and all other text follows a name or a note.
// Parentheses within a text that look like a note become other brackets.

// Notes writes notes as of a time of reading. Its fence keeps stored texts from closing the tags
// around them.
type Notes struct {
	fence.Fence
	Reading time.Time
}

// usualFence knows the tags of the default form of a context.
var usualFence = sync.OnceValue(func() fence.Fence { return fence.New("FACTS", "ENTITIES", "COMMUNITIES", "EPISODES") })

func notesAt(reading time.Time) Notes { return Notes{usualFence(), reading} }

// inNote makes a text safe for a note: it cannot end the note or begin another.
func (n Notes) inNote(text string) string { return strings.ReplaceAll(n.Name(text), ";", ",") }

const (
	mostNotes      = 3  // changes that one line names
	shortStatement = 10 // words: it says one thing, which need not be named
)

// OfEpisode returns the notes on an episode: what became of its statements, and "no speaker" for a
// text that looks like a message but is none.
func (n Notes) OfEpisode(h EpisodeHit) []string {
	var notes []string
	if h.Speaker() == "" && h.Source != graph.SourceMessage && fence.LikeTurn(prose.Squeeze(h.Content)) {
		notes = append(notes, "no speaker")
	}
	if note := graph.TakenBackNote(h.TakenBack); len(h.Changes) == 0 && note != "" {
		return append(notes, note)
	}
	short := len(strings.Fields(h.Content)) <= shortStatement && len(prose.Sentences(h.Content)) < 2
	by := nothing
	switch {
	case h.Speaker() == "" && (h.Source == graph.SourceText || h.Source == graph.SourceJSON): // in the record of a firm, "Velo: until May" would be about the firm
		by = bothEnds
	case !short || len(h.Changes) > 1:
		by = target
	}
	return append(notes, n.ofChanges(h.Changes, by)...)
}

// OfChanges returns the notes on several changes, each with its subject.
func (n Notes) OfChanges(changes []Change) []string { return n.ofChanges(changes, target) }

// naming is what a note names of the fact that changed.
type naming uint8

const (
	nothing naming = iota
	target
	bothEnds
)

func (n Notes) ofChanges(changes []Change, by naming) []string {
	var notes []string
	for _, c := range changes {
		note := n.noteOf(c, by)
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	if more := len(notes) - mostNotes; more > 0 {
		notes = append(notes[:mostNotes], fmt.Sprintf("%d more no longer so", more))
	}
	return notes
}

// noteOf is the note on a change, after what it names.
func (n Notes) noteOf(c Change, by naming) string {
	subject := ""
	switch {
	case by == nothing:
	case c.Fact.Target == "":
		subject = n.inNote(strings.TrimRight(c.Fact.Fact, ".!? ")) + ": "
	case by == bothEnds:
		subject = n.inNote(c.Fact.Source) + ", " + n.inNote(c.Fact.Target) + ": "
	default:
		subject = n.inNote(c.Fact.Target) + ": "
	}
	if c.TakenBack {
		return subject + n.takenBack(c)
	}
	if c.Displaced {
		return subject + "no longer believed" + n.instead(now(c), c)
	}
	if c.Opposed {
		return subject + n.otherwise(c.By, n.instead("", c))
	}
	ended := c.Fact.Valid.PhraseOfEnd()
	if !strings.HasPrefix(ended, "until ") { // a time of its own: "in 2019"
		return subject + ended
	}
	if c.Again.ID != uuid.Nil {
		again := ", again "
		if start := c.Again.Valid.Start; !start.IsZero() && start.Before(c.Fact.Valid.End) {
			again = ", also " // another fact says the same, of a time that goes on
		}
		return subject + ended + again + c.Again.When(n.Reading)
	}
	return subject + ended + n.instead(now(c), c)
}

// now introduces the fact that holds now, or the plan that came next.
func now(c Change) string {
	if len(c.Now) > 0 && c.Now[0].Valid.From.Basis == temporal.Planned {
		return ", then planned: "
	}
	return ", now "
}

func (n Notes) takenBack(c Change) string {
	note := "taken back"
	if c.CalledOff {
		note = "called off"
	}
	if len(c.Now) == 0 {
		return note
	}
	if now := c.Now[0]; now.TargetID == c.Fact.TargetID && now.SourceID == c.Fact.SourceID {
		return note + ", corrected: " + now.When(n.Reading)
	}
	return note + n.instead(", corrected: ", c)
}

// instead names the facts that hold in place of the changed one.
func (n Notes) instead(before string, c Change) string {
	var names []string
	for _, f := range c.Now[:min(len(c.Now), 2)] {
		name := f.Target
		if f.SourceID != c.Fact.SourceID || !strings.Contains(strings.ToLower(f.Told()), strings.ToLower(name)) { // or its words were corrected
			name = strings.TrimRight(f.Told(), ".!? ")
		}
		if name = n.inNote(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return before + strings.Join(names, " and ")
}

// Dates says when a fact holds or happened. For a contradicted fact it says who tells it and who
// says otherwise.
func (n Notes) Dates(h FactHit) string {
	if words := n.contradicted(h, true); len(words) > 0 {
		return strings.Join(words, "; ")
	}
	return h.When(n.Reading)
}

// Caveat is the note on a fact without its dates.
func (n Notes) Caveat(h FactHit) string {
	notes := n.OfChanges(h.Changes)
	if words := n.contradicted(h, false); len(words) > 0 {
		notes = append(words, notes...)
	} else if h.Fact.Disputed() {
		notes = append([]string{"disputed"}, notes...)
	}
	return strings.Join(notes, "; ")
}

// StillSo is the summary without the sentences that no longer hold.
func (h EntityHit) StillSo() string {
	if len(h.Over) == 0 {
		return h.Summary
	}
	var kept []string
	for _, sentence := range prose.Sentences(h.Summary) {
		said := " " + strings.Join(prose.Words(sentence), " ") + " "
		over := slices.ContainsFunc(h.Over, func(over string) bool {
			words := prose.Words(over)
			return len(words) > 0 && strings.Contains(said, " "+strings.Join(words, " ")+" ")
		})
		if !over {
			kept = append(kept, strings.TrimSpace(sentence))
		}
	}
	return strings.Join(kept, " ")
}

// ReadAt is when a result is read.
func (r Result) ReadAt() time.Time { return cmp.Or(r.AsOf, time.Now()) }
