package mcp

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

func (d *door) marking() {
	add(d, tool{
		name: "mark_memory", title: "Pin, judge or expire", repeats: true,
		about: "Pin facts, episodes or entities (they come first in contexts), say that they are useful, wrong or outdated (moves their rank a little), " +
			"or let them expire. A wrong fact stays believed until delete_entity_edge.",
	}, d.markMemory)
}

type markMemoryInput struct {
	UUIDs     []string `json:"uuids" jsonschema:"entities can only be pinned"`
	Mark      string   `json:"mark" jsonschema:"pinned, unpinned, useful, wrong, outdated, unjudged, expires or keeps"`
	ExpiresAt string   `json:"expires_at,omitempty" jsonschema:"with expires: from when on it is hidden"`
	GroupID   string   `json:"group_id,omitempty" jsonschema:"left out: the default group"`
}

func (d *door) markMemory(ctx context.Context, in markMemoryInput) (outcome, error) {
	c, err := d.one(ctx, in.GroupID)
	if err != nil {
		return outcome{}, err
	}
	change := service.MarkChange{Mark: graph.Mark(in.Mark)}
	if change.ExpiresAt, err = graph.ParseTime("expires_at", in.ExpiresAt); err != nil {
		return outcome{}, err
	}
	for _, text := range in.UUIDs {
		id, err := parseID("uuids", text)
		if err != nil {
			return outcome{}, err
		}
		if id != uuid.Nil {
			change.IDs = append(change.IDs, id)
		}
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
