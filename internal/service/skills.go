package service

import (
	"context"

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
	versions, err := s.client.SkillHistory(ctx, groupID, id)
	if err != nil {
		return annals.Skill{}, err
	}
	return versions[len(versions)-1], nil
}
