package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/chunk"
	"github.com/annalsdb/annals/engine/community"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/guard"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// resolveAttempts is how often a draft is placed while the graph changes meanwhile.
const resolveAttempts = 3

// walk takes drafts through the steps of the engine into the graph.
type walk struct {
	*change.Writer
	store       db.Store // where drafts are placed: the pool, or the transaction of a rehearsal
	analyst     analyst.Analyst
	options     Options
	communities *community.Builder
	approved    []db.ApprovedOfRow // of a rehearsal: approvals of facts that are placed again
	cameAt      time.Time          // of a rehearsal: when the episodes first came into the graph; zero: now
	log         *slog.Logger
}

// ingest takes episodes, one or a window of messages, from text to committed graph. The returned
// draft holds the trace, even if there is an error.
func (w *walk) ingest(ctx context.Context, episodes []graph.Episode) (*draft, error) {
	d := &draft{groupID: episodes[0].GroupID, episodes: episodes}
	ctx = model.WithSubject(ctx, model.Subject{GroupID: d.groupID, EpisodeID: subjectOf(episodes)})
	ctx, end := w.spanOf(ctx, episodes)
	err := w.take(ctx, d,
		step{stepPrepare, w.prepare},
		step{stepExtractEntities, w.extractEntities},
		step{"", w.embedNamesAndExtractFacts},
		step{"", leaveOutMachines},
		step{stepEmbedFacts, w.embedFacts},
		step{"", w.settle})
	end(err)
	return d, err
}

func (w *walk) embedNamesAndExtractFacts(ctx context.Context, d *draft) error {
	both, ctx := errgroup.WithContext(ctx)
	both.Go(guard.Runs(func() error { return w.take(ctx, d, step{stepEmbedNames, w.embedNames}) }))
	both.Go(guard.Runs(func() error { return w.take(ctx, d, step{stepExtractFacts, w.extractFacts}) }))
	return both.Wait()
}

// subjectOf returns the episode to which the ledger charges a window.
func subjectOf(episodes []graph.Episode) uuid.UUID { return episodes[0].ID }

// settle places and commits the draft, and starts over if the graph changed meanwhile.
func (w *walk) settle(ctx context.Context, d *draft) error {
	for attempt := 1; ; attempt++ {
		err := w.place(ctx, d)
		if !errors.Is(err, errStale) || attempt == resolveAttempts {
			return err
		}
	}
}

func (w *walk) place(ctx context.Context, d *draft) error {
	d.placed, d.questions, d.renamed, d.parted = nil, 0, nil, nil
	return w.take(ctx, d,
		step{"", w.findWithheld},
		step{stepResolveEntities, w.resolveEntities},
		step{stepResolveFacts, w.resolveFacts},
		step{"", checkEnds},
		step{stepApplyTime, w.applyTime},
		step{stepSummarise, w.summarise},
		step{stepCommit, w.commit})
}

// checkEnds refuses a triple whose source and target resolve to the same entity.
func checkEnds(_ context.Context, d *draft) error {
	for _, s := range d.statements {
		if d.handed && d.nodes[s.source] == d.nodes[s.target] {
			return graph.Invalid("target", "is the same entity as the source, %s: a fact holds between two different ones", d.nodes[s.source].Name)
		}
	}
	return nil
}

func (w *walk) applyTime(ctx context.Context, d *draft) error {
	d.applyTime()
	return w.reword(ctx, d)
}

// prepare makes the input of the prompts: text in parts, previous messages, known facts,
// ontology.
func (w *walk) prepare(ctx context.Context, d *draft) error {
	err := w.settings(ctx, d)
	if err != nil {
		return err
	}
	if d.episodes[0].Source == graph.SourceRun {
		return nil // a run is not read in parts: a trigger learns skills from it
	}
	if d.input, err = w.inputOf(ctx, d); err != nil {
		return err
	}
	chunks, err := chunksOf(d.input)
	if err != nil {
		return analyst.Failed(ctx, "read the document", err)
	}
	for i, c := range chunks {
		input := d.input
		input.Content = c.Text
		if i > 0 {
			input.Previous = nil
		}
		d.parts = append(d.parts, part{input: input})
	}
	return nil
}

