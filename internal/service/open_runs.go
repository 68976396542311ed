package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
)

// OpenRun is a run that is not over. It waits as a draft of a batch does: no search finds
// it, and no skill is learned from it.
type OpenRun struct {
	ID        uuid.UUID       `json:"-"` // of the episode that it becomes
	Task      string          `json:"task"`
	Name      string          `json:"name,omitempty"`     // the application's own; one that is open has it
	Metadata  json.RawMessage `json:"metadata,omitempty"` // a JSON object
	Notes     []RunNote       `json:"-"`                  // of what was done, in order; [Service.RunNotes] and [Service.EndRun] read them
	CreatedAt time.Time       `json:"-"`
	UpdatedAt time.Time       `json:"-"`
}

// RunNote is one thing that was noted of a run.
type RunNote struct {
	Place int             `json:"-"`              // from 1
	Name  string          `json:"name,omitempty"` // the application's own; one of the run has it
	Note  json.RawMessage `json:"note"`           // a JSON object
	At    time.Time       `json:"-"`
}

// The bounds of runs that are not over.
const (
	MaxOpenRuns = 1000 // of a group
	MaxRunNotes = graph.MaxRunSteps
)

// BeginRun begins a run. One with the same name that is open is returned as it is, if
// it says the same.
func (s *Service) BeginRun(ctx context.Context, groupID string, begun OpenRun) (run OpenRun, err error) {
	about, err := json.Marshal(begun)
	if err := errors.Join(err, graph.ValidateObject("metadata", begun.Metadata), graph.ValidateObject("objective", about)); err != nil {
		return run, err
	}
	err = s.client.InGroup(ctx, groupID, func(tx pgx.Tx) error {
		q := db.New(tx)
		if err := errors.Join(q.RunSpansLock(ctx, groupID), intake.EnsureGroup(ctx, q, groupID)); err != nil {
			return err
		}
		open, err := openRuns(ctx, q, groupID)
		if err != nil {
			return err
		}
		for _, known := range open {
			if known.Name == begun.Name && begun.Name != "" {
				run = known
				return sameAs(known.Says(begun), "trace", begun.Name)
			}
		}
		if len(open) >= MaxOpenRuns {
			return conflict("trace", "is one too many: %d of the group are open; close or delete some first", MaxOpenRuns)
		}
		id := uuid.Must(uuid.NewV7())
		if err := q.BatchInsert(ctx, db.BatchInsertParams{GroupID: groupID, ID: id, Metadata: about, IgnoredRoles: []string{}}); err != nil {
			return err
		}
		if run, err = openRun(ctx, q, groupID, id); err != nil {
			return err
		}
		return q.NoteDone(ctx)
	})
	return run, wrapCoded(err, "begin a run in %s", groupID)
}

// Says reports whether a run was begun with the same words as another.
func (r OpenRun) Says(other OpenRun) bool {
	return r.Task == other.Task && sameJSON(r.Metadata, other.Metadata)
}

// sameAs refuses what has the name of something that says something else.
func sameAs(same bool, what, name string) error {
	if same {
		return nil
	}
	return conflict(what, "there is one called %q already, which says something else", name)
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	_, _ = json.Unmarshal(a, &x), json.Unmarshal(b, &y) // nothing is nil
	return reflect.DeepEqual(x, y)
}

// OpenRuns lists the runs of a group that are not over, the newest first.
func (s *Service) OpenRuns(ctx context.Context, groupID string) ([]OpenRun, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	open, err := openRuns(ctx, db.New(s.pool), groupID)
	return open, wrapCoded(err, "list the open runs of %s", groupID)
}

func openRuns(ctx context.Context, q *db.Queries, groupID string) (open []OpenRun, _ error) {
	rows, err := q.BatchPage(ctx, db.BatchPageParams{GroupID: groupID, State: string(BatchDraft), MaxRows: MaxOpenRuns})
	for _, row := range rows {
		if run := openRunOf(row.BatchRow); run.Task != "" {
			open = append(open, run)
		}
	}
	return open, err
}

// openRunOf reads a run. Without a task the row is a batch, or the run's words were erased.
func openRunOf(row db.BatchRow) (run OpenRun) {
	if json.Unmarshal(row.Metadata, &run) != nil || row.ProcessedAt != nil {
		return OpenRun{}
	}
	run.ID, run.CreatedAt, run.UpdatedAt = row.ID, row.CreatedAt.UTC(), row.UpdatedAt.UTC()
	return run
}

// OpenRun reads a run that is not over, or fails with [annals.CodeNotFound].
func (s *Service) OpenRun(ctx context.Context, groupID string, id uuid.UUID) (OpenRun, error) {
	if err := s.admit(groupID); err != nil {
		return OpenRun{}, err
	}
	run, err := openRun(ctx, db.New(s.pool), groupID, id)
	return run, wrapCoded(err, "read the open run %s", id)
}

func openRun(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) (run OpenRun, _ error) {
	row, err := q.BatchGet(ctx, db.BatchGetParams{GroupID: groupID, ID: id})
	if err == nil {
		run = openRunOf(row)
	}
	if errors.Is(err, pgx.ErrNoRows) || err == nil && run.Task == "" {
		return run, absent("trace", "no run %s is open", id)
	}
	return run, err
}

