package client

import (
	"context"
	"net/http"
	"reflect"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

const maxQuery = 8192 // bytes; the library cuts what is longer too

// Search finds what a memory has about a text.
func (c *Client) Search(ctx context.Context, q annals.Query) (annals.Result, error) {
	k := in(http.MethodPost, q.GroupID, "search")
	k.body = inputOfQuery(q)
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
		Explanation  *annals.Explanation     `json:"explanation"`
	}](ctx, c, k)
	if err != nil {
		return annals.Result{}, err
	}
	result := annals.Result{Asked: q.Text, ValidAt: q.ValidAt, Explanation: out.Explanation}
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
		result.Episodes = append(result.Episodes, annals.EpisodeHit{Episode: episodeOf(h.GroupID, h.EpisodeJSON), Score: orZero(h.Score)})
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

// appendHits makes room for hits whose type has no name outside of the library.
func appendHits[Hit any](hits []Hit, n int) []Hit {
	if n == 0 {
		return hits
	}
	return append(hits, make([]Hit, n)...)
}

// Context is what a memory has about a text, in words for a model's prompt.
func (c *Client) Context(ctx context.Context, q annals.Query) (string, error) {
	return c.ContextAs(ctx, q, annals.Construction{})
}

// ContextAs is [Client.Context] in another form. A template of one's own, and a text
// that it becomes a part of, are for the library alone.
func (c *Client) ContextAs(ctx context.Context, q annals.Query, as annals.Construction) (string, error) {
	if as.Template != "" || as.Within != "" {
		return "", graph.Invalid("template", "is not taken over REST; fill it from what Search finds")
	}
	k := in(http.MethodPost, q.GroupID, "context")
	k.body = struct {
		annals.QueryInput
		Hits      int    `json:"hits,omitempty"`
		Tokens    int    `json:"tokens,omitempty"`
		Citations bool   `json:"citations,omitempty"`
		Words     bool   `json:"dates_in_words,omitempty"`
		Encoding  string `json:"encoding,omitempty"`
	}{inputOfQuery(q), as.Hits, as.Tokens, as.Citations, as.Words, as.Encoding}
	out, _, err := send[struct {
		Context string `json:"context"`
	}](ctx, c, k)
	return out.Context, err
}

// inputOfQuery is a query as REST takes it. Replies, Former, Changes, Pinned and SaidByThen are left
// out: contexts ask for them by themselves.
func inputOfQuery(q annals.Query) annals.QueryInput {
	input := annals.QueryInput{
		Query: cut(q.Text), Conversation: q.Conversation, Limit: q.Limit, Scopes: texts(q.Scopes), Methods: texts(q.Methods), Rerank: texts(q.Rerank),
		Lambda: q.Lambda, SeedRecent: q.SeedRecent, Hops: q.Hops, AsOf: written(q.ValidAt), KnownAt: written(q.KnownAt), AskedAt: written(q.AskedAt),
		IncludeEnded: q.IncludeEnded, AlsoIn: q.AlsoIn, MinScore: q.MinScore, MinFit: q.MinFit, MentionBoost: q.MentionBoost, Explain: q.Explain,
		Trust: string(q.Trust),
	}
	for _, id := range q.Seeds {
		input.Seeds = append(input.Seeds, id.String())
	}
	if q.Center != uuid.Nil {
		input.Center = q.Center.String()
	}
	if q.Recency != 0 {
		input.Recency = q.Recency.String()
	}
	if !reflect.DeepEqual(q.Filter, annals.Filter{}) {
		input.Filter = &q.Filter
	}
	return input
}

func texts[T ~string](list []T) []string {
	var out []string
	for _, one := range list {
		out = append(out, string(one))
	}
	return out
}

// cut shortens a text to what a query may have.
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
