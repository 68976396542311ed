package rest

import (
	"context"

	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/service"
)

type markedThings struct {
	Marked []service.MarkedJSON `json:"marked"`
}

type markPage struct {
	Marks      []service.NotedMark `json:"marks"`
	NextCursor string              `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

func (a *api) marks() {
	tags := []string{"facts"}
	const path = "/v1/groups/{group}/marks"
	add(a, op("mark", "POST", path, tags, "Let facts and episodes expire, pin them, or say how they were found",
		"Each who judges has one word on each fact and episode; it moves their scores by a fifth at the most. "+
			"What expires is hidden from that time on, with what only it supports, and taken out soon after."), calling(a.mark))
	add(a, op("list-marks", "GET", path, tags, "List marks, also those that were ended, the latest first"), calling(a.listMarks))
}

func (a *api) mark(ctx context.Context, in *toGroup[input.MarkChange], change service.MarkChange) (markedThings, error) {
	done, err := a.service(ctx).Mark(ctx, in.Group, change)
	return markedThings{done}, err
}

var markList = paging.List[service.NotedMark]{
	Name: "marks",
	Mark: func(m service.NotedMark) cursor { return cursor{ID: &m.ID, At: m.Since} },
	Row:  func(c cursor) service.NotedMark { return service.NotedMark{ID: c.Row(), Since: c.At} },
}

func (a *api) listMarks(ctx context.Context, in *struct {
	InGroup
	input.ListMarks
}, filter service.MarkFilter,
) (page markPage, err error) {
	filter.GroupID = in.Group
	page.Marks, page.NextCursor, err = pageOf(markList, itself, in.Page, &filter.After, &filter.Limit, func() ([]service.NotedMark, error) {
		return a.service(ctx).Marks(ctx, filter)
	})
	return page, err
}
