package engine

import (
	"context"
	"slices"

	"github.com/annalsdb/annals/db"
)

// eraseFiles removes documents of agents that are to be erased in part or that
// name the entity, and adds their other parts to the episodes.
func (x *eraser) eraseFiles(ctx context.Context, words []string) error {
	files, err := x.q.AgentFilesErase(ctx, db.AgentFilesEraseParams{
		GroupID: x.GroupID, Words: append([]string{}, words...), EpisodeIds: x.episodes(),
	})
	if err != nil {
		return err
	}
	x.count("agent_files", int64(len(files)))
	for _, f := range files {
		parts, err := x.q.EpisodesOfFile(ctx, db.EpisodesOfFileParams{GroupID: x.GroupID, AgentID: f.AgentID, Name: f.Name})
		if err != nil {
			return err
		}
		for _, id := range parts {
			if !slices.Contains(x.EpisodeIDs, id) {
				x.EpisodeIDs = append(x.episodes(), id)
			}
		}
	}
	return nil
}

// eraseFromAgents removes what agents did and wrote down since the episodes were
// stored, where it repeats them or names the entity.
func (x *eraser) eraseFromAgents(ctx context.Context, t *traced) error {
	if !t.heardAt.IsZero() {
		gone, err := x.q.WordsOfGone(ctx, db.WordsOfGoneParams{GroupID: x.GroupID, Ids: t.entities})
		if err != nil {
			return err
		}
		rows, err := x.q.EraseFromAgents(ctx, db.EraseFromAgentsParams{
			GroupID: x.GroupID, Words: append([]string{}, gone...), Terms: append([]string{}, t.terms...), Since: &t.heardAt,
		})
		if err != nil {
			return err
		}
		x.countBoth(rows)
	}
	if len(t.words) > 0 {
		rows, err := x.q.EraseFromAgents(ctx, db.EraseFromAgentsParams{GroupID: x.GroupID, Words: t.words, Terms: []string{}})
		if err != nil {
			return err
		}
		x.countBoth(rows)
	}
	return x.q.PassagesCount(ctx, x.GroupID)
}

func (x *eraser) countBoth(rows []db.ErasedRow) {
	for _, row := range rows {
		x.removed[row.Source] += row.Removed
		x.edited[row.Source] += row.Edited
	}
}
