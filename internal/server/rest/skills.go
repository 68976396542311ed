package rest

import (
	"context"
	"net/http"
	"net/url"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

type skillList struct {
	Skills []annals.Skill `json:"skills"`
}

type skillVersions struct {
	Versions []annals.Skill `json:"versions"`
}

// OneSkill identifies a skill in a path.
type OneSkill struct {
	InGroup
	Skill uuid.UUID `path:"skill" format:"uuid"`
}

// skills adds the routes for runs of agents and for the skills that they show.
func (a *api) skills() {
	tags := []string{"skills"}
	const path = "/v1/groups/{group}/skills"
	kept := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[accepted](), true, "Accepted")
	said := map[string]*huma.MediaType{"application/json": {Schema: kept}}
	addWithHeaders(a, operation{
		OperationID: "add-run", Method: http.MethodPost, Path: "/v1/groups/{group}/runs", Tags: tags, DefaultStatus: http.StatusAccepted,
		Summary:     "Record what an agent did about a task, and how that ended",
		Description: "It is kept as an episode; skills are learned from it as it is read.",
		Responses:   map[string]*huma.Response{"200": {Description: "It was there already", Content: said}, "202": {Description: "It was stored", Content: said}},
	}, a.addRun)
	add(a, op("list-skills", "GET", path, tags, "List how tasks are done, or find how one is",
		"Procedures that worked in runs of agents, for as long as they did. With as_of and known_at as it was then, and as was known then."),
		calling(func(ctx context.Context, in *struct {
			InGroup
			input.ListSkills
		}, filter annals.SkillFilter,
		) (skillList, error) {
			filter.GroupID = in.Group
			list, err := a.client(ctx).Skills(ctx, filter)
			return skillList{list}, err
		}))
	add(a, op("get-skill-history", "GET", path+"/{skill}/history", tags, "List every version of a skill"),
		func(ctx context.Context, in *OneSkill) (*body[skillVersions], error) {
			versions, err := a.service(ctx).SkillHistory(ctx, in.Group, in.Skill)
			return answer(skillVersions{versions}, err)
		})
	add(a, op("decide-skill", "POST", path+"/{skill}/decision", tags, "Approve or reject a skill, or take that back",
		"It is on record, and holds whenever the procedure is learned again. A key with the authority of an assistant or a document may not."),
		func(ctx context.Context, in *struct {
			OneSkill
			Body input.SkillDecision
		},
		) (*body[annals.Skill], error) {
			return answer(a.service(ctx).DecideSkill(ctx, in.Group, in.Skill, in.Body.Do))
		})
}

func (a *api) addRun(ctx context.Context, in *toGroup[input.NewRun]) (*acceptedAnswer, error) {
	episode, err := in.Body.Episode(in.Group)
	if err != nil {
		return nil, err
	}
	return a.addOne(ctx, episode)
}

// addOne stores an episode and returns the outcome.
func (a *api) addOne(ctx context.Context, episode annals.Episode) (*acceptedAnswer, error) {
	var out *acceptedAnswer
	err := a.addOnce(ctx, []annals.Episode{episode}, func(added service.Added) (int, string, any) {
		stored := added.Stored
		server.NoteEpisode(ctx, stored[0].ID.String())
		out = &acceptedAnswer{
			Status:   http.StatusAccepted,
			Location: "/v1/groups/" + url.PathEscape(episode.GroupID) + "/episodes/" + stored[0].ID.String(),
			Body:     acceptedOf(episode, stored[0]),
		}
		if !stored[0].New {
			out.Status = http.StatusOK
		}
		return out.Status, out.Location, out.Body
	})
	return out, err
}
