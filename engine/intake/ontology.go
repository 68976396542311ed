package intake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// Ontology returns the types of a group, or the zero Ontology if it has none.
func (g *Groups) Ontology(ctx context.Context, groupID string) (graph.Ontology, error) {
	s, err := SettingsOf(ctx, db.New(g.pool), groupID)
	return s.Ontology, err
}

// Settings are the settings of a group for reading its episodes.
type Settings struct {
	Ontology graph.Ontology
	Zone     *time.Location // the zone of words such as "yesterday"
	User     string         // the name of the user whose memory it is; empty: none, or unknown
	Holds    bool           // whether the group withholds anything
}

// SettingsOf returns the settings of a group within a transaction.
func SettingsOf(ctx context.Context, q *db.Queries, groupID string) (s Settings, err error) {
	s.Zone = time.UTC
	stored, err := q.GroupOntology(ctx, groupID)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, nil
	}
	if err == nil {
		s.User, s.Holds, err = stored.UserName, stored.Holds, json.Unmarshal(stored.Ontology, &s.Ontology)
	}
	if err == nil {
		s.Zone, err = time.LoadLocation(stored.TimeZone) // "" is UTC
	}
	if err != nil {
		return s, fmt.Errorf("read the settings of %s: %w", groupID, err)
	}
	return s, nil
}

// SetOntology sets the types with which further episodes of a group are read. The existing graph
// does not change.
func (g *Groups) SetOntology(ctx context.Context, groupID string, o graph.Ontology) error {
	return g.storeOntology(ctx, groupID, o, func(q *db.Queries, text json.RawMessage) error {
		return q.GroupSetOntology(ctx, db.GroupSetOntologyParams{GroupID: groupID, Ontology: text})
	})
}

// ReplaceOntology is [Groups.SetOntology] if the group still has the old ontology.
func (g *Groups) ReplaceOntology(ctx context.Context, groupID string, old, o graph.Ontology) error {
	expected, err := json.Marshal(old)
	if err != nil {
		return fmt.Errorf("write the ontology of %s: %w", groupID, err)
	}
	return g.storeOntology(ctx, groupID, o, func(q *db.Queries, text json.RawMessage) error {
		replaced, err := q.GroupReplaceOntology(ctx, db.GroupReplaceOntologyParams{GroupID: groupID, Expected: expected, Ontology: text})
		if err == nil && replaced == 0 {
			return change.Meanwhile("the ontology")
		}
		return err
	})
}

func (g *Groups) storeOntology(ctx context.Context, groupID string, o graph.Ontology, store func(*db.Queries, json.RawMessage) error) error {
	if err := errors.Join(graph.ValidateGroupID(groupID), o.Validate()); err != nil {
		return err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("write the ontology of %s: %w", groupID, err)
	}
	err = db.InTxBy(ctx, g.pool, func(q *db.Queries) error { return store(q, text) })
	return change.Failed(change.Refused(err), "store the ontology of %s", groupID)
}
