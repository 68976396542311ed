package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/model"
)

// Replay places episodes by what was read in them, or reads them again where that is not
// known or would be different now.
func (w *walk) Replay(ctx context.Context, tx pgx.Tx, window undo.Window) error {
	inside := *w
	inside.store, inside.options.Communities = tx, false
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

// readingIn is a reading as it was kept; nil: it was not.
func readingIn(text json.RawMessage) (*reading, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var r *reading
	err := json.Unmarshal(text, &r)
	return r, err
}

// readNotes is the part of a trace that tells how the episode was read.
func readNotes(episode int, trace []db.TracesOfRow) []note {
	var notes []note
	for _, row := range trace {
		if slices.Contains(readSteps, row.Step) {
			notes = append(notes, note{episodes: []int{episode}, step: row.Step, decision: row.Decision, subject: row.Subject, reason: row.Reason})
		}
	}
	return notes
}
