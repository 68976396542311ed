package service

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// AuditEntry is one entry in the audit chain of a group. Hash covers its first ten fields, in their
// order: see docs/security.md.
type AuditEntry struct {
	GroupID   string          `json:"group_id" doc:"Empty: of the service, not of a group"`
	Position  int64           `json:"position" doc:"Its place in the chain, from 1"`
	NotedAt   string          `json:"noted_at" format:"date-time" doc:"With six decimals in UTC, as it is hashed"`
	Door      string          `json:"door" doc:"The way it came in"`
	WrittenBy string          `json:"written_by" doc:"The key or the user of the database; may be empty"`
	Authority graph.Authority `json:"authority"`
	Action    string          `json:"action" doc:"What was done"`
	RowID     uuid.UUID       `json:"row_id" format:"uuid" doc:"The id of the row that says more"`
	Digest    string          `json:"digest" doc:"SHA-256 of that row, hexadecimal"`
	Previous  string          `json:"previous" doc:"The hash of the entry before it; empty: it is the first"`
	Hash      string          `json:"hash" doc:"SHA-256 of all above, hexadecimal"`
	Row       *string         `json:"row" doc:"That row as it is now, as JSON in the words that its digest is of; null: it is gone"`
}

// auditTime is the format of times in the text that is hashed.
const auditTime = "2006-01-02T15:04:05.000000Z"

// AuditFilter chooses entries of one chain.
type AuditFilter struct {
	GroupID string // empty: the chain of the service, with its keys and with groups that were erased as a whole
	After   int64  // only entries after this position; zero: from the first
	Limit   int    // 1 to MaxRows; zero: DefaultRows
}

// Audit lists what people, keys, agents and workers changed, the oldest first.
func (s *Service) Audit(ctx context.Context, f AuditFilter) ([]AuditEntry, error) {
	if err := s.admitEither(f.GroupID); err != nil {
		return nil, err
	}
	limit, err := graph.RowLimit(f.Limit)
	if err != nil {
		return nil, err
	}
	if f.After < 0 {
		return nil, graph.Invalid("after", "is %d; positions begin at 1", f.After)
	}
	rows, err := db.New(s.pool).AuditList(ctx, db.AuditListParams{GroupID: f.GroupID, After: f.After, MaxRows: limit})
	return listed(rows, err, auditEntry, "read the audit of %q", f.GroupID)
}

func auditEntry(row db.AuditListRow) AuditEntry {
	return AuditEntry{
		GroupID: row.GroupID, Position: row.Position, NotedAt: row.NotedAt.UTC().Format(auditTime), Door: row.Door, WrittenBy: row.WrittenBy,
		Authority: row.Authority, Action: row.Action, RowID: row.RowID, Digest: hex.EncodeToString(row.Digest),
		Previous: hex.EncodeToString(row.Previous), Hash: hex.EncodeToString(row.Hash), Row: db.Nullable(row.Noted),
	}
}

// admitEither checks access to a group. Without a group, only a Service that is bound to no tenant
// has access.
func (s *Service) admitEither(groupID string) error {
	if groupID == "" {
		return s.unbound()
	}
	return s.admit(groupID)
}

// AuditHead is the last entry of a chain. A copy that is kept elsewhere shows later whether the
// chain was truncated or replaced.
type AuditHead struct {
	GroupID  string    `json:"group_id" doc:"Empty: of the service, not of a group"`
	Position int64     `json:"position" doc:"0: there is no entry"`
	NotedAt  time.Time `json:"noted_at,omitzero"`
	Hash     string    `json:"hash" doc:"Hexadecimal; empty: there is no entry"`
}

// AuditHead returns the last entry of the chain of a group, or of the service if groupID is empty.
// A chain without entries is no error.
func (s *Service) AuditHead(ctx context.Context, groupID string) (AuditHead, error) {
	if err := s.admitEither(groupID); err != nil {
		return AuditHead{}, err
	}
	row, err := db.New(s.pool).AuditHead(ctx, groupID)
	if errors.Is(err, pgx.ErrNoRows) {
		return AuditHead{GroupID: groupID}, nil
	}
	if err != nil {
		return AuditHead{}, fmt.Errorf("read the head of the audit of %q: %w", groupID, err)
	}
	return AuditHead{GroupID: groupID, Position: row.Position, NotedAt: row.NotedAt.UTC(), Hash: hex.EncodeToString(row.Hash)}, nil
}

// AuditVerification says whether a chain is intact.
type AuditVerification struct {
	AuditHead
	Breaks []AuditBreak `json:"breaks" doc:"What is wrong; empty: it is whole"`
}

// AuditBreak is one fault in a chain.
type AuditBreak struct {
	Position int64     `json:"position,omitempty" doc:"The entry; left out: there is none"`
	RowID    uuid.UUID `json:"row_id,omitzero" format:"uuid" doc:"The row that it tells of"`
	Problem  string    `json:"problem" doc:"entry changed, row changed, row gone, row never noted, or head missing"`
}

// VerifyAudit checks the chain of a group, or of the service if groupID is empty. It checks each
// entry against the one before it, and the rows that the entries describe against their digests. If
// head, the hash of an AuditHead that was kept, is not empty, it also checks that this entry is
// still in the chain. The entry is missing if the chain was truncated or replaced.
func (s *Service) VerifyAudit(ctx context.Context, groupID, head string) (AuditVerification, error) {
	if err := s.admitEither(groupID); err != nil {
		return AuditVerification{}, err
	}
	kept, err := hex.DecodeString(strings.TrimSpace(head))
	if err != nil || len(kept) != 0 && len(kept) != 32 {
		return AuditVerification{}, graph.Invalid("head", "%q is no hash, which has 64 hexadecimal digits; 'annals audit head' prints one", head)
	}
	var v AuditVerification
	if v.AuditHead, err = s.AuditHead(ctx, groupID); err != nil {
		return AuditVerification{}, err
	}
	found, err := db.New(s.pool).AuditBreaks(ctx, groupID)
	v.Breaks, err = listed(found, err, func(row db.AuditBreaksRow) AuditBreak { return AuditBreak(row) }, "verify the audit of %q", groupID)
	if err != nil || len(kept) == 0 {
		return v, err
	}
	there, err := db.New(s.pool).AuditHas(ctx, db.AuditHasParams{GroupID: groupID, Hash: kept})
	if err != nil {
		return AuditVerification{}, fmt.Errorf("look for the head in the audit of %q: %w", groupID, err)
	}
	if !there {
		v.Breaks = append(v.Breaks, AuditBreak{Problem: "head missing"})
	}
	return v, nil
}

// String describes the fault in one line.
func (b AuditBreak) String() string {
	told := b.Problem
	if b.Position > 0 {
		told = fmt.Sprintf("entry %d: %s", b.Position, told)
	}
	if b.RowID != uuid.Nil {
		told += ", row " + b.RowID.String()
	}
	return told
}
