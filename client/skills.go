package client

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
)

// Skills lists how tasks are done, as [annals.Client.Skills] does. Runs are added with
// [Client.Add], as the episodes that [annals.Run] makes.
func (c *Client) Skills(ctx context.Context, f annals.SkillFilter) ([]annals.Skill, error) {
	return list(ctx, c, in(http.MethodGet, f.GroupID, "skills").asking(input.Say[input.ListSkills](f)), "skills", sameSkill)
}

// SkillHistory lists every version of a skill, the first first.
func (c *Client) SkillHistory(ctx context.Context, groupID string, id uuid.UUID) ([]annals.Skill, error) {
	return list(ctx, c, in(http.MethodGet, groupID, "skills", id.String(), "history"), "versions", sameSkill)
}

func sameSkill(s annals.Skill) annals.Skill { return s }
