package service

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
)

// Within limits a call to the groups of one application: to a namespace, to listed groups, or to
// both. The zero value allows all groups.
type Within struct {
	Namespace string   // the part before the colon, as in acme:alice; empty: any
	Among     []string // only these and those of these namespaces, written acme:*; nil: all
}

// Page selects a page of a list over many groups.
type Page struct {
	Within
	Search    string // a part of a name, id, address or description; empty: all
	OrderBy   string // each method says which orders it has; empty: created_at
	Ascending bool
	Skip      int
	Limit     int // 1 to MaxRows; zero: DefaultRows
}

// pageOf returns the rows of a page and the number of rows on all pages. Each row carries that
// number. A page behind the last row is empty, so pageOf then reads it from the first row.
func pageOf[Row, Out any](s *Service, p Page, doing string, read func(p Page, limit int32) ([]Row, error), of func(Row) (Out, int64)) ([]Out, int, error) {
	if err := s.unbound(); err != nil {
		return nil, 0, err
	}
	if p.Skip < 0 || p.Skip > 1<<30 {
		return nil, 0, graph.Invalid("page", "is out of range")
	}
	limit, err := graph.RowLimit(p.Limit)
	if err != nil {
		return nil, 0, err
	}
	var total int
	rows, err := read(p, limit)
	out, err := listed(rows, err, func(row Row) Out {
		shown, all := of(row)
		total = int(all)
		return shown
	}, "%s", doing)
	if err == nil && len(rows) == 0 && p.Skip > 0 {
		p.Skip, p.Limit = 0, 1
		_, total, err = pageOf(s, p, doing, read, of)
	}
	return out, total, err
}

// ThreadPlace is a thread and its group.
type ThreadPlace struct {
	GroupID   string
	ID        string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Users lists users, the newest first, and returns their number on all pages. They can also be
// ordered by user_id and email.
func (s *Service) Users(ctx context.Context, p Page) ([]User, int, error) {
	read := func(p Page, limit int32) ([]db.UsersWithinRow, error) {
		return db.New(s.pool).UsersWithin(ctx, db.UsersWithinParams{
			Namespace: p.Namespace, Among: p.Among, Search: p.Search, SkipPrefix: p.prefix(), OrderBy: p.OrderBy, Ascending: p.Ascending,
			Skip: int32(p.Skip), MaxRows: limit,
		})
	}
	return pageOf(s, p, "list users", read, func(row db.UsersWithinRow) (User, int64) { return userOf(row.UserRow), row.Total })
}

// Graphs lists the groups that belong to no user, the newest first, and returns their number on all
// pages. They can also be ordered by graph_id and name.
func (s *Service) Graphs(ctx context.Context, p Page) ([]annals.Group, int, error) {
	read := func(p Page, limit int32) ([]db.GraphsWithinRow, error) {
		return db.New(s.pool).GraphsWithin(ctx, db.GraphsWithinParams{
			Namespace: p.Namespace, Among: p.Among, Search: p.Search, SkipPrefix: p.prefix(), OrderBy: p.OrderBy, Ascending: p.Ascending,
			Skip: int32(p.Skip), MaxRows: limit,
		})
	}
	return pageOf(s, p, "list graphs", read, func(row db.GraphsWithinRow) (annals.Group, int64) {
		g := row.GroupRow
		return annals.Group{
			ID: g.GroupID, Kind: g.Kind, Name: g.Name, Description: g.Description, TimeZone: g.TimeZone,
			CreatedAt: g.CreatedAt.UTC(), UpdatedAt: g.UpdatedAt.UTC(),
		}, row.Total
	})
}

// ThreadsWithin lists threads that were created explicitly, the newest first, and returns their
// number on all pages. They can also be ordered by updated_at, user_id and thread_id.
func (s *Service) ThreadsWithin(ctx context.Context, p Page) ([]ThreadPlace, int, error) {
	read := func(p Page, limit int32) ([]db.ThreadsWithinRow, error) {
		return db.New(s.pool).ThreadsWithin(ctx, db.ThreadsWithinParams{
			Namespace: p.Namespace, Among: p.Among, OrderBy: p.OrderBy, Ascending: p.Ascending, Skip: int32(p.Skip), MaxRows: limit,
		})
	}
	return pageOf(s, p, "list threads", read, func(row db.ThreadsWithinRow) (ThreadPlace, int64) {
		return ThreadPlace{GroupID: row.GroupID, ID: row.ID, CreatedAt: row.CreatedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC()}, row.Total
	})
}

// CreateThreadWithin creates a thread as [annals.Client.CreateThread] does. It also fails with
// [annals.CodeConflict] if another group in w has a thread with that id.
func (s *Service) CreateThreadWithin(ctx context.Context, w Within, t annals.NewThread) (annals.Thread, error) {
	if err := s.unbound(); err != nil {
		return annals.Thread{}, err
	}
	if _, err := s.client.Group(ctx, t.GroupID); err != nil {
		return annals.Thread{}, err
	}
	if err := t.Validate(); err != nil {
		return annals.Thread{}, err
	}
	defer s.wrote(t.GroupID)
	// Use only this connection: if all callers waited here for a second one, the pool would
	// deadlock.
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		q := db.New(tx)
		if err := q.ThreadNameLock(ctx, db.ThreadNameLockParams{Namespace: w.Namespace, ID: t.ID}); err != nil {
			return fmt.Errorf("make thread %q: %w", t.ID, err)
		}
		groups, err := q.GroupsOfThread(ctx, db.GroupsOfThreadParams{ID: t.ID, Namespace: w.Namespace, Among: w.Among})
		if err != nil {
			return fmt.Errorf("find thread %q: %w", t.ID, err)
		}
		made := false
		if len(groups) == 0 {
			made, err = intake.CreateThread(ctx, tx, t.GroupID, t.ID, t.Metadata)
		}
		if err != nil || made {
			return err
		}
		return change.Conflict("thread_id", "there is a thread %q already", t.ID)
	})
	if err != nil {
		return annals.Thread{}, err
	}
	return s.engine.Thread(ctx, t.GroupID, t.ID)
}

