package client

import (
	"context"
	"net/http"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
)

// Skills lists procedures for tasks, as [annals.Client.Skills] does. To add a run,
// pass its [annals.Run.Episode] to [Client.Add].
func (c *Client) Skills(ctx context.Context, f annals.SkillFilter) ([]annals.Skill, error) {
	if f.EveryVersion {
		return list(ctx, c, in(http.MethodGet, f.GroupID, "skills", f.ID.String(), "history"), "versions", sameSkill)
	}
	return list(ctx, c, in(http.MethodGet, f.GroupID, "skills").asking(input.Say[input.ListSkills](f)), "skills", sameSkill)
}

func sameSkill(s annals.Skill) annals.Skill { return s }
