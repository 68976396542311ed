package service

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
)

// DecideSkill approves or rejects the procedure of a skill, by the skill's ID, or takes
// that back: do is approve, reject or leave. It returns the skill as it is then. It fails
// with [annals.CodeForbidden] for the word of an assistant or a document, and where a
// higher authority decided.
func (s *Service) DecideSkill(ctx context.Context, groupID string, id uuid.UUID, do string) (annals.Skill, error) {
	if err := s.admit(groupID); err != nil {
		return annals.Skill{}, err
	}
	defer s.wrote(groupID)
	if err := s.engine.DecideSkill(ctx, groupID, id, do); err != nil {
		return annals.Skill{}, err
	}
	now, err := s.client.Skills(ctx, annals.SkillFilter{GroupID: groupID, ID: id, State: "all", Ended: true})
	if err == nil && len(now) == 0 { // its runs went meanwhile
		now, err = s.SkillHistory(ctx, groupID, id)
	}
	if err != nil {
		return annals.Skill{}, err
	}
	return now[len(now)-1], nil
}

// SkillHistory lists every version of a skill, by its ID, the first first. It fails with
// [annals.CodeNotFound] where there never was one.
func (s *Service) SkillHistory(ctx context.Context, groupID string, id uuid.UUID) ([]annals.Skill, error) {
	versions, err := s.client.Skills(ctx, annals.SkillFilter{GroupID: groupID, ID: id, State: "all", Ended: true, EveryVersion: true, Limit: annals.MaxRows})
	if err == nil && len(versions) == 0 {
		err = &annals.Error{Code: annals.CodeNotFound, Field: "skill", Message: fmt.Sprintf("group %s never had %s; 'annals skills' lists them", groupID, id)}
	}
	return versions, err
}