func chunksOf(input prompts.Episode) ([]chunk.Chunk, error) {
	if input.Source == string(graph.SourceJSON) {
		return chunk.JSON(input.Content, chunk.Options{})
	}
	return chunk.Text(input.Content, chunk.Options{}), nil
}

func (w *walk) inputOf(ctx context.Context, d *draft) (prompts.Episode, error) {
	first := d.episodes[0]
	input := prompts.Episode{
		Source: string(first.Source), Description: first.SourceDescription, OccurredAt: first.OccurredAt,
		Instructions: d.ontology.Instructions,
	}
	if len(d.episodes) == 1 {
		input.Speaker, input.Role, input.Content = first.Speaker(), first.Role, first.Content
	} else {
		input.Window = each.Of(d.episodes, analyst.MessageOf)
	}
	var err error
	if input.Previous, err = w.previous(ctx, d); err != nil {
		return input, err
	}
	return input, w.inform(ctx, d, &input)
}

// previous reads the messages that come just before in the thread.
func (w *walk) previous(ctx context.Context, d *draft) ([]prompts.Message, error) {
	episode := d.episodes[0]
	n := w.options.Previous
	if episode.Previous != nil {
		n = *episode.Previous
	}
	if episode.Source != graph.SourceMessage || n == 0 {
		return nil, nil
	}
	rows, err := db.New(w.store).EpisodesBefore(ctx, db.EpisodesBeforeParams{
		GroupID: episode.GroupID, ThreadID: episode.ThreadID, OccurredAt: episode.OccurredAt, ID: episode.ID,
		Authority: episode.Authority, MaxRows: int32(n),
	})
	if err != nil {
		return nil, fmt.Errorf("read what was said before: %w", err)
	}
	var messages []prompts.Message
	for _, row := range slices.Backward(rows) {
		before := graph.Episode{Source: graph.SourceMessage, Actor: row.Actor, Role: row.Role, Content: row.Content, OccurredAt: row.OccurredAt}
		d.heard(&before)
		messages = append(messages, analyst.MessageOf(before))
	}
	return messages, nil
}

// embedNames makes the vectors of names and episodes in one batch.
func (w *walk) embedNames(ctx context.Context, d *draft) error {
	lists := [][]string{each.Of(d.names, func(n extractedName) string { return n.Name })}
	for _, episode := range d.episodes {
		lists = append(lists, EpisodeTexts(w.Embedder, episode))
	}
	vectors, err := w.embedLists(ctx, lists)
	if err != nil {
		return err
	}
	d.nameVectors, d.episodeVectors = vectors[0], vectors[1:]
	return nil
}

// EpisodeTexts returns the texts by which an episode is embedded: the whole, and each passage of a
// person's message, as the vector of the whole hardly shows details. Lexical embedders gain nothing
// from passages, and answers of assistants have too many.
func EpisodeTexts(embedder model.Embedder, e graph.Episode) []string {
	if e.Source == graph.SourceRun {
		return []string{taskOf(e)}
	}
	texts := []string{e.Content}
	if e.ByPerson() && !model.Lexical(embedder) {
		texts = append(texts, chunk.Passages(e.Content)...)
	}
	return texts
}

// taskOf returns the part of a run that is searched. Commands and outputs of tools were not said by
// anybody.
func taskOf(run graph.Episode) string {
	var r graph.Run
	if json.Unmarshal([]byte(run.Content), &r) != nil || r.Task == "" {
		return run.Content
	}
	return r.Task
}

func (w *walk) embedFacts(ctx context.Context, d *draft) error {
	if len(d.statements) == 0 {
		return nil
	}
	vectors, err := w.embed(ctx, each.Of(d.statements, func(s statement) string { return graph.SearchText(s.fact, s.predicate) }))
	if err != nil {
		return err
	}
	for i := range d.statements {
		d.statements[i].vector = vectors[i]
	}
	return nil
}

func (w *walk) embedLists(ctx context.Context, lists [][]string) ([][][]float32, error) {
	vectors, err := model.VectorLists(ctx, w.Embedder, lists)
	return vectors, analyst.Failed(ctx, stepEmbed, err)
}

func (w *walk) embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := model.Vectors(ctx, w.Embedder, texts)
	return vectors, analyst.Failed(ctx, stepEmbed, err)
}
