package service

import (
	"context"

	"github.com/annalsdb/annals/engine/upkeep"
)

type (
	// Verification lists the invariants that a database was checked against, and what was found.
	Verification = upkeep.Verification
	// Check is one invariant with its violations.
	Check = upkeep.Check
)

// Verify checks a group, or all groups if groupID is empty, against every invariant: facts and
// entities have sources, versions do not overlap, search data equals a recount, vectors are
// complete, and what was erased or taken back is gone. It reads every row. With fix it repairs what
// it can, while others wait, and says what to do about the rest. It fails if the Client is bound to
// a tenant. [Service.Health] is the quick check.
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

// Rebuilt says what a rebuild did.
type Rebuilt = upkeep.Rebuilt

// Rebuild makes everything that is derived in a group anew from its episodes and its changes by
// hand: entities, facts, mentions, search data, missing vectors, thread summaries and communities.
// It applies what was read in the episodes again, and asks a model only if its question has
// changed. What was made, changed or removed by hand stays. Rows that are right keep their ids and
// their history. anyReader is as in [annals.Undoing]. Others wait while search data is made, so
// Rebuild fails if the Client is bound to a tenant.
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
