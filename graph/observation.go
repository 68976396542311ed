package graph

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// Observation is a pattern that several facts show about an entity.
type Observation struct {
	GroupID   string
	ID        uuid.UUID
	SubjectID uuid.UUID
	Subject   string // its name
	Predicate string // the relation of those facts, in capitals: LIKES
	Text      string // one sentence
	Reader    string // "offline" if counted by rules, else the model that found it
	Proof     int    // the number of episodes and facts made by hand that show it
	Against   int    // the number that contradict it
	FirstSeen time.Time
	LastSeen  time.Time
	Valid     temporal.Interval // when it holds, from the times of its facts
	Recorded  temporal.Interval // when this version was believed
	CreatedAt time.Time
	Facts     []uuid.UUID // the facts that show it
	Episodes  []uuid.UUID // the episodes that state those facts
}

// Told returns the observation with its evidence: "Alice likes opera. (4 times,
// last on 3 May 2024)".
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

// ObservationJSON is the JSON form of an observation, the same at every door.
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

// JSON returns the JSON form of the observation.
func (o Observation) JSON() ObservationJSON {
	return ObservationJSON{
		ID: o.ID, GroupID: o.GroupID, SubjectID: o.SubjectID, Subject: o.Subject, Predicate: o.Predicate, Text: o.Text, Reader: o.Reader,
		Proof: o.Proof, Against: o.Against, FirstSeen: o.FirstSeen, LastSeen: o.LastSeen, ValidAt: orNull(o.Valid.Start), InvalidAt: orNull(o.Valid.End),
		KnownFrom: o.Recorded.Start, KnownUntil: orNull(o.Recorded.End), CreatedAt: o.CreatedAt, Facts: orEmpty(o.Facts), Episodes: orEmpty(o.Episodes),
	}
}
