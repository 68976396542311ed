package service

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
)

// Within limits a call to the groups of one application: those of a namespace,
// or those that are listed. The zero value stands for all groups.
type Within struct {
	Namespace string   // as in acme:alice; empty: any
	Among     []string // only these; nil: all
}

// Page is a page of a list over many groups.
type Page struct {
	Within
	Search    string // a part of a name, id, address or description; empty: all
	OrderBy   string // what is listed says what it can be ordered by; empty: created_at
	Ascending bool
	Skip      int
	Limit     int // 1 to MaxRows; zero: DefaultRows
}

// pageOf shows the rows of a page, each with how many rows there are in all. A page
// behind the last row does not tell that: the shortest page that does is read, too.
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

// ThreadPlace is a conversation with its group.
type ThreadPlace struct {
	GroupID   string
	ID        string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Users lists users, the newest first, and says how many there are on all
// pages. They can be ordered by user_id and email too.
func (s *Service) Users(ctx context.Context, p Page) ([]User, int, error) {
	read := func(p Page, limit int32) ([]db.UsersWithinRow, error) {
		return db.New(s.pool).UsersWithin(ctx, db.UsersWithinParams{
			Namespace: p.Namespace, Among: p.Among, Search: p.Search, SkipPrefix: p.prefix(), OrderBy: p.OrderBy, Ascending: p.Ascending,
			Skip: int32(p.Skip), MaxRows: limit,
		})
	}
	return pageOf(s, p, "list users", read, func(row db.UsersWithinRow) (User, int64) { return userOf(row.UserRow), row.Total })
}

// Graphs lists the groups that are of no user, the newest first, and says how
// many there are on all pages. They can be ordered by graph_id and name too.
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

// ThreadsWithin lists conversations that were made, the newest first, and says
// how many there are on all pages. They can be ordered by updated_at,
// user_id and thread_id too.
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

// CreateThreadWithin makes a conversation as [annals.Client.CreateThread] does,
// but fails with [annals.CodeConflict] also where another of those groups has a
// conversation of that name.
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
	// On this one connection alone: all could be waiting here for one more.
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
		return conflict("thread_id", "there is a thread %q already", t.ID)
	})
	if err != nil {
		return annals.Thread{}, err
	}
	return s.engine.Thread(ctx, t.GroupID, t.ID)
}

// GroupOfThread finds the group of a conversation that was made; empty: there
// is none of that name. It fails with [annals.CodeConflict] where there are
// several.
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

// GroupOf finds the group of an episode, an entity or a fact; empty: none has
// it. It looks into each group, which takes about a second for a hundred
// thousand of them.
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
	return "", conflict("group", "both %s and %s have %s; use a key of one namespace", groups[0], groups[1], what)
}

// prefix returns the length of what all ids of the namespace begin with.
func (w Within) prefix() int32 {
	if w.Namespace == "" {
		return 0
	}
	return int32(len([]rune(w.Namespace)) + 1)
}
