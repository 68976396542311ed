package graph

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/temporal"
)

// Fact is what holds between two different entities, and when.
type Fact struct {
	GroupID    string
	ID         uuid.UUID
	SourceID   uuid.UUID
	TargetID   uuid.UUID
	Source     string // the source entity's name
	Target     string // the target entity's name
	Predicate  string // in capitals: LIVES_IN
	Fact       string // one sentence that stands on its own
	Attributes json.RawMessage

	Valid    temporal.Interval // when it held in the world
	Recorded temporal.Interval // when this version was what we believed

	CreatedAt time.Time
	ExpiredAt time.Time // when we learned that it had ended; zero: never

	// StatementID is shared by the facts that one statement gave for several
	// pairs of entities.
	StatementID uuid.UUID

	// Episodes are those that state the fact, oldest first.
	Episodes []uuid.UUID
}

// FactVersion is one state a fact was in: what we believed of it, and for how long.
type FactVersion struct {
	Fact
	Current bool // it is what we believe now

	// CausedBy are the episodes whose processing made this version, EndedBy
	// those that made the next one or withdrew the fact. None: a hand edit.
	CausedBy, EndedBy []uuid.UUID
}

// SearchText is what a fact is found by: its sentence and its relation in words,
// so that "moved to Porto" answers "where does she live". The index of words has
// the same.
func SearchText(fact, predicate string) string {
	return fact + " " + strings.ToLower(strings.ReplaceAll(predicate, "_", " "))
}
