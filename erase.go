package annals

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
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

// EraseAgain applies a certificate to a database that was restored from a backup, or
// imported elsewhere: what it names is erased again. Of episodes it does so in the
// group, by their ids and, under the key that made them, by the keyed hashes. A group
// is found by its hash alone. It returns what was done, nothing where nothing of it is
// there.
func (c *Client) EraseAgain(ctx context.Context, groupID string, done Certificate) ([]Certificate, error) {
	if done.Scope == "episode" || done.Scope == "entity" {
		if err := c.admit(groupID); err != nil {
			return nil, err
		}
	}
	q := db.New(c.pool)
	key, err := q.TombstoneKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the key of the tombstones: %w", err)
	}
	var digests db.TombstonesAgainParams
	if key == done.Key {
		if digests, err = buriedBy(done); err != nil {
			return nil, err
		}
	}
	var again []Erasure
	switch done.Scope {
	case "group", "user":
		if err := c.unbound(); err != nil {
			return nil, err
		}
		if key != done.Key {
			return nil, &Error{Code: CodeConflict, Field: "certificate", Message: "it was made by another database, whose key this one has not; erase the group by its name"}
		}
		groups, err := q.GroupsByTombstone(ctx, digests.Digests)
		if err != nil {
			return nil, fmt.Errorf("find the group of the certificate: %w", err)
		}
		for _, group := range groups {
			again = append(again, Erasure{GroupID: group, AnyReader: true, Copies: true})
		}
	case "episode", "entity":
		what, err := c.namedBy(ctx, q, groupID, done, digests)
		if err != nil {
			return nil, err
		}
		if len(what.EpisodeIDs) > 0 {
			again = append(again, what)
		}
	default:
		return nil, graph.Invalid("certificate", "%q is no scope of one", done.Scope)
	}
	var certificates []Certificate
	for _, what := range again {
		certificate, err := c.Erase(ctx, what)
		if err != nil {
			return certificates, err
		}
		certificates = append(certificates, certificate)
	}
	return certificates, nil
}

// namedBy finds the episodes that a certificate names, and puts its tombstones up
// again.
func (c *Client) namedBy(ctx context.Context, q *db.Queries, groupID string, done Certificate, digests db.TombstonesAgainParams) (Erasure, error) {
	what := Erasure{GroupID: groupID, AnyReader: true}
	rows, err := q.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: groupID, Ids: append([]uuid.UUID{}, done.EpisodeIDs...)})
	if err != nil {
		return what, fmt.Errorf("find the episodes of the certificate: %w", err)
	}
	for _, row := range rows {
		what.EpisodeIDs = append(what.EpisodeIDs, row.ID)
	}
	if len(digests.Digests) == 0 {
		return what, nil
	}
	digests.GroupID = groupID
	if err := q.TombstonesAgain(ctx, digests); err != nil {
		return what, fmt.Errorf("put up the tombstones of the certificate: %w", err)
	}
	ids, err := q.ErasedEpisodes(ctx, db.ErasedEpisodesParams{GroupID: groupID, Digests: digests.Digests})
	if err != nil {
		return what, fmt.Errorf("find the episodes of the certificate: %w", err)
	}
	for _, id := range ids {
		if !slices.Contains(what.EpisodeIDs, id) {
			what.EpisodeIDs = append(what.EpisodeIDs, id)
		}
	}
	return what, nil
}

// buriedBy reads the keyed hashes of a certificate.
func buriedBy(done Certificate) (db.TombstonesAgainParams, error) {
	p := db.TombstonesAgainParams{Kinds: []string{}, Digests: [][]byte{}, Opens: [][]byte{}, Sizes: []int32{}}
	add := func(kind, digest, opens, size string) error {
		hash, err := hex.DecodeString(digest)
		if err != nil || len(hash) != 32 {
			return graph.Invalid("certificate", "%q is no keyed hash", digest)
		}
		begins, err := hex.DecodeString(opens)
		if err != nil {
			return graph.Invalid("certificate", "%q is no beginning of a keyed hash", opens)
		}
		n, err := strconv.ParseInt(size, 10, 32)
		if err != nil {
			return graph.Invalid("certificate", "%q is no length", size)
		}
		p.Kinds, p.Digests, p.Opens, p.Sizes = append(p.Kinds, kind), append(p.Digests, hash), append(p.Opens, begins), append(p.Sizes, int32(n))
		return nil
	}
	for _, digest := range done.Tombstones {
		if err := add("content", digest, "", "0"); err != nil {
			return p, err
		}
	}
	for _, sentence := range done.Sentences {
		parts := strings.Split(sentence, ":")
		if len(parts) != 3 {
			return p, graph.Invalid("certificate", "%q is no sentence of one", sentence)
		}
		if err := add("sentence", parts[0], parts[1], parts[2]); err != nil {
			return p, err
		}
	}
	return p, nil
}

// PastErasure is what the database keeps of an erasure.
type PastErasure struct {
	ID          uuid.UUID   `json:"id"`
	GroupID     string      `json:"group_id,omitempty"` // empty: the group itself was erased
	ErasedAt    time.Time   `json:"erased_at"`
	Door        string      `json:"door"`                // by which way it was asked for
	By          string      `json:"by,omitempty"`        // the API key, or the user of the database
	Certificate Certificate `json:"certificate"`         // see [Client.Erase]
	Owed        []string    `json:"to_vacuum,omitempty"` // the tables that are still to be vacuumed because of it
}

// Erasures lists what was erased, the latest first: of a group that is still
// there, or of all, with those that are gone, where groupID is empty. limit is 1
// to MaxRows; zero: DefaultRows.
func (c *Client) Erasures(ctx context.Context, groupID string, limit int) ([]PastErasure, error) {
	if groupID != "" {
		if err := c.admit(groupID); err != nil {
			return nil, err
		}
	} else if err := c.unbound(); err != nil {
		return nil, err
	}
	rows, err := graph.RowLimit(limit)
	if err != nil {
		return nil, err
	}
	found, err := db.New(c.pool).ErasureList(ctx, db.ErasureListParams{GroupID: db.Nullable(groupID), MaxRows: rows})
	if err != nil {
		return nil, fmt.Errorf("list what was erased: %w", err)
	}
	list := make([]PastErasure, len(found))
	for i, row := range found {
		list[i] = PastErasure{ID: row.ID, GroupID: row.GroupID, ErasedAt: row.ErasedAt.UTC(), Door: row.Door, By: row.WrittenBy, Owed: row.ToVacuum}
		if err := json.Unmarshal(row.Certificate, &list[i].Certificate); err != nil {
			return nil, fmt.Errorf("read the certificate of erasure %s: %w", row.ID, err)
		}
	}
	return list, nil
}

// FinishErasures vacuums and analyses the tables that erasures touched with
// [Erasure.Later], or that ended before it was done, so that the planner's
// statistics forget too. It returns how many erasures that were. Workers do it
// every minute.
func (c *Client) FinishErasures(ctx context.Context) (int, error) {
	if err := c.unbound(); err != nil {
		return 0, err
	}
	return c.engine.FinishErasures(ctx)
}
