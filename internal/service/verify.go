package service

import (
	"context"

	"github.com/annalsdb/annals/engine/upkeep"
)

type (
	// Verification says which invariants a database was checked against, and what
	// was found.
	Verification = upkeep.Verification
	// Check is one invariant and what breaks it.
	Check = upkeep.Check
)

// Verify checks a group, or all of them where none is named, against every
// invariant: facts and entities have sources, versions do not overlap, what
// searches read equals a recount, vectors are complete, what was erased or taken
// back is not there. It reads every row. With fix it mends what can be mended,
// while others wait; of the rest it says what to do. It is refused to a Client
// that is bound to a tenant; [Service.Health] is the quick look.
func (s *Service) Verify(ctx context.Context, groupID string, fix bool) (Verification, error) {
	if err := s.unbound(); err != nil {
		return Verification{}, err
	}
	if groupID != "" {
		if err := s.admit(groupID); err != nil {
			return Verification{}, err
		}
	}
	if fix {
		defer s.wrote()
	}
	return upkeep.NewVerifier(s.pool, s.engine, s.embedder).Verify(ctx, groupID, fix)
}

// Rebuilt says what rebuilding a group did.
type Rebuilt = upkeep.Rebuilt

// Rebuild makes everything that is derived in a group anew from what was said and
// told by hand: entities, facts, mentions, what searches read, vectors that are
// missing, summaries of conversations, communities. Episodes are placed again by
// what was read in them; a model is asked where its question has changed. What was
// made, changed or removed by hand stays as it is, and what is as it should be
// keeps its id and its history. anyReader is that of an [annals.Undoing]. Others wait
// while what searches read is made, so that it is refused to a Client that is bound
// to a tenant.
func (s *Service) Rebuild(ctx context.Context, groupID string, anyReader bool) (Rebuilt, error) {
	if err := s.unbound(); err != nil {
		return Rebuilt{}, err
	}
	if err := s.admit(groupID); err != nil {
		return Rebuilt{}, err
	}
	defer s.wrote(groupID)
	return upkeep.NewVerifier(s.pool, s.engine, s.embedder).Rebuild(ctx, groupID, anyReader)
}
