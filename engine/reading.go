package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/temporal"
)

// reading is the stored result of extraction from one episode. Names and statements keep their
// place in the draft, so that the readings of a window make one draft again.
type reading struct {
	Names      []readName      `json:"names"`
	Statements []readStatement `json:"statements"`
	TakesBack  bool            `json:"takes_back,omitempty"`
}

type readName struct {
	Place      int             `json:"place"`
	Name       string          `json:"name"`
	Label      string          `json:"label,omitempty"`
	Aliases    []string        `json:"aliases,omitempty"`
	Plain      bool            `json:"plain,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Mentioned  bool            `json:"mentioned"` // by this episode; false: only an end of its statements
}

type readStatement struct {
	Place      int             `json:"place"`
	Source     int             `json:"source"` // places of names
	Target     int             `json:"target"`
	Predicate  string          `json:"predicate"`
	Fact       string          `json:"fact"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Ends       bool            `json:"ends,omitempty"`
	Kind       graph.FactKind  `json:"kind"`
	Start      time.Time       `json:"start,omitzero"`
	End        time.Time       `json:"end,omitzero"`
	From       temporal.Bound  `json:"from,omitzero"`
	Until      temporal.Bound  `json:"until,omitzero"`
	Said       time.Time       `json:"said"`
	ID         uuid.UUID       `json:"id"`
}

func (d *draft) readingOf(episode int) reading {
	r := reading{Names: []readName{}, Statements: []readStatement{}, TakesBack: d.takesBack}
	ends := map[int]bool{}
	for place, s := range d.statements {
		if s.episode != episode {
			continue
		}
		ends[s.source], ends[s.target] = true, true
		r.Statements = append(r.Statements, readStatement{
			Place: place, Source: s.source, Target: s.target, Predicate: s.predicate, Fact: s.fact, Attributes: s.attributes, Ends: s.ends,
			Kind: s.kind, Start: s.claimed.Start, End: s.claimed.End, From: s.claimed.From, Until: s.claimed.Until,
			Said: s.said, ID: s.id,
		})
	}
	for place, n := range d.names {
		mentioned := slices.Contains(n.episodes, episode)
		if mentioned || ends[place] {
			r.Names = append(r.Names, readName{
				Place: place, Name: cmp.Or(n.read, n.Name), Label: n.Label, Aliases: n.aliases, Plain: n.plain, Attributes: n.Attributes, Mentioned: mentioned,
			})
		}
	}
	return r
}

// load fills the draft with the stored readings of its episodes.
func (d *draft) load(readings []reading) {
	names := map[int]*extractedName{}
	statements := map[int]statement{}
	for episode, r := range readings {
		d.takesBack = d.takesBack || r.TakesBack
		for _, n := range r.Names {
			if names[n.Place] == nil {
				names[n.Place] = &extractedName{Name: n.Name, Label: n.Label, aliases: n.Aliases, plain: n.Plain, Attributes: n.Attributes}
			}
			if n.Mentioned {
				names[n.Place].episodes = append(names[n.Place].episodes, episode)
			}
		}
		for _, s := range r.Statements {
			statements[s.Place] = s.statement(episode)
		}
	}
	places := map[int]int{} // new places by old
	for _, place := range slices.Sorted(maps.Keys(names)) {
		places[place] = len(d.names)
		d.names = append(d.names, *names[place])
	}
	for _, place := range slices.Sorted(maps.Keys(statements)) {
		s := statements[place]
		s.source, s.target = places[s.source], places[s.target]
		d.statements = append(d.statements, s)
	}
}

func (s readStatement) statement(episode int) statement {
	claimed := temporal.Validity{Interval: temporal.Interval{Start: s.Start.UTC(), End: s.End.UTC()}, From: s.From, Until: s.Until}
	return statement{
		source: s.Source, target: s.Target, predicate: s.Predicate, fact: s.Fact, attributes: s.Attributes, ends: s.Ends,
		kind: s.Kind, claimed: claimed, said: s.Said, episode: episode, id: s.ID,
	}
}

func (w *walk) writeReadings(ctx context.Context, t *change.Tx, d *draft) error {
	rows := make([]db.ReadingUpsertParams, len(d.episodes))
	for i, episode := range d.episodes {
		text, err := json.Marshal(d.readingOf(i))
		if err != nil {
			return fmt.Errorf("write down what was read in episode %s: %w", episode.ID, err)
		}
		rows[i] = db.ReadingUpsertParams{GroupID: d.groupID, EpisodeID: episode.ID, Reader: cmp.Or(d.reader, w.analyst.Name()), Reading: text}
	}
	return db.Exec(t.Queries.ReadingUpsert(ctx, rows))
}

// Replay places episodes by their stored readings. It reads an episode again if it has none.
func (w *walk) Replay(ctx context.Context, tx pgx.Tx, window undo.Window) error {
	inside := *w
	inside.store, inside.options.Communities, inside.approved, inside.cameAt = tx, false, window.Approved, window.CameAt
	d := &draft{groupID: window.Episodes[0].GroupID, episodes: window.Episodes, reader: window.Reader}
	readings := make([]reading, len(window.Episodes))
	for i, text := range window.Readings {
		known, err := readingIn(text)
		if err != nil {
			return fmt.Errorf("read what was found in it: %w", err)
		}
		if known == nil {
			_, err := inside.ingest(ctx, d.episodes)
			return err
		}
		readings[i] = *known
		d.read = append(d.read, readNotes(i, window.Traces[i])...)
	}
	ctx = model.WithSubject(ctx, model.Subject{GroupID: d.groupID, EpisodeID: subjectOf(d.episodes)})
	if err := inside.prepare(ctx, d); err != nil {
		return err
	}
	d.load(readings)
	for _, step := range []func(context.Context, *draft) error{inside.embedNames, inside.embedFacts, inside.settle} {
		if err := step(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// readingIn decodes a stored reading; nil if there is none.
func readingIn(text json.RawMessage) (*reading, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var r *reading
	err := json.Unmarshal(text, &r)
	return r, err
}

func readNotes(episode int, trace []db.TracesOfRow) []note {
	var notes []note
	for _, row := range trace {
		if slices.Contains(readSteps, row.Step) {
			notes = append(notes, note{episodes: []int{episode}, step: row.Step, decision: row.Decision, subject: row.Subject, reason: row.Reason})
		}
	}
	return notes
}

// writeApprovals makes the approved facts of a rehearsal believed within it, so that later episodes
// meet them as before.
func writeApprovals(ctx context.Context, t *change.Tx, d *draft) error {
	ids := []uuid.UUID{} // nil would weigh all facts
	var errs []error
	for _, f := range d.facts {
		if a := d.approval(f); a != nil && f.duplicateOf == nil {
			ids = append(ids, f.id)
			errs = append(errs, t.Queries.ApprovalRehearse(ctx, db.ApprovalRehearseParams{GroupID: d.groupID, ID: f.id, At: a.At, Authority: a.Authority}))
		}
	}
	return errors.Join(append(errs, t.Weigh(ctx, ids))...)
}

// approval returns the approval of a new fact that is placed again; nil: none.
func (d *draft) approval(f *newFact) *db.ApprovedOfRow {
	for i, a := range d.approved {
		if a.EpisodeID == d.episodes[f.episode].ID && a.Predicate == f.predicate && a.Fact == f.fact {
			return &d.approved[i]
		}
	}
	return nil
}
