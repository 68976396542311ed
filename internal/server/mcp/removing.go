package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

func (d *door) removing() {
	addOne(d, tool{
		name: "delete_episode", title: "Undo an episode", destroys: true,
		about: "Undo an episode: what only it supports goes, what it had ended holds again. The history keeps what was believed before.",
	}, d.deleteEpisode)
	addOne(d, tool{
		name: "delete_entity_edge", title: "Withdraw a fact", destroys: true,
		about: "Withdraw one fact: it is no longer believed, and the history keeps it. A fact that has merely ended is not to be deleted: " +
			"say what is true now with add_memory.",
	}, d.deleteEntityEdge)
	add(d, tool{
		name: "clear_graph", title: "Clear a memory", destroys: true, empties: true,
		about: "Undo every episode of the groups, and with them all that memory knows there. Only on the user's explicit wish.",
	}, d.clearGraph)
}

type deleteEpisodeInput struct {
	UUID string `json:"uuid" maxLength:"64" doc:"of the episode"`
	OfGroup
}

func (d *door) deleteEpisode(ctx context.Context, c client, in deleteEpisodeInput) (outcome, error) {
	id, err := parseID("uuid", in.UUID)
	if err != nil {
		return outcome{}, err
	}
	undone, err := c.Undo(ctx, c.group, id)
	if err != nil {
		return outcome{}, err
	}
	return outcome{fmt.Sprintf("Episode with UUID %s deleted successfully: with it went %s and %s; %d of those that it ended hold again",
		id, each.Count(undone.FactsRemoved, "fact"), each.Count(undone.EntitiesRemoved, "entity"), undone.FactsReopened)}, nil
}

func (d *door) deleteEntityEdge(ctx context.Context, c client, in edgeInput) (outcome, error) {
	id, err := parseID("uuid", in.UUID)
	if err != nil {
		return outcome{}, err
	}
	if err := c.WithdrawFact(ctx, c.group, id); err != nil {
		return outcome{}, err
	}
	return outcome{fmt.Sprintf("Entity edge with UUID %s deleted successfully", id)}, nil
}

type clearGraphInput struct {
	OfGroups
}

func (d *door) clearGraph(ctx context.Context, in clearGraphInput) (outcome, error) {
	c, groups, err := d.several(ctx, in.GroupIDs)
	if err != nil {
		return outcome{}, err
	}
	for _, group := range groups { // check all groups before one of them is cleared
		if _, err := c.Group(ctx, group); err != nil {
			return outcome{}, err
		}
	}
	for _, group := range groups {
		if err := service.New(c).Clear(ctx, group); err != nil {
			return outcome{}, err
		}
	}
	return outcome{"Graph data cleared successfully for group IDs: " + strings.Join(groups, ", ")}, nil
}
