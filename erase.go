package annals

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/erase"
	"github.com/annalsdb/annals/internal/telemetry"
)

type (
	// Erasure selects what to erase.
	Erasure = erase.Erasure
	// Certificate states what was erased, without any of its content.
	Certificate = erase.Certificate
)

// Erase removes every trace of a group, a user, episodes or an entity from all tables, irrevocably.
// It leaves keyed hashes, by which the same content is refused when it comes again; see
// [Episode.Force]. With Copies it also erases it from the groups that were cloned or imported from
// the group.
func (c *Client) Erase(ctx context.Context, what Erasure) (Certificate, error) {
	group := cmp.Or(what.GroupID, what.UserID)
	if err := c.admit(group); err != nil {
		return Certificate{}, err
	}
	defer c.wrote()
	if what.Copies {
		if err := c.unbound(); err != nil { // copies are other groups
			return Certificate{}, err
		}
	}
	operation := telemetry.DeleteMemory
	if len(what.EpisodeIDs) == 0 && what.EntityID == uuid.Nil {
		operation = telemetry.DeleteMemoryStore
	}
	certificate, err := telemetry.Memory(ctx, operation, group, one, func(ctx context.Context) (Certificate, error) { return c.engine.Erase(ctx, what) })
	if err != nil || !what.Copies {
		return certificate, err
	}
	copies, err := db.New(c.pool).CopiesOf(ctx, group) // later ones are made without what is erased
	if err != nil {
		return certificate, fmt.Errorf("%s is erased, but its copies were not found: %w", group, err)
	}
	for _, to := range copies {
		again, err := c.eraseCopy(ctx, what, certificate, to)
		if err != nil {
			return certificate, fmt.Errorf("%s is erased, but not its copy %s: %w", group, to, err)
		}
		if again != nil {
			certificate.Copies = append(certificate.Copies, *again)
		}
	}
	return certificate, nil
}

// eraseCopy erases the same from a copy. Rows of a copy have the ids of the original or those that
// a clone gave them. A copy of a copy has yet others; there, episodes are found by their content.
// It returns nil if the copy has none of it.
func (c *Client) eraseCopy(ctx context.Context, what Erasure, done Certificate, to string) (*Certificate, error) {
	again := Erasure{GroupID: to, AnyReader: what.AnyReader}
	var err error
	if what.EntityID != uuid.Nil {
		if again.EntityID, err = c.entityInCopy(ctx, what.EntityID, to); err != nil {
			return nil, err
		}
	}
	if part := len(what.EpisodeIDs) > 0 || what.EntityID != uuid.Nil; part && again.EntityID == uuid.Nil {
		if again.EpisodeIDs, err = c.episodesInCopy(ctx, done, to); err != nil || len(again.EpisodeIDs) == 0 {
			return nil, err
		}
	}
	certificate, err := c.engine.Erase(ctx, again)
	return &certificate, err
}

// entityInCopy returns the id of an entity in a copy, or zero if the copy does not have it.
func (c *Client) entityInCopy(ctx context.Context, id uuid.UUID, to string) (uuid.UUID, error) {
	rows, err := db.New(c.pool).EntitiesByIDs(ctx, db.EntitiesByIDsParams{
		GroupID: to, Ids: []uuid.UUID{id, uuid.MustParse(otherID(id.String(), to))},
	})
	if err != nil || len(rows) == 0 {
		return uuid.Nil, err
	}
	return rows[0].ID, nil
}

// episodesInCopy returns the episodes of a certificate in a copy. It finds them by their ids there
// and by keyed hashes of their content.
func (c *Client) episodesInCopy(ctx context.Context, done Certificate, to string) ([]uuid.UUID, error) {
	var wanted []uuid.UUID
	for _, id := range done.EpisodeIDs {
		wanted = append(wanted, id, uuid.MustParse(otherID(id.String(), to)))
	}
	digests := [][]byte{}
	for _, tombstone := range done.Tombstones {
		digest, err := hex.DecodeString(tombstone)
		if err != nil {
			return nil, fmt.Errorf("read the certificate: %w", err)
		}
		digests = append(digests, digest)
	}
	return db.New(c.pool).CertifiedEpisodes(ctx, db.CertifiedEpisodesParams{GroupID: to, Ids: append([]uuid.UUID{}, wanted...), Digests: digests})
}
