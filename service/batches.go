package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
)

// Batch collects episodes for several groups of a namespace before they are
// added.
type Batch struct {
	ID           uuid.UUID
	Metadata     json.RawMessage // a JSON object; nil: {}
	IgnoredRoles []string        // whose messages are stored, but not read into the graph
	Groups       []string        // that its items are for
	Items        int
	CreatedAt    time.Time
	UpdatedAt    time.Time
	ProcessedAt  time.Time // when its items were added; zero: they were not yet
}

// BatchItem is one episode of a batch, and its state.
type BatchItem struct {
	GroupID   string
	Place     int // from 0
	EpisodeID uuid.UUID
	Source    graph.Source
	ThreadID  string
	State     graph.State // empty: it is not added yet
	Deferred  bool
	Error     string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// MaxBatch is how many items a batch may have.
const MaxBatch = 50_000

// CreateBatch begins a batch of a namespace.
func (s *Service) CreateBatch(ctx context.Context, namespace string, b Batch) (Batch, error) {
	if err := errors.Join(s.unbound(), graph.ValidateGroupID(namespace), graph.ValidateObject("metadata", b.Metadata)); err != nil {
		return Batch{}, err
	}
	if len(b.Metadata) == 0 {
		b.Metadata = json.RawMessage("{}")
	}
	b.ID = uuid.Must(uuid.NewV7())
	err := db.InTx(ctx, s.pool, func(q *db.Queries) error {
		err := q.BatchInsert(ctx, db.BatchInsertParams{
			GroupID: namespace, ID: b.ID, Metadata: b.Metadata, IgnoredRoles: append([]string{}, b.IgnoredRoles...),
		})
		if err != nil {
			return err
		}
		return q.NoteDone(ctx)
	})
	if err != nil {
		return Batch{}, fmt.Errorf("store a batch: %w", err)
	}
	return s.Batch(ctx, namespace, b.ID)
}

// Batch returns one batch, or a [annals.CodeNotFound].
func (s *Service) Batch(ctx context.Context, namespace string, id uuid.UUID) (Batch, error) {
	if err := s.unbound(); err != nil {
		return Batch{}, err
	}
	row, err := db.New(s.pool).BatchGet(ctx, db.BatchGetParams{GroupID: namespace, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return Batch{}, noBatch(id)
	}
	if err != nil {
		return Batch{}, fmt.Errorf("read batch %s: %w", id, err)
	}
	return batchOf(row), nil
}

func noBatch(id uuid.UUID) error {
	return &annals.Error{Code: annals.CodeNotFound, Field: "batch", Message: fmt.Sprintf("there is none with the id %s", id)}
}

func batchOf(row db.BatchRow) Batch {
	return Batch{
		ID: row.ID, Metadata: row.Metadata, IgnoredRoles: row.IgnoredRoles, Groups: row.Groups, Items: int(row.Items),
		CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(), ProcessedAt: orZero(row.ProcessedAt),
	}
}

// Batches lists the batches of a namespace, the newest first.
func (s *Service) Batches(ctx context.Context, namespace string, skip, limit int) ([]Batch, error) {
	rows, err := graph.RowLimit(limit)
	if err := errors.Join(s.unbound(), err); err != nil {
		return nil, err
	}
	found, err := db.New(s.pool).BatchList(ctx, db.BatchListParams{GroupID: namespace, Skip: int32(skip), MaxRows: rows})
	if err != nil {
		return nil, fmt.Errorf("list the batches of %s: %w", namespace, err)
	}
	batches := make([]Batch, len(found))
	for i, row := range found {
		batches[i] = batchOf(row)
	}
	return batches, nil
}

// AddToBatch adds episodes to a batch and gives them their ids. It fails with
// [annals.CodeConflict] where the batch was processed.
func (s *Service) AddToBatch(ctx context.Context, namespace string, id uuid.UUID, episodes []annals.Episode) ([]BatchItem, error) {
	b, err := s.Batch(ctx, namespace, id)
	if err != nil {
		return nil, err
	}
	items := make([]BatchItem, len(episodes))
	rows := make([]db.BatchItemInsertParams, len(episodes))
	var groups []string
	for i := range episodes {
		e := &episodes[i]
		if err := e.Validate(); err != nil {
			return nil, err
		}
		e.ID = uuid.Must(uuid.NewV7())
		e.Deferred = e.Deferred || e.Source == graph.SourceMessage && slices.Contains(b.IgnoredRoles, e.Role)
		item, err := json.Marshal(e)
		if err != nil {
			return nil, fmt.Errorf("write an item: %w", err)
		}
		rows[i] = db.BatchItemInsertParams{GroupID: e.GroupID, BatchID: id, EpisodeID: e.ID, Item: item}
		groups = append(groups, e.GroupID)
	}
	err = db.InTx(ctx, s.pool, func(q *db.Queries) error {
		total, err := q.BatchAdded(ctx, db.BatchAddedParams{GroupID: namespace, ID: id, Added: int32(len(rows)), Groups: groups})
		if errors.Is(err, pgx.ErrNoRows) {
			return &annals.Error{Code: annals.CodeConflict, Field: "batch", Message: "was processed already; make another one"}
		}
		if err != nil {
			return err
		}
		if total > MaxBatch {
			return graph.Invalid("items", "are %d in all; the limit is %d", total, MaxBatch)
		}
		now := time.Now().UTC()
		for i, e := range episodes {
			rows[i].Place = total - int32(len(rows)) + int32(i)
			items[i] = BatchItem{
				GroupID: e.GroupID, Place: int(rows[i].Place), EpisodeID: e.ID, Source: e.Source, ThreadID: e.ThreadID, CreatedAt: now, UpdatedAt: now,
			}
		}
		if err := db.Exec(q.BatchItemInsert(ctx, rows)); err != nil {
			return err
		}
		return q.NoteDone(ctx)
	})
	return items, wrapCoded(err, "add to batch %s", id)
}

// BatchProgress counts the items of a batch by their state. Those that were not
// added yet count as Episodes only. ProcessedAt is when the last of them
// changed. A batch that does not exist has no episodes.
func (s *Service) BatchProgress(ctx context.Context, namespace string, id uuid.UUID) (annals.Progress, error) {
	if err := s.unbound(); err != nil {
		return annals.Progress{}, err
	}
	row, err := db.New(s.pool).BatchProgress(ctx, db.BatchProgressParams{GroupID: namespace, ID: id})
	if err != nil {
		return annals.Progress{}, fmt.Errorf("ask how far batch %s has come: %w", id, err)
	}
	return annals.Progress{
		Episodes: int(row.Items), Done: int(row.Done), Failed: int(row.Failed), Processing: int(row.Processing), Deferred: int(row.Deferred),
		ProcessedAt: row.UpdatedAt.UTC(),
	}, nil
}

// BatchItems lists the items of a batch in their order.
func (s *Service) BatchItems(ctx context.Context, namespace string, id uuid.UUID) ([]BatchItem, error) {
	items, _, err := s.batchItems(ctx, namespace, id)
	return items, err
}

func (s *Service) batchItems(ctx context.Context, namespace string, id uuid.UUID) ([]BatchItem, map[int]annals.Episode, error) {
	b, err := s.Batch(ctx, namespace, id)
	if err != nil {
		return nil, nil, err
	}
	items, episodes := []BatchItem{}, map[int]annals.Episode{}
	for _, group := range b.Groups {
		rows, err := db.New(s.pool).BatchItems(ctx, db.BatchItemsParams{GroupID: group, BatchID: id})
		if err != nil {
			return nil, nil, fmt.Errorf("list the items of batch %s: %w", id, err)
		}
		for _, row := range rows {
			var e annals.Episode
			if err := json.Unmarshal(row.Item, &e); err != nil {
				return nil, nil, fmt.Errorf("read an item of batch %s: %w", id, err)
			}
			if string(e.Metadata) == "null" {
				e.Metadata = nil
			}
			episodes[int(row.Place)] = e
			items = append(items, BatchItem{
				GroupID: group, Place: int(row.Place), EpisodeID: row.EpisodeID, Source: e.Source, ThreadID: e.ThreadID,
				State: graph.State(row.State), Deferred: row.Deferred, Error: row.Error, CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
			})
		}
	}
	slices.SortFunc(items, func(a, b BatchItem) int { return a.Place - b.Place })
	return items, episodes, nil
}

// ProcessBatch adds the episodes of a batch to their groups, in order and in one
// transaction, and returns the groups. It fails with [annals.CodeConflict] where
// the batch was processed before.
func (s *Service) ProcessBatch(ctx context.Context, namespace string, id uuid.UUID) ([]string, error) {
	items, collected, err := s.batchItems(ctx, namespace, id)
	if err != nil {
		return nil, err
	}
	defer s.wrote()
	if len(items) == 0 {
		return nil, graph.Invalid("batch", "has no items; add some first")
	}
	var groups []string
	err = db.Retrying(ctx, func() error {
		groups = nil
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			q := db.New(tx)
			begun, err := q.BatchProcessed(ctx, db.BatchProcessedParams{GroupID: namespace, ID: id})
			if err != nil {
				return err
			}
			if begun == 0 {
				return &annals.Error{Code: annals.CodeConflict, Field: "batch", Message: "was processed already"}
			}
			episodes := make([]annals.Episode, len(items))
			kept := make([]db.BatchItemKeepParams, len(items))
			for i, item := range items {
				episodes[i] = collected[item.Place]
				if !slices.Contains(groups, item.GroupID) {
					groups = append(groups, item.GroupID)
				}
				left, err := json.Marshal(annals.Episode{Source: item.Source, ThreadID: item.ThreadID})
				if err != nil {
					return err
				}
				kept[i] = db.BatchItemKeepParams{GroupID: item.GroupID, BatchID: id, Place: int32(item.Place), Item: left}
			}
			if kept, err = storeItems(ctx, tx, episodes, kept); err != nil {
				return err
			}
			if err := db.Exec(q.BatchItemKeep(ctx, kept)); err != nil { // their content is in the episodes now
				return err
			}
			return q.NoteDone(ctx)
		})
	})
	return groups, wrapCoded(err, "process batch %s", id)
}

