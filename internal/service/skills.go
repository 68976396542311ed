package service

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/change"
)

// DecideSkill approves or rejects the procedure of a skill, or takes that decision back: do is
// approve, reject or leave. It returns the skill after that. It fails with [annals.CodeForbidden]
// if the caller has the authority of an assistant or a document, or if a higher authority has
// decided.
func (s *Service) DecideSkill(ctx context.Context, groupID string, id uuid.UUID, do string) (annals.Skill, error) {
	if err := s.admit(groupID); err != nil {
		return annals.Skill{}, err
	}
	defer s.wrote(groupID)
	if err := s.engine.DecideSkill(ctx, groupID, id, do); err != nil {
		return annals.Skill{}, err
	}
	now, err := s.client.Skills(ctx, annals.SkillFilter{GroupID: groupID, ID: id, State: "all", Ended: true})
	if err == nil && len(now) == 0 { // its runs were removed meanwhile
		now, err = s.SkillHistory(ctx, groupID, id)
	}
	if err != nil {
		return annals.Skill{}, err
	}
	return now[len(now)-1], nil
}

// SkillHistory lists every version of a skill, the oldest first. It fails with
// [annals.CodeNotFound] if the skill never existed.
func (s *Service) SkillHistory(ctx context.Context, groupID string, id uuid.UUID) ([]annals.Skill, error) {
	versions, err := s.client.Skills(ctx, annals.SkillFilter{GroupID: groupID, ID: id, State: "all", Ended: true, EveryVersion: true, Limit: annals.MaxRows})
	if err == nil && len(versions) == 0 {
		err = change.NotFound("skill", "group %s never had %s; 'annals skills' lists them", groupID, id)
	}
	return versions, err
}
