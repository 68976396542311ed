package retrieval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/fence"
)

// A note says what a line may not be believed without: when a fact holds, and what
// became of what somebody said. It stands in parentheses at the beginning of its line,
// where nothing stored ever stands: names lose what a line is made of, and everything
// else comes after a name or a note. What is written like a note within a text gets other
// brackets.

// noted is a line with its notes before it.
func noted(text string, notes ...string) string { return fence.Noted(text, notes...) }

// plainName is a name that cannot be read as the beginning of a line of its own.
func plainName(name string) string { return fence.Plain(name) }

// inNote is a text as it may stand in a note: it cannot end the note or begin another.
func (w wording) inNote(text string) string { return strings.ReplaceAll(w.Name(text), ";", ",") }

// said is a stored text, safe to stand in a line, in which nothing is written like a note.
func (w wording) said(text string) string { return w.Said(text) }

func unlikeNotes(text string) string { return fence.WithoutNotes(text) }

const (
	mostNotes      = 3  // of what an episode says
	shortStatement = 10 // words: it says one thing, which need not be named
)

// notesOf says what became of what an episode says, as it is known at a time of reading,
// and of a text that begins like a message whose words they are not.
func (w wording) notesOf(h EpisodeHit) []string {
	var notes []string
	if h.Speaker() == "" && h.Source != graph.SourceMessage && fence.LikeTurn(squeeze(h.Content)) {
		notes = append(notes, "no speaker")
	}
	if note := graph.TakenBackNote(h.TakenBack); len(h.Changes) == 0 && note != "" {
		return append(notes, note)
	}
	short := len(strings.Fields(h.Content)) <= shortStatement && len(sentencesOf(h.Content)) < 2
	return append(notes, w.changeNotes(h.Changes, short)...)
}

// changeNotes says what became of several things, or of the one thing that is said.
func (w wording) changeNotes(changes []Change, short bool) []string {
	var notes []string
	for _, c := range changes {
		note := w.noteOf(c, !short || len(changes) > 1)
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	if more := len(notes) - mostNotes; more > 0 {
		notes = append(notes[:mostNotes], fmt.Sprintf("%d more no longer so", more))
	}
	return notes
}

// noteOf says what became of one thing; named says of which, where an episode says
// several.
func (w wording) noteOf(c Change, named bool) string {
	subject := ""
	if named {
		if subject = c.Fact.Target; subject == "" {
			subject = strings.TrimRight(c.Fact.Fact, ".!? ")
		}
		subject = w.inNote(subject) + ": "
	}
	if c.TakenBack {
		return subject + w.takenBack(c)
	}
	if c.Displaced {
		return subject + "no longer believed" + w.instead(", now ", c)
	}
	if c.Opposed {
		return subject + w.otherwise(c.By, w.instead("", c))
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
		return subject + ended + again + c.Again.When(w.reading)
	}
	return subject + ended + w.instead(", now ", c)
}

func (w wording) takenBack(c Change) string {
	note := "taken back"
	if c.CalledOff {
		note = "called off"
	}
	if len(c.Now) == 0 {
		return note
	}
	if now := c.Now[0]; now.TargetID == c.Fact.TargetID && now.SourceID == c.Fact.SourceID {
		return note + ", corrected: " + now.When(w.reading)
	}
	return note + w.instead(", corrected: ", c)
}

// instead names what holds in the place of something.
func (w wording) instead(before string, c Change) string {
	var names []string
	for _, f := range c.Now[:min(len(c.Now), 2)] {
		name := f.Target
		if f.SourceID != c.Fact.SourceID {
			name = strings.TrimRight(f.Told(), ".!? ")
		}
		if name = w.inNote(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return before + strings.Join(names, " and ")
}

// dates says when a fact holds or happened, and of one that another contradicts who says
// so, and who otherwise.
func (w wording) dates(h FactHit) string {
	if words := w.contradicted(h, true); len(words) > 0 {
		return strings.Join(words, "; ")
	}
	return h.When(w.reading)
}

// stillSo leaves out the sentences of a summary that tell what an entity is no longer.
func stillSo(h EntityHit) string {
	if len(h.Over) == 0 {
		return h.Summary
	}
	var kept []string
	for _, sentence := range sentencesOf(h.Summary) {
		said := " " + strings.Join(wordsIn(sentence), " ") + " "
		over := slices.ContainsFunc(h.Over, func(over string) bool {
			words := wordsIn(over)
			return len(words) > 0 && strings.Contains(said, " "+strings.Join(words, " ")+" ")
		})
		if !over {
			kept = append(kept, strings.TrimSpace(sentence))
		}
	}
	return strings.Join(kept, " ")
}

// readAt is when a result is read.
func (r Result) readAt() time.Time { return cmp.Or(r.AsOf, time.Now()) }
