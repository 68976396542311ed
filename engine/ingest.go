package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// How often an episode is resolved anew because the graph changed under it.
const resolveAttempts = 3

// ingest takes one claimed episode from text to committed graph.
func (e *Engine) ingest(ctx context.Context, episode graph.Episode) (Processed, error) {
	input, err := e.read(ctx, episode)
	if err != nil {
		return Processed{}, err
	}
	names, err := e.extractEntities(ctx, input)
	if err != nil {
		return Processed{}, err
	}
	d := &draft{episode: episode, input: input, names: names}
	if err := e.embedNames(ctx, d); err != nil {
		return Processed{}, err
	}
	if err := e.extractFacts(ctx, d); err != nil {
		return Processed{}, err
	}
	if err := e.embedFacts(ctx, d); err != nil {
		return Processed{}, err
	}
	for attempt := 1; ; attempt++ {
		done, err := e.place(ctx, d)
		if !errors.Is(err, errStale) || attempt == resolveAttempts {
			return done, err
		}
	}
}

// place finds the draft's place in the graph as it is now and commits it.
func (e *Engine) place(ctx context.Context, d *draft) (Processed, error) {
	if err := e.resolveEntities(ctx, d); err != nil {
		return Processed{}, err
	}
	if err := e.resolveFacts(ctx, d); err != nil {
		return Processed{}, err
	}
	d.applyTime()
	if err := e.summarise(ctx, d); err != nil {
		return Processed{}, err
	}
	if err := e.commit(ctx, d); err != nil {
		return Processed{}, err
	}
	return Processed{Episode: d.episode, Entities: len(d.mentioned()), Facts: len(d.facts), Closed: len(d.closings())}, nil
}

// read puts the episode and what was said just before into the words of the prompts.
func (e *Engine) read(ctx context.Context, episode graph.Episode) (prompts.Episode, error) {
	input := prompts.Episode{
		Source: string(episode.Source), Speaker: episode.Speaker(), Role: episode.Role,
		Content: episode.Content, OccurredAt: episode.OccurredAt,
	}
	if episode.Source != graph.SourceMessage {
		return input, nil
	}
	rows, err := db.New(e.pool).EpisodesBefore(ctx, db.EpisodesBeforeParams{
		GroupID: episode.GroupID, ThreadID: episode.ThreadID, OccurredAt: episode.OccurredAt, ID: episode.ID,
		MaxRows: DefaultPrevious,
	})
	if err != nil {
		return input, fmt.Errorf("read what was said before: %w", err)
	}
	for _, row := range slices.Backward(rows) {
		speaker := graph.Episode{Actor: row.Actor, Role: row.Role}.Speaker()
		input.Previous = append(input.Previous, prompts.Message{
			Speaker: speaker, Content: row.Content, OccurredAt: row.OccurredAt.UTC(),
		})
	}
	return input, nil
}
