package rest

import (
	"context"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// whoami describes the API key of a request and the service.
type whoami struct {
	Key            string          `json:"key" doc:"Stands for the key, which is not told"`
	Rights         service.Rights  `json:"rights" enum:"read,write,erase" doc:"Each has those before it"`
	Authority      graph.Authority `json:"authority" enum:"assistant,document,user,person" doc:"The most that its word counts"`
	AllGroups      bool            `json:"all_groups" doc:"It opens every group"`
	Groups         []string        `json:"groups" doc:"That it opens, and namespaces, as in acme:*; of one that opens all, none is listed"`
	Version        string          `json:"version"`
	Reader         string          `json:"reader" doc:"What reads episodes, as provider:model; offline: the rules"`
	ReadsWithModel bool            `json:"reads_with_model"`
	Embedder       string          `json:"embedder"`
}

type pictureInput struct {
	InGroup
	MaxFacts int      `query:"max_facts" minimum:"1" maximum:"20000" default:"6000" doc:"Facts at the most. A group with more is shown in part"`
	Around   []string `query:"around,explode" maxItems:"20" doc:"Entities to show with what is near them, by their ids or names; left out: all, or the most salient"`
	Hops     int      `query:"hops" minimum:"1" maximum:"3" default:"1" doc:"How far from those"`
}

type timesInput struct {
	InGroup
	Marks int `query:"marks" minimum:"1" maximum:"2000" default:"400" doc:"How many marks at the most, on each axis"`
}

type learnedInput struct {
	InGroup
	Episode []string `query:"episode,explode" required:"true" minItems:"1" maxItems:"200" doc:"Ids of episodes"`
}

type learnedList struct {
	Learned []service.Learned `json:"learned"`
}

type waitingGroups struct {
	Groups []service.GroupWaiting `json:"groups" doc:"Of which something waits or failed, those that wait longest first, at most 200"`
}

func (a *api) explore() {
	const group = "/v1/groups/{group}"
	add(a, op("get-whoami", "GET", "/v1/whoami", []string{"keys"}, "Tell what the key opens, and what answers it"), a.whoami)
	add(a, op("get-graph", "GET", group+"/graph", []string{"graph"}, "Get entities and facts with every version, in columns",
		"For who draws it: what held and what was believed at any time follows from the one answer."), a.picture)
	add(a, op("get-times", "GET", group+"/times", []string{"graph"}, "Tell when something changed, on both axes of time"),
		func(ctx context.Context, in *timesInput) (*body[service.Times], error) {
			return answer(a.service(ctx).Times(ctx, in.Group, in.Marks))
		})
	add(a, op("get-overview", "GET", group+"/overview", []string{"groups"}, "Tell what a group holds, since when, and who speaks in it"),
		func(ctx context.Context, in *InGroup) (*body[service.Overview], error) {
			return answer(a.service(ctx).Overview(ctx, in.Group))
		})
	add(a, op("get-queue", "GET", group+"/queue", []string{"episodes"}, "Tell how much of a group is not read"),
		func(ctx context.Context, in *InGroup) (*body[service.Waiting], error) {
			return answer(a.service(ctx).Waiting(ctx, in.Group))
		})
	add(a, op("list-queues", "GET", "/v1/queue", []string{"episodes"}, "List the groups of which something is not read").byAdmins(), func(ctx context.Context, _ *struct{}) (*body[waitingGroups], error) {
		groups, err := a.service(ctx).WaitingByGroup(ctx)
		return answer(waitingGroups{groups}, err)
	})
	add(a, op("get-fact-trace", "GET", group+"/facts/{fact}/trace", []string{"facts"}, "Tell why a fact is what it is",
		"Its versions and what made each, the episodes with the sentence that says it, what was decided, what it ended for. Also of one that is gone."),
		func(ctx context.Context, in *OneFact) (*body[service.FactTrace], error) {
			return answer(a.service(ctx).FactTrace(ctx, in.Group, in.Fact))
		})
	add(a, op("get-entity-trace", "GET", group+"/entities/{entity}/trace", []string{"entities"}, "Tell why an entity is what it is",
		"With which names it was matched, and who renamed, merged or split it. Of one that is gone, by its id."), a.entityTrace)
	add(a, op("list-learned", "GET", group+"/learned", []string{"episodes"}, "List what was learned from episodes"),
		func(ctx context.Context, in *learnedInput) (*body[learnedList], error) {
			ids, err := input.IDs("episode", in.Episode)
			if err != nil {
				return nil, err
			}
			learned, err := a.service(ctx).Learned(ctx, in.Group, ids)
			return answer(learnedList{learned}, err)
		})
}

func (a *api) whoami(ctx context.Context, _ *struct{}) (*body[whoami], error) {
	caller, client := server.CallerOf(ctx), a.client(ctx)
	return &body[whoami]{whoami{
		Key: caller.ID, Rights: caller.Rights(), Authority: caller.Authority(), AllGroups: caller.Admin(), Groups: some(caller.Groups()),
		Version: a.options.Version, Reader: client.Analyst(), ReadsWithModel: client.Analyst() != "offline", Embedder: client.Embedder().Name(),
	}}, nil
}

func (a *api) picture(ctx context.Context, in *pictureInput) (*body[service.Picture], error) {
	q := service.PictureQuery{GroupID: in.Group, MaxFacts: in.MaxFacts, Hops: in.Hops}
	for _, name := range in.Around {
		entity, err := a.client(ctx).Entity(ctx, in.Group, name)
		if err != nil {
			return nil, err
		}
		q.Around = append(q.Around, entity.ID)
	}
	return answer(a.service(ctx).Picture(ctx, q))
}

func (a *api) entityTrace(ctx context.Context, in *OneEntity) (*body[service.EntityTrace], error) {
	id, err := a.entityID(ctx, in)
	if err != nil {
		return nil, err
	}
	return answer(a.service(ctx).EntityTrace(ctx, in.Group, id))
}
