package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Instruction is a named text for the models that read episodes.
type Instruction struct {
	Name string
	Text string
}

// Purpose is what an instruction is for.
type Purpose string

// The purposes of instructions.
const (
	PurposeGraph   Purpose = "graph"   // for reading episodes
	PurposeSummary Purpose = "summary" // for the summary of a user
)

// Scope is where instructions apply: in one group, or in all groups of a namespace.
type Scope struct {
	Namespace string // the part before the colon, as in acme:alice; may be empty if GroupID is set
	GroupID   string // empty: all of the namespace
}

// holder returns the group or namespace under which the instructions are stored.
func (t Scope) holder() string {
	if t.GroupID != "" {
		return t.GroupID
	}
	return t.Namespace
}

// Instructions lists the instructions of a group, or of a namespace itself.
func (s *Service) Instructions(ctx context.Context, t Scope, purpose Purpose) ([]Instruction, error) {
	if err := s.unbound(); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).InstructionList(ctx, db.InstructionListParams{GroupID: t.holder(), Purpose: string(purpose)})
	return listed(rows, err, func(row db.InstructionListRow) Instruction {
		return Instruction{Name: row.Name, Text: row.Words}
	}, "list the instructions of %s", t.holder())
}

// AddInstructions stores instructions and replaces those with the same names. From then on, models
// read episodes with them: all instructions together become the field Instructions in the ontology
// of each group.
func (s *Service) AddInstructions(ctx context.Context, t Scope, purpose Purpose, instructions []Instruction) error {
	return s.instruct(ctx, t, func(q *db.Queries) error { return upsert(ctx, q, t, purpose, instructions) })
}

// SetInstructions replaces all instructions.
func (s *Service) SetInstructions(ctx context.Context, t Scope, purpose Purpose, instructions []Instruction) error {
	return s.instruct(ctx, t, func(q *db.Queries) error {
		_, err := q.InstructionDelete(ctx, db.InstructionDeleteParams{GroupID: t.holder(), Purpose: string(purpose), Names: []string{}})
		if err != nil {
			return err
		}
		return upsert(ctx, q, t, purpose, instructions)
	})
}

func upsert(ctx context.Context, q *db.Queries, t Scope, purpose Purpose, instructions []Instruction) error {
	for _, i := range instructions {
		if err := i.validate(); err != nil {
			return err
		}
		err := q.InstructionUpsert(ctx, db.InstructionUpsertParams{
			GroupID: t.holder(), Purpose: string(purpose), Name: i.Name, Words: i.Text,
		})
		if err != nil {
			return err
		}
	}
	bytes, err := q.InstructionBytes(ctx, t.holder())
	if err == nil && bytes > MaxInstructions {
		return graph.Invalid("instructions", "are %d bytes long together; the limit is %d", bytes, MaxInstructions)
	}
	return err
}

// MaxInstructions is the limit in bytes on all instructions of a group together, and likewise of a
// namespace: models get both with every episode.
const MaxInstructions = graph.MaxInstructions / 2

func (i Instruction) validate() error {
	if i.Name == "" || i.Text == "" || !utf8.ValidString(i.Name) {
		return graph.Invalid("instructions", "must each have a name and a text")
	}
	if err := graph.ValidateText("instructions.name", i.Name, graph.MaxName); err != nil {
		return err
	}
	return graph.ValidateText("instructions.text", i.Text, MaxInstructions)
}

// DeleteInstructions removes instructions by their names; no names: all of them.
func (s *Service) DeleteInstructions(ctx context.Context, t Scope, purpose Purpose, names []string) error {
	return s.instruct(ctx, t, func(q *db.Queries) error {
		_, err := q.InstructionDelete(ctx, db.InstructionDeleteParams{
			GroupID: t.holder(), Purpose: string(purpose), Names: append([]string{}, names...),
		})
		return err
	})
}

func (s *Service) instruct(ctx context.Context, t Scope, change func(*db.Queries) error) error {
	if err := s.unbound(); err != nil {
		return err
	}
	if err := graph.ValidateGroupID(t.holder()); err != nil {
		return err
	}
	defer s.wrote()
	err := db.InTxBy(ctx, s.pool, func(q *db.Queries) error {
		if err := errors.Join(change(q), inherits(ctx, q)); err != nil {
			return err
		}
		_, err := q.GroupsInstruct(ctx, db.GroupsInstructParams{Namespace: t.Namespace, One: t.GroupID})
		return err
	})
	return wrapCoded(err, "change the instructions of %s", t.holder())
}

// inherits records the following statements as "inherit": groups take over the settings of their
// namespace. Whoever set them there was allowed to.
func inherits(ctx context.Context, q *db.Queries) error {
	return q.OriginSet(ctx, graph.OriginOf(ctx).Doing("inherit"))
}

// SetNamespaceOntology sets the types of a namespace. Its groups that still have the former types
// get the new ones. Later groups get them by [Service.InheritSettings].
func (s *Service) SetNamespaceOntology(ctx context.Context, namespace string, o annals.Ontology) error {
	if err := s.unbound(); err != nil {
		return err
	}
	defer s.wrote()
	former, err := s.client.Ontology(ctx, namespace)
	if err != nil {
		return err
	}
	if err := s.client.SetOntology(ctx, namespace, o); err != nil {
		return err
	}
	return s.applyOntology(ctx, Scope{Namespace: namespace}, former, o)
}

// InheritSettings gives a new group the types and instructions of its namespace.
func (s *Service) InheritSettings(ctx context.Context, namespace, groupID string) error {
	if err := s.unbound(); err != nil {
		return err
	}
	defer s.wrote(groupID)
	o, err := s.client.Ontology(ctx, namespace)
	if err != nil {
		return err
	}
	told := Scope{Namespace: namespace, GroupID: groupID}
	if err := s.applyOntology(ctx, told, annals.Ontology{}, o); err != nil {
		return err
	}
	return s.instruct(ctx, told, func(*db.Queries) error { return nil })
}

func (s *Service) applyOntology(ctx context.Context, t Scope, former, o annals.Ontology) error {
	texts := make([]json.RawMessage, 2)
	for i, ontology := range []annals.Ontology{former, o} {
		var err error
		if texts[i], err = json.Marshal(ontology); err != nil {
			return fmt.Errorf("write an ontology: %w", err)
		}
	}
	_, err := by(ctx, s, func(q *db.Queries) (int64, error) {
		if err := inherits(ctx, q); err != nil {
			return 0, err
		}
		return q.GroupsAdopt(ctx, db.GroupsAdoptParams{Namespace: t.Namespace, One: t.GroupID, Former: texts[0], Ontology: texts[1]})
	})
	if err != nil {
		return fmt.Errorf("give the groups of %s their types: %w", t.Namespace, err)
	}
	return nil
}