// RunNotes lists what was noted of a run that is not over, in order.
func (s *Service) RunNotes(ctx context.Context, groupID string, id uuid.UUID) ([]RunNote, error) {
	if _, err := s.OpenRun(ctx, groupID, id); err != nil {
		return nil, err
	}
	notes, err := runNotes(ctx, db.New(s.pool), groupID, id, 1, MaxRunNotes)
	return notes, wrapCoded(err, "read the notes of the open run %s", id)
}

// runNotes lists so many notes from a place on.
func runNotes(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID, from, limit int) (notes []RunNote, _ error) {
	items, err := q.BatchItems(ctx, db.BatchItemsParams{GroupID: groupID, ID: id, FromPlace: int32(from), MaxRows: int32(limit)})
	for _, item := range items {
		var note RunNote
		if err := json.Unmarshal(item.Item, &note); err != nil {
			return nil, err
		}
		note.Place, note.At = int(item.Place), item.CreatedAt.UTC()
		notes = append(notes, note)
	}
	return notes, err
}

// changingRun does something to a run while nobody else changes it. It says how many
// notes it ever had.
func (s *Service) changingRun(ctx context.Context, groupID string, id uuid.UUID, do func(pgx.Tx, *db.Queries, OpenRun, int32) error) error {
	err := s.client.InGroup(ctx, groupID, func(tx pgx.Tx) error {
		q := db.New(tx)
		count, err := q.BatchAdded(ctx, db.BatchAddedParams{GroupID: groupID, ID: id, Groups: []string{groupID}})
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		run, err := openRun(ctx, q, groupID, id)
		if err != nil {
			return err
		}
		if err := do(tx, q, run, count); err != nil {
			return err
		}
		return q.NoteDone(ctx)
	})
	return wrapCoded(err, "change the open run %s", id)
}

// NoteInRun adds a note to a run. One with the same name is returned as it is, if it says
// the same. A place other than 0 must be the next.
func (s *Service) NoteInRun(ctx context.Context, groupID string, id uuid.UUID, note RunNote) (added RunNote, err error) {
	text, err := json.Marshal(note)
	if err := errors.Join(err, graph.ValidateObject("content", text)); err != nil {
		return added, err
	}
	err = s.changingRun(ctx, groupID, id, func(_ pgx.Tx, q *db.Queries, _ OpenRun, count int32) error {
		known, err := sameNote(ctx, q, groupID, id, note)
		if err != nil {
			return err
		}
		if known != nil {
			added = *known
			return nil
		}
		switch {
		case note.Place != 0 && note.Place != int(count)+1:
			return conflict("sequence", "is %d; the next is %d", note.Place, count+1)
		case count >= MaxRunNotes:
			return graph.Invalid("content", "is one event too many; a trace has %d at most", MaxRunNotes)
		}
		if count, err = q.BatchAdded(ctx, db.BatchAddedParams{GroupID: groupID, ID: id, Added: 1, Groups: []string{groupID}}); err != nil {
			return err
		}
		err = db.Exec(q.BatchItemInsert(ctx, []db.BatchItemInsertParams{{GroupID: groupID, BatchID: id, Place: count, EpisodeID: id, Item: text}}))
		if err != nil {
			return err
		}
		stored, err := runNotes(ctx, q, groupID, id, int(count), 1)
		if err == nil {
			added = stored[0]
		}
		return err
	})
	return added, err
}

// sameNote finds the note with the place or the name of one to add, which must say the
// same; nil: there is none.
func sameNote(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID, note RunNote) (*RunNote, error) {
	from, limit := 1, MaxRunNotes
	switch {
	case note.Name == "" && note.Place == 0:
		return nil, nil
	case note.Name == "":
		from, limit = note.Place, 1
	}
	notes, err := runNotes(ctx, q, groupID, id, from, limit)
	if err != nil {
		return nil, err
	}
	for _, known := range notes {
		if known.Place == note.Place || known.Name == note.Name && note.Name != "" {
			same := known.Name == note.Name && sameJSON(known.Note, note.Note) && (note.Place == 0 || known.Place == note.Place)
			return &known, sameAs(same, "event", cmp.Or(note.Name, strconv.Itoa(note.Place)))
		}
	}
	return nil, nil
}

// EndRun ends a run: it is stored as the episode that is made of it, which gets its ID. It
// happens once.
func (s *Service) EndRun(ctx context.Context, groupID string, id uuid.UUID, of func(OpenRun, int) (annals.Episode, error)) (ended annals.Episode, err error) {
	err = s.changingRun(ctx, groupID, id, func(tx pgx.Tx, q *db.Queries, run OpenRun, count int32) (err error) {
		if run.Notes, err = runNotes(ctx, q, groupID, id, 1, MaxRunNotes); err != nil {
			return err
		}
		if ended, err = of(run, int(count)); err != nil {
			return err
		}
		ended.ID = id
		if _, err := s.AddAllTx(ctx, tx, []annals.Episode{ended}); err != nil {
			return err
		}
		return forgetRun(ctx, q, groupID, id)
	})
	return ended, err
}

// DropRun removes a run that is not over.
func (s *Service) DropRun(ctx context.Context, groupID string, id uuid.UUID) error {
	return s.changingRun(ctx, groupID, id, func(_ pgx.Tx, q *db.Queries, _ OpenRun, _ int32) error { return forgetRun(ctx, q, groupID, id) })
}

func forgetRun(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) error {
	_, err1 := q.BatchItemsDelete(ctx, db.BatchItemsDeleteParams{GroupID: groupID, BatchID: id})
	_, err2 := q.BatchDelete(ctx, db.BatchDeleteParams{GroupID: groupID, ID: id})
	return errors.Join(err1, err2)
}
