package service

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// EraseAgain applies a certificate to a database that was restored from a backup, or to an import
// of the group elsewhere: it erases again what the certificate names. It finds episodes in the
// group by their ids and, if this database has the key of the certificate, by their keyed hashes.
// It finds a group by its keyed hash alone. It returns the certificates of the new erasures; none
// if nothing was found.
func (s *Service) EraseAgain(ctx context.Context, groupID string, done annals.Certificate) ([]annals.Certificate, error) {
	if done.Scope == "episode" || done.Scope == "entity" {
		if err := s.admit(groupID); err != nil {
			return nil, err
		}
	}
	q := db.New(s.pool)
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
	var again []annals.Erasure
	switch done.Scope {
	case "group", "user":
		again, err = s.groupsOf(ctx, q, done, key, digests)
	case "episode", "entity":
		again, err = s.namedBy(ctx, q, groupID, done, digests)
	default:
		err = graph.Invalid("certificate", "%q is no scope of one", done.Scope)
	}
	if err != nil {
		return nil, err
	}
	var certificates []annals.Certificate
	for _, what := range again {
		certificate, err := s.client.Erase(ctx, what)
		if err != nil {
			return certificates, err
		}
		certificates = append(certificates, certificate)
	}
	return certificates, nil
}

// groupsOf finds the groups that a certificate is about by their keyed hash.
func (s *Service) groupsOf(ctx context.Context, q *db.Queries, done annals.Certificate, key string, digests db.TombstonesAgainParams) ([]annals.Erasure, error) {
	if err := s.unbound(); err != nil {
		return nil, err
	}
	if key != done.Key {
		return nil, change.Conflict("certificate", "it was made by another database, whose key this one has not; erase the group by its name")
	}
	groups, err := q.GroupsByTombstone(ctx, digests.Digests)
	if err != nil {
		return nil, fmt.Errorf("find the group of the certificate: %w", err)
	}
	var again []annals.Erasure
	for _, group := range groups {
		again = append(again, annals.Erasure{GroupID: group, AnyReader: true, Copies: true})
	}
	return again, nil
}

// namedBy finds the episodes that a certificate names, if any still exist, and restores its
// tombstones.
func (s *Service) namedBy(ctx context.Context, q *db.Queries, groupID string, done annals.Certificate, digests db.TombstonesAgainParams) ([]annals.Erasure, error) {
	if len(digests.Digests) > 0 {
		digests.GroupID = groupID
		if err := q.TombstonesAgain(ctx, digests); err != nil {
			return nil, fmt.Errorf("put up the tombstones of the certificate: %w", err)
		}
	}
	named, err := q.CertifiedEpisodes(ctx, db.CertifiedEpisodesParams{
		GroupID: groupID, Ids: append([]uuid.UUID{}, done.EpisodeIDs...), Digests: append([][]byte{}, digests.Digests...),
	})
	if err != nil {
		return nil, fmt.Errorf("find the episodes of the certificate: %w", err)
	}
	if len(named) == 0 {
		return nil, nil
	}
	return []annals.Erasure{{GroupID: groupID, AnyReader: true, EpisodeIDs: named}}, nil
}

// buriedBy reads the keyed hashes of a certificate.
func buriedBy(done annals.Certificate) (db.TombstonesAgainParams, error) {
	p := db.TombstonesAgainParams{Kinds: []string{}, Digests: [][]byte{}, Opens: [][]byte{}, Sizes: []int32{}}
	add := func(kind, digest, opens, size string) error {
		hash, err := hex.DecodeString(digest)
		if err != nil || len(hash) != 32 {
			return graph.Invalid("certificate", "%q is no keyed hash, which has 64 hexadecimal digits; give the certificate as it was printed", digest)
		}
		begins, err := hex.DecodeString(opens)
		if err != nil || kind == "sentence" && len(begins) != 12 {
			return graph.Invalid("certificate", "the marks %q of a sentence are not 24 hexadecimal digits; give the certificate as it was printed", opens)
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
	ID          uuid.UUID          `json:"id"`
	GroupID     string             `json:"group_id,omitempty"` // empty: the group itself was erased
	ErasedAt    time.Time          `json:"erased_at"`
	Door        string             `json:"door"`                // the interface through which it was requested
	By          string             `json:"by,omitempty"`        // the API key, or the user of the database
	Certificate annals.Certificate `json:"certificate"`         // see [annals.Client.Erase]
	Owed        []string           `json:"to_vacuum,omitempty"` // the tables that still have to be vacuumed after it
}

// Erasures lists what was erased, the latest first: in one group that still exists, or, if groupID
// is empty, in all, including groups that are gone. limit is 1 to MaxRows; zero: DefaultRows.
func (s *Service) Erasures(ctx context.Context, groupID string, limit int) ([]PastErasure, error) {
	if err := s.admitEither(groupID); err != nil {
		return nil, err
	}
	rows, err := graph.RowLimit(limit)
	if err != nil {
		return nil, err
	}
	found, err := db.New(s.pool).ErasureList(ctx, db.ErasureListParams{GroupID: db.Nullable(groupID), MaxRows: rows})
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

// FinishErasures vacuums and analyses the tables of erasures that were made with
// [annals.Erasure].Later, or that were interrupted before they did so. After that, the planner's
// statistics no longer hold what was erased. It returns the number of those erasures. Workers call
// it every minute.
func (s *Service) FinishErasures(ctx context.Context) (int, error) {
	if err := s.unbound(); err != nil {
		return 0, err
	}
	return s.engine.FinishErasures(ctx)
}
