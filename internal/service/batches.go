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
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
)

// Batch collects episodes for several groups of a namespace until they are added.
type Batch struct {
	ID           uuid.UUID
	Metadata     json.RawMessage // a JSON object; nil: {}
	IgnoredRoles []string        // messages with these roles are stored, but not read into the graph
	Groups       []string        // the groups of its items
	Items        int             // that were ever added; Progress counts those that are left
	CreatedAt    time.Time
	UpdatedAt    time.Time
	ProcessedAt  time.Time // when its items were added; zero: not yet

	State    BatchState
	Progress Progress // its items by state; items that were not added yet count in Episodes only
}

// BatchState is the progress of a batch.
type BatchState string

// The states of a batch.
const (
	BatchDraft      BatchState = "draft"      // its items were not added yet
	BatchQueued     BatchState = "queued"     // none of its episodes was read yet
	BatchProcessing BatchState = "processing" // some of its episodes were read
	BatchSucceeded  BatchState = "succeeded"  // all were read, or none is left
	BatchFailed     BatchState = "failed"     // all failed
	BatchPartial    BatchState = "partial"    // some failed
)

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

// CreateBatch creates an empty batch in a namespace.
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

// Batch returns one batch. It fails with [annals.CodeNotFound] if there is none.
func (s *Service) Batch(ctx context.Context, namespace string, id uuid.UUID) (Batch, error) {
	if err := s.unbound(); err != nil {
		return Batch{}, err
	}
	rows, err := db.New(s.pool).BatchPage(ctx, db.BatchPageParams{GroupID: namespace, ID: &id, MaxRows: 1})
	if err != nil {
		return Batch{}, fmt.Errorf("read batch %s: %w", id, err)
	}
	if len(rows) == 0 {
		return Batch{}, noBatch(id)
	}
	return batchOf(rows[0]), nil
}

func noBatch(id uuid.UUID) error {
	return change.NotFound("batch", "there is none with the id %s", id)
}

func batchOf(row db.BatchPageRow) Batch {
	b := row.BatchRow
	return Batch{
		ID: b.ID, Metadata: b.Metadata, IgnoredRoles: b.IgnoredRoles, Groups: b.Groups, Items: int(b.Items),
		CreatedAt: b.CreatedAt.UTC(), UpdatedAt: b.UpdatedAt.UTC(), ProcessedAt: change.Value(b.ProcessedAt).UTC(), State: BatchState(row.State),
		Progress: Progress{
			Episodes: int(row.Episodes), Done: int(row.Done), Failed: int(row.Failed), Processing: int(row.Processing), Deferred: int(row.Deferred),
			ProcessedAt: row.LastAt.UTC(),
		},
	}
}

// Batches lists the batches of a namespace, the newest first. An empty state lists batches in any
// state.
func (s *Service) Batches(ctx context.Context, namespace string, state BatchState, skip, limit int) ([]Batch, error) {
	rows, err := graph.RowLimit(limit)
	if err := errors.Join(s.unbound(), err); err != nil {
		return nil, err
	}
	found, err := db.New(s.pool).BatchPage(ctx, db.BatchPageParams{GroupID: namespace, State: string(state), Skip: int32(skip), MaxRows: rows})
	return listed(found, err, batchOf, "list the batches of %s", namespace)
}

