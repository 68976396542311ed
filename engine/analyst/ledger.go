package analyst

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/model"
)

// ledgerError reports that the ledger cannot be read or written, which is not the fault of the
// episode.
type ledgerError struct{ err error }

func (e *ledgerError) Error() string { return e.err.Error() }
func (e *ledgerError) Unwrap() error { return e.err }

// ledger stores the calls to models in annals.model_calls.
type ledger struct{ pool db.Pool }

// NewLedger returns the ledger of a migrated database, which is also the cache of answers.
func NewLedger(pool db.Pool) model.Ledger { return ledger{pool} }

func (l ledger) Answer(ctx context.Context, groupID string, key [32]byte) (string, bool, error) {
	answer, err := db.New(l.pool).ModelAnswer(ctx, db.ModelAnswerParams{GroupID: groupID, Key: key[:]})
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, &ledgerError{fmt.Errorf("look for an answer in the ledger: %w", err)}
	}
	return answer, true, nil
}

// Record stores a call, even if the caller has given up, as the call was made. While something of
// the group is being erased, only the cost of the call is stored: waiting would keep connections
// from others.
func (l ledger) Record(ctx context.Context, c model.Call) error {
	ctx = context.WithoutCancel(ctx)
	err := db.InTx(ctx, l.pool, func(q *db.Queries) error {
		free, err := q.AnswersTry(ctx, c.GroupID)
		if err != nil {
			return err
		}
		call := callParams(ctx, c)
		call.BeingErased = !free
		return q.ModelCallInsert(ctx, call)
	})
	if err != nil {
		return &ledgerError{fmt.Errorf("write a call down in the ledger: %w", err)}
	}
	return nil
}

func callParams(ctx context.Context, c model.Call) db.ModelCallInsertParams {
	return db.ModelCallInsertParams{
		GroupID: c.GroupID, ID: uuid.Must(uuid.NewV7()), EpisodeID: db.Nullable(c.EpisodeID), Kind: c.Kind, Prompt: c.Prompt, Version: int32(c.Version),
		Model: c.Model, Key: c.Key[:], InputTokens: int32(c.InputTokens), CachedTokens: int32(c.CachedTokens),
		OutputTokens: int32(c.OutputTokens), LatencySeconds: c.Latency.Seconds(), Cost: c.Cost, FromCache: c.FromCache, Repair: c.Repair,
		Answer: storableText(c.Answer), Error: storableText(wording.Cut(c.Error, MaxError)), AskedForSeconds: model.AskedFor(ctx).Seconds(),
	}
}

// storableText returns nil for an empty text, and for a text that PostgreSQL cannot store. An
// answer with a NUL is not worth keeping.
func storableText(s string) *string {
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		return nil
	}
	return db.Nullable(s)
}
