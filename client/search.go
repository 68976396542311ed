package client

import (
	"context"
	"net/http"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
)

const maxQuery = 8192 // bytes; the library cuts longer ones too

// Search finds facts, entities, episodes and communities that bear on a text.
func (c *Client) Search(ctx context.Context, q annals.Query) (annals.Result, error) {
	out, _, err := send[struct {
		Facts []struct {
			GroupID string `json:"group_id"`
			graph.FactJSON
		} `json:"facts"`
		Entities []struct {
			GroupID string `json:"group_id"`
			graph.EntityJSON
		} `json:"entities"`
		Episodes []struct {
			GroupID string `json:"group_id"`
			Passage bool   `json:"passage"`
			graph.EpisodeJSON
		} `json:"episodes"`
		Communities []struct {
			GroupID string `json:"group_id"`
			graph.CommunityJSON
		} `json:"communities"`
		Threads []struct {
			GroupID string  `json:"group_id"`
			ID      string  `json:"id"`
			Score   float64 `json:"score"`
		} `json:"threads"`
		Observations []graph.ObservationJSON `json:"observations"`
		Without      []string                `json:"without"`
		Explanation  *annals.Explanation     `json:"explanation"`
	}](ctx, c, in(http.MethodPost, q.GroupID, "search").saying(inputOfQuery(q)))
	if err != nil {
		return annals.Result{}, err
	}
	result := annals.Result{Asked: q.Text, ValidAt: q.ValidAt, Without: out.Without, Explanation: out.Explanation}
	if result.AsOf = q.ValidAt; result.AsOf.IsZero() {
		result.AsOf = q.AskedAt
	}
	for _, h := range out.Facts {
		result.Facts = append(result.Facts, annals.FactHit{Fact: factOf(h.GroupID, h.FactJSON), Score: orZero(h.Score)})
	}
	for _, h := range out.Entities {
		result.Entities = append(result.Entities, annals.EntityHit{Entity: entityOf(h.GroupID, h.EntityJSON, nil), Score: orZero(h.Score)})
	}
	for _, h := range out.Episodes {
		result.Episodes = append(result.Episodes, annals.EpisodeHit{Episode: episodeOf(h.GroupID, h.EpisodeJSON), Score: orZero(h.Score), Passage: h.Passage})
	}
	result.Communities = appendHits(result.Communities, len(out.Communities))
	for i, h := range out.Communities {
		result.Communities[i].Community, result.Communities[i].Score = communityOf(h.GroupID, h.CommunityJSON), orZero(h.Score)
	}
	for _, h := range out.Observations {
		result.Observations = append(result.Observations, annals.ObservationHit{Observation: observationOf(h), Score: orZero(h.Score)})
	}
	for _, h := range out.Threads {
		result.Threads = append(result.Threads, annals.ThreadHit(h))
	}
	return result, nil
}

// appendHits appends n empty hits. The type of a hit has no exported name.
func appendHits[Hit any](hits []Hit, n int) []Hit {
	if n == 0 {
		return hits
	}
	return append(hits, make([]Hit, n)...)
}

// Context returns the memory's knowledge about a text, as text for a model's prompt.
func (c *Client) Context(ctx context.Context, q annals.Query) (string, error) {
	return c.ContextAs(ctx, q, annals.Construction{})
}

// ContextAs is [Client.Context] in another form. Template and Within are refused: only the library
// takes them.
func (c *Client) ContextAs(ctx context.Context, q annals.Query, as annals.Construction) (string, error) {
	if as.Template != "" || as.Within != "" {
		return "", graph.Invalid("template", "is not taken over REST; fill it from what Search finds")
	}
	return member[string](ctx, c, in(http.MethodPost, q.GroupID, "context").saying(struct {
		annals.QueryInput
		input.Construction
	}{inputOfQuery(q), input.Say[input.Construction](as)}), "context")
}

// inputOfQuery converts a query to the form of REST. It leaves out Replies, Former, Changes, Pinned
// and SaidByThen, which contexts set themselves.
func inputOfQuery(q annals.Query) annals.QueryInput {
	said := input.Say[annals.QueryInput](q)
	said.Query, said.Seeds = cut(q.Text), texts(q.Seeds)
	if q.Center != uuid.Nil {
		said.Center = q.Center.String()
	}
	return said
}

func texts(ids []uuid.UUID) []string { return each.Of(ids, uuid.UUID.String) }

// cut shortens a text to the limit of a query.
func cut(text string) string {
	if len(text) <= maxQuery {
		return text
	}
	end := maxQuery
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
