package rest

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// markChange is what is to be noted about facts, episodes and entities.
type markChange struct {
	IDs       ids        `json:"ids" minItems:"1" maxItems:"1000" doc:"Of facts, episodes and entities: all are marked, or none"`
	Mark      graph.Mark `json:"mark" enum:"expires,keeps,pinned,unpinned,useful,wrong,outdated,unjudged" doc:"keeps ends expires, unpinned ends pinned, unjudged takes back what the same key found. Entities can only be pinned"`
	ExpiresAt string     `json:"expires_at,omitempty" maxLength:"64" doc:"With expires: from when on it is hidden" example:"2030-01-01"`
}

type markedThings struct {
	Marked []service.MarkedJSON `json:"marked"`
}

type markPage struct {
	Marks      []service.NotedMarkJSON `json:"marks"`
	NextCursor string                  `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

func (a *api) marks() {
	tags := []string{"facts"}
	const path = "/v1/groups/{group}/marks"
	add(a, op("mark", "POST", path, tags, "Let facts and episodes expire, pin them, or say how they were found",
		"Each who judges has one word on each fact and episode; it moves their scores by a fifth at the most. "+
			"What expires is hidden from that time on, with what only it supports, and taken out soon after."), a.mark)
	add(a, op("list-marks", "GET", path, tags, "List marks, also those that were ended, the latest first"), a.listMarks)
}

func (a *api) mark(ctx context.Context, in *struct {
	InGroup
	Body markChange
},
) (*body[markedThings], error) {
	at, err := graph.ParseTime("expires_at", in.Body.ExpiresAt)
	if err != nil {
		return nil, err
	}
	marked, err := in.Body.IDs.parse("ids")
	if err != nil {
		return nil, err
	}
	done, err := service.New(a.client(ctx)).Mark(ctx, in.Group, service.MarkChange{IDs: marked, Mark: in.Body.Mark, ExpiresAt: at})
	return answer(markedThings{done}, err)
}

func (a *api) listMarks(ctx context.Context, in *struct {
	InGroup
	Paged
	ID uuid.UUID `query:"id" format:"uuid" doc:"Only of this fact, episode or entity"`
},
) (*body[markPage], error) {
	marks, next, err := pageOf("marks", in.Paged,
		func(c cursor) service.NotedMark { return service.NotedMark{ID: c.Row(), Since: c.At} },
		func(m service.NotedMark) cursor { return cursor{ID: &m.ID, At: m.Since} },
		func(after *service.NotedMark, limit int) ([]service.NotedMark, error) {
			return service.New(a.client(ctx)).Marks(ctx, service.MarkFilter{GroupID: in.Group, SubjectID: in.ID, After: after, Limit: limit})
		})
	return answer(markPage{Marks: views(marks, service.NotedMarkOf), NextCursor: next}, err)
}