// storeItems adds the episodes of a batch. Items that were erased leave the batch;
// where all were, that is the error.
func storeItems(ctx context.Context, tx pgx.Tx, episodes []annals.Episode, items []db.BatchItemKeepParams) ([]db.BatchItemKeepParams, error) {
	store := func(some []annals.Episode) error {
		return pgx.BeginFunc(ctx, tx, func(savepoint pgx.Tx) error {
			_, err := engine.Store(ctx, savepoint, some)
			return err
		})
	}
	err := store(episodes)
	if !graph.IsErased(err) {
		return items, err
	}
	first := err
	var kept []db.BatchItemKeepParams
	for i, item := range items {
		err := store(episodes[i : i+1])
		switch {
		case err == nil:
			kept = append(kept, item)
		case !graph.IsErased(err):
			return nil, err
		default:
			gone := db.BatchItemDeleteParams{GroupID: item.GroupID, BatchID: item.BatchID, Place: item.Place}
			if err := db.New(tx).BatchItemDelete(ctx, gone); err != nil {
				return nil, err
			}
		}
	}
	if len(kept) == 0 {
		return nil, first
	}
	return kept, nil
}

// DeleteBatch removes a batch that was not processed, or whose episodes are all
// read or failed. Episodes that were added stay.
func (s *Service) DeleteBatch(ctx context.Context, namespace string, id uuid.UUID) error {
	items, err := s.BatchItems(ctx, namespace, id)
	if err != nil {
		return err
	}
	for _, item := range items {
		if item.State == graph.StatePending && !item.Deferred || item.State == graph.StateProcessing {
			return &annals.Error{Code: annals.CodeConflict, Field: "batch", Message: "is being read; delete it when that is done"}
		}
	}
	b, err := s.Batch(ctx, namespace, id)
	if err != nil {
		return err
	}
	err = db.InTx(ctx, s.pool, func(q *db.Queries) error {
		for _, group := range b.Groups {
			if _, err := q.BatchItemsDelete(ctx, db.BatchItemsDeleteParams{GroupID: group, BatchID: id}); err != nil {
				return err
			}
		}
		_, err := q.BatchDelete(ctx, db.BatchDeleteParams{GroupID: namespace, ID: id})
		return err
	})
	return wrapCoded(err, "remove batch %s", id)
}
