package answer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
)

// Keeper keeps standing answers up to date. It is safe for concurrent use.
type Keeper struct {
	pool     db.Pool
	answerer *Answerer
	log      *slog.Logger
}

// NewKeeper returns a keeper that stores the answers of an answerer in a database.
func NewKeeper(pool db.Pool, answerer *Answerer, log *slog.Logger) *Keeper {
	return &Keeper{pool: pool, answerer: answerer, log: log}
}

// Keep adds a standing question to a group and answers it. A question that exists already is asked
// again only if something relevant was written since. It fails with code invalid if the group has
// MaxStanding other questions.
func (k *Keeper) Keep(ctx context.Context, q Question) (uuid.UUID, error) {
	q, err := q.toKeep()
	if err != nil {
		return uuid.Nil, err
	}
	var id uuid.UUID
	err = db.InTxBy(ctx, k.pool, func(queries *db.Queries) error {
		if err := queries.GroupEnsure(ctx, q.GroupID); err != nil {
			return err
		}
		if err := queries.GroupLock(ctx, q.GroupID); err != nil {
			return err
		}
		kept, err := queries.AnswerKeep(ctx, db.AnswerKeepParams{
			GroupID: q.GroupID, ID: uuid.Must(uuid.NewV7()), Question: q.Text, Schema: string(bytes.TrimSpace(q.Schema)), Tokens: int32(q.Tokens), Most: MaxStanding,
		})
		if err == nil && len(kept) == 0 {
			return graph.Invalid("query", "is one too many: the group keeps %d questions answered, which is the limit; drop one of them", MaxStanding)
		}
		if err == nil {
			id = kept[0]
		}
		return err
	})
	switch refused := db.RefusedGroup(err); {
	case refused != nil:
		return uuid.Nil, refused
	case graph.CodeOf(err) == graph.CodeInvalid || graph.CodeOf(err) == graph.CodeForbidden:
		return uuid.Nil, err
	case err != nil:
		return uuid.Nil, fmt.Errorf("keep a question of %s: %w", q.GroupID, err)
	}
	if err := k.renew(ctx, q.GroupID, &id); err != nil {
		return id, fmt.Errorf("the question is kept, but not answered yet: %w", err)
	}
	return id, nil
}

// putOff is how long a question waits after its model failed.
const putOff = 10 * time.Minute

// Renew asks the standing questions of a group again for which something relevant was written since
// they were asked. If there are none, it calls no model. If the model fails, the remaining
// questions wait too, and are tried again ten minutes later.
func (k *Keeper) Renew(ctx context.Context, groupID string) error {
	err := k.renew(ctx, groupID, nil)
	var failed *unanswered
	if errors.As(err, &failed) && ctx.Err() == nil {
		k.log.WarnContext(ctx, "standing answers left as they were", "group", groupID, "error", failed.err)
		return nil
	}
	return err
}

// unanswered is a failure of the model, not of the database.
type unanswered struct{ err error }

func (e *unanswered) Error() string { return e.err.Error() }
func (e *unanswered) Unwrap() error { return e.err }

func (k *Keeper) renew(ctx context.Context, groupID string, id *uuid.UUID) error {
	rows, err := db.New(k.pool).AnswersToRenew(ctx, db.AnswersToRenewParams{GroupID: groupID, ID: id})
	if err != nil {
		return fmt.Errorf("look at the standing answers of %s: %w", groupID, err)
	}
	for _, row := range rows {
		err := k.renewOne(ctx, groupID, row)
		if outage := new(model.CallError); errors.As(err, &outage) {
			off := db.New(k.pool).AnswerPutOff(ctx, db.AnswerPutOffParams{GroupID: groupID, ID: row.ID, Seconds: putOff.Seconds()})
			return errors.Join(&unanswered{err}, off)
		}
		if err != nil {
			return fmt.Errorf("renew the standing answer %s: %w", row.ID, err)
		}
	}
	return nil
}