// AddToBatch adds episodes to a batch and gives them their ids. It fails with [annals.CodeConflict]
// if the batch was processed already.
func (s *Service) AddToBatch(ctx context.Context, namespace string, id uuid.UUID, episodes []annals.Episode) ([]BatchItem, error) {
	b, err := s.batchGet(ctx, namespace, id)
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
		e.Authority = graph.OriginOf(ctx).Cap // of the caller that adds it, not of the one that processes the batch
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
			return change.Conflict("batch", "was processed already; make another one")
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

// batchGet reads a batch without counting its items.
func (s *Service) batchGet(ctx context.Context, namespace string, id uuid.UUID) (db.BatchRow, error) {
	if err := s.unbound(); err != nil {
		return db.BatchRow{}, err
	}
	row, err := db.New(s.pool).BatchGet(ctx, db.BatchGetParams{GroupID: namespace, ID: id})
	return found(row, err, func(row db.BatchRow) db.BatchRow { return row }, noBatch(id), "read a batch")
}

// BatchItemList selects a page of the items of a batch.
type BatchItemList struct {
	From     int          // the place of the first item, from 0
	Limit    int          // 1 to MaxRows; zero: DefaultRows
	State    *graph.State // only items in this state; "": only items that were not added yet; nil: any
	Deferred *bool        // only items that are stored without being read, or only the others; nil: both
}

// BatchItems lists items of a batch in their order.
func (s *Service) BatchItems(ctx context.Context, namespace string, id uuid.UUID, l BatchItemList) ([]BatchItem, error) {
	rows, err := graph.RowLimit(l.Limit)
	if err != nil {
		return nil, err
	}
	items, _, err := s.batchItems(ctx, namespace, id, db.BatchItemsParams{
		FromPlace: int32(l.From), State: (*string)(l.State), Deferred: l.Deferred, MaxRows: rows,
	})
	return items, err
}

func (s *Service) batchItems(ctx context.Context, namespace string, id uuid.UUID, page db.BatchItemsParams) ([]BatchItem, map[int]annals.Episode, error) {
	if _, err := s.batchGet(ctx, namespace, id); err != nil {
		return nil, nil, err
	}
	return readItems(ctx, db.New(s.pool), namespace, id, page)
}

func readItems(ctx context.Context, q *db.Queries, namespace string, id uuid.UUID, page db.BatchItemsParams) ([]BatchItem, map[int]annals.Episode, error) {
	page.GroupID, page.ID = namespace, id
	rows, err := q.BatchItems(ctx, page)
	if err != nil {
		return nil, nil, fmt.Errorf("list the items of batch %s: %w", id, err)
	}
	items, episodes := make([]BatchItem, len(rows)), make(map[int]annals.Episode, len(rows))
	for i, row := range rows {
		var e annals.Episode
		if err := json.Unmarshal(row.Item, &e); err != nil {
			return nil, nil, fmt.Errorf("read an item of batch %s: %w", id, err)
		}
		if string(e.Metadata) == "null" {
			e.Metadata = nil
		}
		episodes[int(row.Place)] = e
		items[i] = BatchItem{
			GroupID: row.GroupID, Place: int(row.Place), EpisodeID: row.EpisodeID, Source: e.Source, ThreadID: e.ThreadID,
			State: graph.State(row.State), Deferred: row.Deferred, Error: row.Error, CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
		}
	}
	return items, episodes, nil
}

// ProcessBatch adds the episodes of a batch to their groups, in order and in one transaction, and
// returns the groups. It fails with [annals.CodeConflict] if the batch was processed before.
func (s *Service) ProcessBatch(ctx context.Context, namespace string, id uuid.UUID) ([]string, error) {
	if _, err := s.batchGet(ctx, namespace, id); err != nil {
		return nil, err
	}
	var groups []string
	already := change.Conflict("batch", "was processed already")
	err := s.closeBatch(ctx, namespace, id, already, func(tx pgx.Tx, items []BatchItem, collected map[int]annals.Episode) error {
		if len(items) == 0 {
			return graph.Invalid("batch", "has no items; add some first")
		}
		groups = groupsOf(items)
		episodes := make([]annals.Episode, len(items))
		kept := make([]db.BatchItemKeepParams, len(items))
		for i, item := range items {
			episodes[i] = collected[item.Place]
			left, err := json.Marshal(annals.Episode{Source: item.Source, ThreadID: item.ThreadID})
			if err != nil {
				return err
			}
			kept[i] = db.BatchItemKeepParams{GroupID: item.GroupID, BatchID: id, Place: int32(item.Place), Item: left}
		}
		kept, err := storeItems(ctx, tx, episodes, kept)
		if err != nil {
			return err
		}
		return db.Exec(db.New(tx).BatchItemKeep(ctx, kept)) // the episodes hold the content now
	})
	return groups, wrapCoded(err, "process batch %s", id)
}

// closeBatch marks a batch as processed, from when on it takes no more items, and does something
// with its items in the same transaction. If the batch was processed before, it returns the error
// already.
func (s *Service) closeBatch(
	ctx context.Context, namespace string, id uuid.UUID, already error, do func(tx pgx.Tx, items []BatchItem, collected map[int]annals.Episode) error,
) error {
	defer s.wrote()
	return db.Retrying(ctx, func() error {
		return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			q := db.New(tx)
			begun, err := q.BatchProcessed(ctx, db.BatchProcessedParams{GroupID: namespace, ID: id})
			if err == nil && begun == 0 {
				err = already
			}
			if err != nil {
				return err
			}
			items, collected, err := readItems(ctx, q, namespace, id, db.BatchItemsParams{MaxRows: MaxBatch})
			if err == nil {
				err = do(tx, items, collected)
			}
			if err != nil {
				return err
			}
			return q.NoteDone(ctx)
		})
	})
}

