package annals

import (
	"cmp"
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
)

type (
	// Erasure says what to remove for good.
	Erasure = engine.Erasure
	// Certificate says what was erased, and holds nothing of it.
	Certificate = engine.Certificate
)

// Erase removes every trace of a group, a user, episodes or an entity from all
// tables, and leaves keyed hashes by which they are refused when they come
// again; see [Episode.Force]. Nothing can bring it back. With Copies it does the
// same in the groups that were cloned or imported from it.
func (c *Client) Erase(ctx context.Context, what Erasure) (Certificate, error) {
	group := cmp.Or(what.GroupID, what.UserID)
	if err := c.admit(group); err != nil {
		return Certificate{}, err
	}
	defer c.wrote()
	var copies []string
	if what.Copies {
		err := c.unbound() // copies are other groups
		if err != nil {
			return Certificate{}, err
		}
		if copies, err = db.New(c.pool).CopiesOf(ctx, group); err != nil {
			return Certificate{}, fmt.Errorf("find the copies of %s: %w", group, err)
		}
	}
	certificate, err := c.engine.Erase(ctx, what)
	if err != nil {
		return certificate, err
	}
	for _, to := range copies {
		again, err := c.eraseCopy(ctx, what, to)
		if err != nil {
			return certificate, fmt.Errorf("%s is erased, but not its copy %s: %w", group, to, err)
		}
		if again != nil {
			certificate.Copies = append(certificate.Copies, *again)
		}
	}
	return certificate, nil
}

// eraseCopy erases the same from a copy, in which rows have the ids of the
// original or those that a clone gave them. It is nil where the copy has none of
// it.
func (c *Client) eraseCopy(ctx context.Context, what Erasure, to string) (*Certificate, error) {
	again := Erasure{GroupID: to, AnyReader: what.AnyReader}
	q := db.New(c.pool)
	var wanted []uuid.UUID
	for _, id := range what.EpisodeIDs {
		wanted = append(wanted, id, uuid.MustParse(otherID(id.String(), to)))
	}
	switch {
	case len(wanted) > 0:
		rows, err := q.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: to, Ids: wanted})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			again.EpisodeIDs = append(again.EpisodeIDs, row.ID)
		}
		if len(rows) == 0 {
			return nil, nil
		}
	case what.EntityID != uuid.Nil:
		rows, err := q.EntitiesByIDs(ctx, db.EntitiesByIDsParams{
			GroupID: to, Ids: []uuid.UUID{what.EntityID, uuid.MustParse(otherID(what.EntityID.String(), to))},
		})
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			return nil, nil
		}
		again.EntityID = rows[0].ID
	}
	certificate, err := c.engine.Erase(ctx, again)
	return &certificate, err
}