// GroupOfThread returns the group of a thread that was created explicitly; empty: there is none. It
// fails with [annals.CodeConflict] if several groups have one.
func (s *Service) GroupOfThread(ctx context.Context, w Within, threadID string) (string, error) {
	if err := s.unbound(); err != nil {
		return "", err
	}
	groups, err := db.New(s.pool).GroupsOfThread(ctx, db.GroupsOfThreadParams{ID: threadID, Namespace: w.Namespace, Among: w.Among})
	if err != nil {
		return "", fmt.Errorf("find thread %q: %w", threadID, err)
	}
	return only(groups, "thread "+threadID)
}

// GroupOf returns the group of an episode, an entity or a fact; empty: there is none. It searches
// each group, which takes about a second for a hundred thousand groups.
func (s *Service) GroupOf(ctx context.Context, w Within, kind graph.Kind, id uuid.UUID) (string, error) {
	if err := s.unbound(); err != nil {
		return "", err
	}
	groups, err := db.New(s.pool).GroupsOfRow(ctx, db.GroupsOfRowParams{Kind: kind, ID: id, Namespace: w.Namespace, Among: w.Among})
	if err != nil {
		return "", fmt.Errorf("find %s %s: %w", kind, id, err)
	}
	return only(groups, string(kind)+" "+id.String())
}

func only(groups []string, what string) (string, error) {
	switch len(groups) {
	case 0:
		return "", nil
	case 1:
		return groups[0], nil
	}
	return "", change.Conflict("group", "both %s and %s have %s; use a key of one namespace", groups[0], groups[1], what)
}

// prefix returns the length of the prefix that all ids of the namespace share.
func (w Within) prefix() int32 {
	if w.Namespace == "" {
		return 0
	}
	return int32(len([]rune(w.Namespace)) + 1)
}
