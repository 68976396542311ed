package service

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
)

// The types below have one form in JSON, which the command line prints and REST sends. Their tags
// describe the fields in the documentation.

// ChangeJSON is one line of the timeline.
type ChangeJSON struct {
	At         time.Time `json:"at" doc:"Of a week, month, year … its first moment, or the last where it ended"`
	Event      string    `json:"event" enum:"began,ended,happened,planned" doc:"planned: it is to come, or was, and nobody has said that it came"`
	FactID     uuid.UUID `json:"fact_id" format:"uuid"`
	Words      string    `json:"words"`
	RecordedAt time.Time `json:"recorded_at"`
	When       string    `json:"when" doc:"What is known of the time, in words" example:"since the week of 4 March 2024"`
	Basis      string    `json:"basis" enum:"stated,planned,said,inferred,unknown" doc:"said: it held, or was over, by then"`
	Precision  string    `json:"precision" doc:"instant, day, week, month, season, year or decade"`
}

// ChangeOf returns the JSON form of a line of the timeline.
func ChangeOf(c annals.Change) ChangeJSON {
	return ChangeJSON{
		At: c.At, Event: c.Event, FactID: c.FactID, Words: c.Words, RecordedAt: c.RecordedAt,
		When: c.When(), Basis: cmp.Or(string(c.Known.Basis), "unknown"), Precision: string(c.Known.Precision),
	}
}

// TraceJSON is a decision about an episode.
type TraceJSON struct {
	Step     string     `json:"step"`
	Decision string     `json:"decision"`
	Subject  string     `json:"subject"`
	Reason   string     `json:"reason"`
	EntityID *uuid.UUID `json:"entity_id" nullable:"true" format:"uuid"`
	FactID   *uuid.UUID `json:"fact_id" nullable:"true" format:"uuid"`
}

// TraceOf returns the JSON form of a decision.
func TraceOf(e annals.TraceEntry) TraceJSON {
	return TraceJSON{e.Step, e.Decision, e.Subject, e.Reason, db.Nullable(e.EntityID), db.Nullable(e.FactID)}
}
