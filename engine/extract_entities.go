package engine

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// The most entities taken from one episode.
const maxEntities = 100

// extractEntities asks whom and what the episode speaks of. The speaker is
// always among them, first.
func (e *Engine) extractEntities(ctx context.Context, input prompts.Episode) ([]prompts.ExtractedEntity, error) {
	answer, err := e.analyst.ExtractEntities(ctx, prompts.ExtractEntities{Episode: input})
	if err != nil {
		return nil, analysed(ctx, "extract entities", err)
	}
	entities := answer.Entities
	if input.Speaker != "" {
		entities = append([]prompts.ExtractedEntity{{Name: input.Speaker, Label: labelOf(input.Speaker, entities)}}, entities...)
	}
	return cleanEntities(entities), nil
}

func labelOf(name string, entities []prompts.ExtractedEntity) string {
	for _, e := range entities {
		if strings.EqualFold(e.Name, name) {
			return e.Label
		}
	}
	return ""
}

// cleanEntities drops names that cannot be stored and names that repeat.
func cleanEntities(entities []prompts.ExtractedEntity) []prompts.ExtractedEntity {
	seen := map[string]bool{}
	var clean []prompts.ExtractedEntity
	for _, entity := range entities {
		name, ok := cleanText(entity.Name, graph.MaxName)
		key := strings.ToLower(name)
		if !ok || seen[key] || len(clean) == maxEntities {
			continue
		}
		seen[key] = true
		clean = append(clean, prompts.ExtractedEntity{Name: name, Label: strings.TrimSpace(entity.Label)})
	}
	return clean
}

// cleanText folds white space and reports whether something storable is left.
func cleanText(s string, limit int) (string, bool) {
	s = strings.Join(strings.Fields(s), " ")
	return s, s != "" && len(s) <= limit && utf8.ValidString(s) && !strings.ContainsRune(s, 0)
}