// renewOne reads the evidence for a question, and asks it again if that has changed.
func (k *Keeper) renewOne(ctx context.Context, groupID string, row db.AnswersToRenewRow) error {
	q, err := Question{Query: retrieval.Query{GroupID: groupID, Text: row.Question}, Tokens: int(row.Tokens), Schema: json.RawMessage(row.Schema)}.prepared()
	if err != nil {
		return err
	}
	slots, err := readSchema(q.Schema)
	if err != nil {
		return err
	}
	shown, former, err := k.gather(ctx, q)
	if err != nil {
		return err
	}
	var before body
	if !row.Stale {
		if err := json.Unmarshal(row.Body, &before); err != nil {
			return fmt.Errorf("read it as it is stored: %w", err)
		}
		s := relevanceFor(q.Text, slots, before.Form == FormPassages, shown, former)
		if !k.changed(before, *row.AnsweredAt, s.relevant(shown), s.relevant(former)) {
			return db.New(k.pool).AnswerChecked(ctx, db.AnswerCheckedParams{GroupID: groupID, ID: row.ID, CheckedAt: row.WrittenAt})
		}
	}
	answer, err := k.answerer.from(ctx, q, shown, slots)
	if err != nil {
		return err
	}
	return k.store(ctx, groupID, row, bodyOf(answer, shown, former, relevanceFor(q.Text, slots, answer.Form == FormPassages, shown, former)))
}

// gather returns the evidence for a question, and the former facts that say how things were.
func (k *Keeper) gather(ctx context.Context, q Question) (shown, former evidence, err error) {
	found, err := k.answerer.search(ctx, construct.Construction{Tokens: q.Tokens}.For(q.Query))
	if err != nil {
		return shown, former, err
	}
	if shown, err = evidenceOf(q, found); err != nil {
		return shown, former, err
	}
	past := q
	past.Scopes, past.IncludeEnded, past.Limit = []graph.Kind{graph.KindFact}, true, mostKept[graph.KindFact]+mostFormer
	if found, err = k.answerer.search(ctx, construct.Construction{Tokens: q.Tokens}.For(past.Query)); err != nil {
		return shown, former, err
	}
	all, err := evidenceOf(past, found)
	if err != nil {
		return shown, former, err
	}
	var held []passage
	for _, p := range all.passages {
		if p.over && !shown.has(p.Citation) {
			p.hit.Answers = p.hit.Answers || shown.answersLike(p)
			held = append(held, p)
		}
	}
	return shown, all.of(held), nil
}

// answersLike reports whether the evidence has an answering fact with the same source and relation.
func (e evidence) answersLike(p passage) bool {
	return slices.ContainsFunc(e.passages, func(o passage) bool {
		return o.hit.Answers && o.hit.SourceID == p.hit.SourceID && o.hit.Predicate == p.hit.Predicate
	})
}

func (e evidence) has(c Citation) bool {
	return slices.ContainsFunc(e.passages, func(p passage) bool { return p.Citation == c })
}

// errMoved says that the evidence of an answer changed while it was made.
var errMoved = errors.New("what it was made from changed meanwhile")

// store stores an answer. If its evidence changed meanwhile, or the question has other settings by
// now, it stores nothing: the question is asked again soon.
func (k *Keeper) store(ctx context.Context, groupID string, row db.AnswersToRenewRow, b body) error {
	stored, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("write it: %w", err)
	}
	kinds, ids := b.rows()
	err = db.InTx(ctx, k.pool, func(queries *db.Queries) error {
		if err := queries.GroupLock(ctx, groupID); err != nil {
			return err
		}
		n, err := queries.AnswerSettle(ctx, db.AnswerSettleParams{
			GroupID: groupID, ID: row.ID, Body: stored, AskedAt: &row.AskedAt, GoodUntil: db.Nullable(b.changesAt(row.AskedAt)), CheckedAt: row.WrittenAt,
			Schema: row.Schema, Tokens: row.Tokens, MadeFrom: append([]uuid.UUID{}, ids...),
		})
		if err != nil || n == 0 {
			return err
		}
		if err := queries.AnswerRowsDelete(ctx, db.AnswerRowsDeleteParams{GroupID: groupID, AnswerID: row.ID}); err != nil {
			return err
		}
		err = queries.AnswerRowsInsert(ctx, db.AnswerRowsInsertParams{
			GroupID: groupID, AnswerID: row.ID, Kinds: append([]string{}, kinds...), Ids: append([]uuid.UUID{}, ids...),
		})
		if err != nil {
			return err
		}
		held, err := queries.AnswerHold(ctx, db.AnswerHoldParams{GroupID: groupID, ID: row.ID, AskedAt: row.AskedAt})
		if err == nil && !held {
			return errMoved
		}
		return err
	})
	if errors.Is(err, errMoved) {
		k.log.InfoContext(ctx, "a standing answer is asked again soon", "group", groupID, "answer", row.ID, "reason", err)
		return nil
	}
	return err
}
