package annals

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
)

// Stored says what became of an episode that was handed in.
type Stored = engine.Stored

// AddedTriple says where a triple went.
type AddedTriple = engine.AddedTriple

// Processed says what became of an episode on its way into the graph.
type Processed = engine.Processed

// Add validates an episode and stores it. It is then safe, and waits to be
// processed; see [Client.Process]. An external id that the group already has
// changes nothing: Stored.New is false.
func (c *Client) Add(ctx context.Context, episode Episode) (Stored, error) {
	stored, err := c.AddAll(ctx, []Episode{episode})
	if err != nil {
		return Stored{}, err
	}
	return stored[0], nil
}

// AddTx is [Client.Add] within the caller's transaction: the episode is there
// when, and only when, the caller commits. With a replica, [Client.LSN] after
// the commit tells what reads must demand to see it.
func (c *Client) AddTx(ctx context.Context, tx pgx.Tx, episode Episode) (Stored, error) {
	if err := c.admit(episode.GroupID); err != nil {
		return Stored{}, err
	}
	tx = db.BorrowTx(tx)
	var stored []Stored
	store := func() error {
		var err error
		stored, err = engine.Store(ctx, tx, []Episode{episode})
		return err
	}
	var err error
	if c.tenant == "" {
		err = store()
	} else {
		err = db.InTenant(ctx, tx, c.tenant, store)
	}
	if err != nil {
		return Stored{}, err
	}
	return stored[0], nil
}

// AddAll stores several episodes, in order and in one transaction: all or none.
func (c *Client) AddAll(ctx context.Context, episodes []Episode) ([]Stored, error) {
	groups := make([]string, len(episodes))
	for i, episode := range episodes {
		if err := c.admit(episode.GroupID); err != nil {
			return nil, err
		}
		groups[i] = episode.GroupID
	}
	defer c.wrote(groups...)
	var stored []Stored
	err := db.Retrying(ctx, func() error {
		return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
			var err error
			stored, err = engine.Store(ctx, tx, episodes)
			return err
		})
	})
	return stored, err
}

// AddTriple takes one fact into the graph at once, without a text to read it
// from: its ends are recognised among the known entities and the fact among
// the known facts, as those of an episode are. Its sentence is kept as an
// episode, so that it has a source like any other.
func (c *Client) AddTriple(ctx context.Context, t Triple) (AddedTriple, error) {
	if err := c.admit(t.GroupID); err != nil {
		return AddedTriple{}, err
	}
	defer c.wrote(t.GroupID)
	return c.engine.AddTriple(ctx, t)
}

// Process takes the group's waiting episodes, in the order they came, into the
// graph until none is left, and calls report, if not nil, after each. One
// process works on a group at a time; a second one waits for it.
//
// An episode that cannot be analysed is kept as failed, for [Client.Retry], and
// reported with its error; the next one is taken. An error is returned only
// when the work cannot go on. Calling Process again continues where it stopped.
func (c *Client) Process(ctx context.Context, groupID string, report func(Processed)) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	defer c.wrote(groupID)
	return c.engine.Process(ctx, groupID, func(p Processed) {
		c.wrote(groupID)
		if report != nil {
			report(p)
		}
	})
}

// Retry makes the group's failed and deferred episodes wait again and returns
// how many.
func (c *Client) Retry(ctx context.Context, groupID string) (int, error) {
	if err := c.admit(groupID); err != nil {
		return 0, err
	}
	defer c.wrote(groupID)
	return c.engine.Retry(ctx, groupID)
}

// MergeEntities makes two entities one: into takes over what from is called
// and known by, its facts and its mentions. The history keeps all as it was,
// and from's id goes on standing for into.
func (c *Client) MergeEntities(ctx context.Context, groupID string, from, into uuid.UUID) (Entity, error) {
	if err := c.admit(groupID); err != nil {
		return Entity{}, err
	}
	defer c.wrote(groupID)
	return c.engine.MergeEntities(ctx, groupID, from, into)
}

// SplitEntity makes a new entity of the listed facts of one that was two.
func (c *Client) SplitEntity(ctx context.Context, groupID string, from uuid.UUID, name string, factIDs []uuid.UUID) (Entity, error) {
	if err := c.admit(groupID); err != nil {
		return Entity{}, err
	}
	defer c.wrote(groupID)
	return c.engine.SplitEntity(ctx, groupID, from, name, factIDs)
}

// RenameEntity gives an entity another name; the old one stays as an alias.
// Given versions, the starts of [Entity].Recorded, it does so only while the
// entity is in one of them, and else fails with [CodeConflict] on "version".
func (c *Client) RenameEntity(ctx context.Context, groupID string, id uuid.UUID, name string, versions ...time.Time) (Entity, error) {
	if err := c.admit(groupID); err != nil {
		return Entity{}, err
	}
	defer c.wrote(groupID)
	return c.engine.RenameEntity(ctx, groupID, id, name, versions...)
}

// FactEdit is what is put right about a fact by hand.
type FactEdit = graph.FactEdit

// EditFact puts right what a current fact says and when it holds, and returns
// it as it is then; the history keeps it as it was. Given versions, the starts
// of [Fact].Recorded, it does so only while the fact is in one of them, and else
// fails with [CodeConflict] on "version".
func (c *Client) EditFact(ctx context.Context, groupID string, id uuid.UUID, edit FactEdit, versions ...time.Time) (Fact, error) {
	if err := c.admit(groupID); err != nil {
		return Fact{}, err
	}
	defer c.wrote(groupID)
	return c.engine.EditFact(ctx, groupID, id, edit, versions...)
}

// WithdrawFact has a fact believed no longer, by hand. The history keeps it. A
// fact that has merely ended is not to be withdrawn: an episode or a triple that
// says what is true now closes it. A fact that is not there is a [CodeNotFound].
// Versions are as in [Client.EditFact].
func (c *Client) WithdrawFact(ctx context.Context, groupID string, factID uuid.UUID, versions ...time.Time) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	defer c.wrote(groupID)
	return c.engine.WithdrawFact(ctx, groupID, factID, versions...)
}

// SetOntology gives a group the kinds of entities and facts that its next
// episodes are read for. What is in the graph already stays as it is.
func (c *Client) SetOntology(ctx context.Context, groupID string, o Ontology) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	defer c.wrote(groupID)
	return c.engine.SetOntology(ctx, groupID, o)
}

// ReplaceOntology is [Client.SetOntology] where the group still has the old
// one; else it fails with [CodeConflict] on "version".
func (c *Client) ReplaceOntology(ctx context.Context, groupID string, old, o Ontology) error {
	if err := c.admit(groupID); err != nil {
		return err
	}
	defer c.wrote(groupID)
	return c.engine.ReplaceOntology(ctx, groupID, old, o)
}

// SummariseThread extends the summary of a conversation by what was said since
// it was last summarised, and returns it. Processing does so by itself every
// twenty messages.
func (c *Client) SummariseThread(ctx context.Context, groupID, threadID string) (string, error) {
	if err := c.admit(groupID); err != nil {
		return "", err
	}
	defer c.wrote(groupID)
	return c.engine.SummariseThread(ctx, groupID, threadID)
}
