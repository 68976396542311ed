package service

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/erase"
	"github.com/annalsdb/annals/graph"
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

// CertificateJSON counts what was erased, without any of its content.
type CertificateJSON struct {
	Scope      string          `json:"scope" enum:"group,user,episode,entity"`
	ErasedAt   time.Time       `json:"erased_at"`
	Episodes   int             `json:"episodes"`
	Removed    []erase.Removal `json:"removed" doc:"Rows by table"`
	Edited     []erase.Removal `json:"edited" doc:"Rows that stay without what they said of it, by table"`
	Emptied    int             `json:"model_calls_emptied" doc:"Entries of the ledger of which only the cost is left"`
	Tombstones []string        `json:"tombstones" doc:"Keyed hashes by which it is refused when it comes again"`
	Sentences  []string        `json:"sentences" doc:"Likewise, of the sentences of episodes, each as hash:beginning:length"`
	Key        string          `json:"key" doc:"Names the key of the hashes"`
	EpisodeIDs []uuid.UUID     `json:"episode_ids" doc:"Of the episodes, by which copies and backups are known"`

	Copies []*CertificateJSON `json:"copies,omitempty" doc:"Of the groups that were cloned or imported from it"`
}

// CertificateOf returns the JSON form of a certificate. Its lists are never null.
func CertificateOf(c annals.Certificate) *CertificateJSON {
	var copies []*CertificateJSON
	for _, one := range c.Copies {
		copies = append(copies, CertificateOf(one))
	}
	return &CertificateJSON{
		Sentences: append([]string{}, c.Sentences...), Key: c.Key, EpisodeIDs: append([]uuid.UUID{}, c.EpisodeIDs...), Copies: copies,
		Scope: c.Scope, ErasedAt: c.ErasedAt, Episodes: c.Episodes, Removed: append([]erase.Removal{}, c.Removed...),
		Edited: append([]erase.Removal{}, c.Edited...), Emptied: c.Emptied, Tombstones: append([]string{}, c.Tombstones...),
	}
}

// Certificate returns the certificate with the fields that [Service.EraseAgain] needs.
func (c *CertificateJSON) Certificate() annals.Certificate {
	return annals.Certificate{
		Scope: c.Scope, ErasedAt: c.ErasedAt, Episodes: c.Episodes, Tombstones: c.Tombstones, Sentences: c.Sentences, Key: c.Key,
		EpisodeIDs: c.EpisodeIDs,
	}
}

// RejectionJSON is the JSON form of a rejected fact.
type RejectionJSON struct {
	ID         uuid.UUID       `json:"id" format:"uuid"`
	FactID     uuid.UUID       `json:"fact_id" format:"uuid" doc:"The id that the fact had"`
	Fact       string          `json:"fact" doc:"The sentence, as it was written"`
	Told       string          `json:"told" doc:"The sentence for a reader of any later day, with dates in the place of words such as last week"`
	Predicate  string          `json:"predicate"`
	EpisodeID  *uuid.UUID      `json:"episode_id,omitempty" format:"uuid" doc:"The episode that took it back; left out: it was withdrawn by hand"`
	RejectedAt time.Time       `json:"rejected_at"`
	Door       string          `json:"door" doc:"The way it was rejected: cli, rest, mcp, …"`
	WrittenBy  string          `json:"written_by,omitempty" doc:"The key or role that rejected it"`
	Authority  graph.Authority `json:"authority" enum:"assistant,document,user,person" doc:"With whose word"`
	LiftedAt   *time.Time      `json:"lifted_at,omitempty" doc:"When it was readmitted; left out: it stays rejected"`
	LiftedBy   string          `json:"lifted_by,omitempty"`
}

// RejectionOf returns the JSON form of a rejected fact.
func RejectionOf(r Rejection) RejectionJSON {
	return RejectionJSON{
		ID: r.ID, FactID: r.FactID, Fact: r.Fact, Told: r.Told, Predicate: r.Predicate, EpisodeID: db.Nullable(r.EpisodeID), RejectedAt: r.RejectedAt,
		Door: r.Door, WrittenBy: r.WrittenBy, Authority: r.Authority, LiftedAt: db.Nullable(r.LiftedAt), LiftedBy: r.LiftedBy,
	}
}
