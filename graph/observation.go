package graph

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// Observation is what several facts together show of an entity.
type Observation struct {
	GroupID   string
	ID        uuid.UUID
	SubjectID uuid.UUID
	Subject   string // its name
	Predicate string // the relation that shows it, in capitals: LIKES
	Text      string // one sentence
	Reader    string // "offline": it was counted; else the model that saw it
	Proof     int    // episodes, and facts told by hand, that show it
	Against   int    // that speak against it
	FirstSeen time.Time
	LastSeen  time.Time
	Valid     temporal.Interval // when it holds: as the facts that show it
	Recorded  temporal.Interval // when this version was believed
	CreatedAt time.Time
	Facts     []uuid.UUID // that show it
	Episodes  []uuid.UUID // that state these
}

// Told is the observation with what it rests on, in words: "Alice likes opera. (4
// times, last on 3 May 2024)".
func (o Observation) Told() string {
	said := fmt.Sprintf("%s (%s, last on %s", o.Text, each.Count(o.Proof, "time"), o.LastSeen.UTC().Format("2 January 2006"))
	if o.Against > 0 {
		said += fmt.Sprintf("; %d against it", o.Against)
	}
	if !o.Valid.End.IsZero() {
		said += "; until " + o.Valid.End.UTC().Format("2 January 2006")
	}
	return said + ")"
}

// ObservationJSON is an observation as every interface writes it.
type ObservationJSON struct {
	ID         uuid.UUID   `json:"id"`
	GroupID    string      `json:"group_id"`
	SubjectID  uuid.UUID   `json:"subject_id"`
	Subject    string      `json:"subject"`
	Predicate  string      `json:"predicate"`
	Text       string      `json:"observation"`
	Reader     string      `json:"reader"`
	Proof      int         `json:"proof"`
	Against    int         `json:"against"`
	FirstSeen  time.Time   `json:"first_seen"`
	LastSeen   time.Time   `json:"last_seen"`
	ValidAt    *time.Time  `json:"valid_at"`
	InvalidAt  *time.Time  `json:"invalid_at"`
	KnownFrom  time.Time   `json:"known_from"`
	KnownUntil *time.Time  `json:"known_until"`
	CreatedAt  time.Time   `json:"created_at"`
	Facts      []uuid.UUID `json:"facts"`
	Episodes   []uuid.UUID `json:"episodes"`
	Score      *float64    `json:"score,omitempty"`
}

// JSON is the observation as every interface writes it.
func (o Observation) JSON() ObservationJSON {
	return ObservationJSON{
		ID: o.ID, GroupID: o.GroupID, SubjectID: o.SubjectID, Subject: o.Subject, Predicate: o.Predicate, Text: o.Text, Reader: o.Reader,
		Proof: o.Proof, Against: o.Against, FirstSeen: o.FirstSeen, LastSeen: o.LastSeen, ValidAt: orNull(o.Valid.Start), InvalidAt: orNull(o.Valid.End),
		KnownFrom: o.Recorded.Start, KnownUntil: orNull(o.Recorded.End), CreatedAt: o.CreatedAt, Facts: orEmpty(o.Facts), Episodes: orEmpty(o.Episodes),
	}
}