// BatchEpisodes returns the items of a batch, and their episodes by place. Once the batch was
// processed, these hold only their source and thread.
func (s *Service) BatchEpisodes(ctx context.Context, namespace string, id uuid.UUID) ([]BatchItem, map[int]annals.Episode, error) {
	return s.batchItems(ctx, namespace, id, db.BatchItemsParams{MaxRows: MaxBatch})
}

// EndBatch replaces a batch by one episode, which of makes from the items of the batch. The episode
// gets the ID of the batch, and the batch is removed. A second call fails with
// [annals.CodeNotFound].
func (s *Service) EndBatch(ctx context.Context, namespace string, id uuid.UUID, of func([]BatchItem, map[int]annals.Episode) (annals.Episode, error)) error {
	if err := s.unbound(); err != nil {
		return err
	}
	err := s.closeBatch(ctx, namespace, id, noBatch(id), func(tx pgx.Tx, items []BatchItem, collected map[int]annals.Episode) error {
		episode, err := of(items, collected)
		if err != nil {
			return err
		}
		episode.ID = id
		if _, err := intake.Store(ctx, tx, []annals.Episode{episode}); err != nil {
			return err
		}
		return deleteBatch(ctx, db.New(tx), namespace, id, true)
	})
	return wrapCoded(err, "end batch %s", id)
}

func groupsOf(items []BatchItem) (groups []string) {
	for _, item := range items {
		if !slices.Contains(groups, item.GroupID) {
			groups = append(groups, item.GroupID)
		}
	}
	return groups
}

// deleteBatch removes a batch with its items. It fails with [annals.CodeNotFound] unless the batch
// was processed, or was not, as processed says. The batch is removed first: from then on nobody
// adds items to it.
func deleteBatch(ctx context.Context, q *db.Queries, namespace string, id uuid.UUID, processed bool) error {
	groups, err := q.BatchDelete(ctx, db.BatchDeleteParams{GroupID: namespace, ID: id, Processed: processed})
	if errors.Is(err, pgx.ErrNoRows) {
		return noBatch(id)
	}
	for _, group := range groups {
		if _, err := q.BatchItemsDelete(ctx, db.BatchItemsDeleteParams{GroupID: group, BatchID: id}); err != nil {
			return err
		}
	}
	return err
}

// storeItems adds the episodes of a batch and returns the items that stay. Items whose text was
// erased leave the batch. If all were erased, it returns that as an error.
func storeItems(ctx context.Context, tx pgx.Tx, episodes []annals.Episode, items []db.BatchItemKeepParams) ([]db.BatchItemKeepParams, error) {
	added, err := addEachTx(ctx, tx, episodes, intake.Store)
	if err != nil {
		return nil, err
	}
	there := map[uuid.UUID]bool{}
	for _, e := range added.Episodes {
		there[e.ID] = true
	}
	var kept []db.BatchItemKeepParams
	for i, item := range items {
		if there[episodes[i].ID] {
			kept = append(kept, item)
			continue
		}
		gone := db.BatchItemDeleteParams{GroupID: item.GroupID, BatchID: item.BatchID, Place: item.Place}
		if err := db.New(tx).BatchItemDelete(ctx, gone); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// DeleteBatch removes a batch that was not processed, or whose episodes were all read or failed. It
// fails with [annals.CodeConflict] while they are being read. Episodes that were added stay.
func (s *Service) DeleteBatch(ctx context.Context, namespace string, id uuid.UUID) error {
	b, err := s.Batch(ctx, namespace, id)
	if err != nil {
		return err
	}
	if !b.ProcessedAt.IsZero() && !b.Progress.Ended() {
		return change.Conflict("batch", "is being read; delete it when that is done")
	}
	err = db.InTx(ctx, s.pool, func(q *db.Queries) error { return deleteBatch(ctx, q, namespace, id, !b.ProcessedAt.IsZero()) })
	return wrapCoded(err, "remove batch %s", id)
}
