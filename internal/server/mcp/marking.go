package mcp

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func (d *door) marking() {
	addOne(d, tool{
		name: "mark_memory", title: "Pin, judge or expire", repeats: true,
		about: "Pin facts, episodes or entities (first in contexts), say that they or skills are useful, wrong or outdated, " +
			"or let them expire. A wrong fact stays believed until delete_entity_edge.",
	}, d.markMemory)
}

type markMemoryInput struct {
	input.MarkChange
	OfGroup
}

func (d *door) markMemory(ctx context.Context, c client, in markMemoryInput) (outcome, error) {
	change, err := input.Read(in, service.MarkChange{})
	if err != nil {
		return outcome{}, err
	}
	if len(change.IDs) == 0 {
		return outcome{}, graph.Invalid("uuids", "are none; name 1 to %d", graph.MaxMarked)
	}
	marked, err := service.New(c.Client).Mark(ctx, c.group, change)
	if err != nil {
		return outcome{}, err
	}
	text := fmt.Sprintf("Marked %d as %s", len(marked), in.Mark)
	if len(marked) > 0 && marked[0].Offer != "" {
		text += "; they are believed all the same, and delete_entity_edge withdraws one"
	}
	return outcome{text}, nil
}
