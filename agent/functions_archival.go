package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
)

const maxTags = 20

type archiveArguments struct {
	Content string   `json:"content" jsonschema:"what to keep, understandable by itself"`
	Tags    []string `json:"tags,omitempty" jsonschema:"words to find it by"`
}

type archiveSearchArguments struct {
	Query         string   `json:"query" jsonschema:"what to look for: words or a question"`
	Page          int      `json:"page,omitempty" jsonschema:"which page of results, from 0"`
	Tags          []string `json:"tags,omitempty" jsonschema:"only passages with these tags"`
	TagMatchMode  string   `json:"tag_match_mode,omitempty" jsonschema:"any (the default): one of the tags is enough; all: it has every one"`
	StartDatetime string   `json:"start_datetime,omitempty" jsonschema:"only from this day or time on"`
	EndDatetime   string   `json:"end_datetime,omitempty" jsonschema:"only up to this day or time, which counts too"`
}

func archivalFunctions() []function {
	return []function{
		define("archival_memory_insert", "Keeps a text in your archive, which has no bounds: facts, reflections, what does not belong into your working context.", archive),
		reads("archival_memory_search", "Searches your archive, attached documents included, by words and by meaning.", searchArchive),
	}
}

// archive prepares the storing of a passage. It computes the vector before the transaction.
func archive(ctx context.Context, t *turn, a archiveArguments) (effect, error) {
	tags, err := cleanTags(a.Tags)
	if err != nil {
		return nil, err
	}
	episode, err := t.agent.passage(archiveThread(t.agent.ID), a.Content, map[string]any{"tags": tags})
	if err != nil {
		return nil, err
	}
	episode.OccurredAt = t.now
	vectors := t.agent.vectors(ctx, episode)
	return func(ctx context.Context, w *writing) (string, error) {
		if err := w.tryStore(ctx, episode, vectors); err != nil {
			return "", err
		}
		w.passages++
		return "It is kept.", nil
	}, nil
}

func cleanTags(tags []string) ([]string, error) {
	clean := []string{}
	for _, tag := range tags {
		if tag = strings.ToLower(strings.TrimSpace(tag)); tag != "" {
			clean = append(clean, tag)
		}
	}
	if len(clean) > maxTags {
		return nil, graph.Invalid("tags", "are %d; the limit is %d", len(clean), maxTags)
	}
	return clean, nil
}

// passage makes the episode of a text in a thread.
func (a *Agent) passage(thread, content string, metadata map[string]any) (annals.Episode, error) {
	text, err := json.Marshal(metadata)
	if err != nil {
		return annals.Episode{}, fmt.Errorf("write the tags: %w", err)
	}
	id := uuid.Must(uuid.NewV7())
	episode := annals.Episode{
		GroupID: a.GroupID, ID: id, Source: graph.SourceText, Content: content, Actor: a.Name, ThreadID: thread, Metadata: text, Deferred: true,
	}
	return episode, episode.Validate()
}

func searchArchive(ctx context.Context, t *turn, a archiveSearchArguments) (string, error) {
	skip, err := skipOf(a.Page)
	if err != nil {
		return "", err
	}
	since, until, err := t.days(a.StartDatetime, a.EndDatetime)
	if err != nil {
		return "", err
	}
	tags, err := cleanTags(a.Tags)
	if err != nil {
		return "", err
	}
	if mode := a.TagMatchMode; mode != "" && mode != "any" && mode != "all" {
		return "", graph.Invalid("tag_match_mode", "%q is neither any nor all", mode)
	}
	passages, total, err := t.agent.SearchArchive(ctx, PassageQuery{
		Text: a.Query, Tags: tags, AllTags: a.TagMatchMode == "all", Since: since, Until: until, Skip: skip, Limit: pageSize,
	})
	if err != nil {
		return "", err
	}
	return t.page(each.Of(passages, func(p Passage) string {
		line := stamp(p.CreatedAt, t.zone)
		if p.File != "" {
			line += fmt.Sprintf(", %s, lines %d to %d", fence.Plain(p.File), p.FirstLine, p.LastLine)
		}
		if len(p.Tags) > 0 {
			line += " [" + strings.Join(p.Tags, ", ") + "]"
		}
		return fence.Noted(line+": "+t.excerpt(p.Content), p.Note)
	}), a.Page, total), nil
}
