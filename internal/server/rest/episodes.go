package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// newEpisode is the JSON that [graph.ParseEpisode] accepts.
type newEpisode graph.EpisodeInput

// TransformSchema declares the metadata as an object, which the Go type does not.
func (newEpisode) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties["metadata"].Type, s.Properties["metadata"].Nullable = huma.TypeObject, true
	s.Properties["metadata"].AdditionalProperties = true
	return s
}

// accepted is the outcome of adding an episode.
type accepted struct {
	ID         uuid.UUID   `json:"id" format:"uuid"`
	New        bool        `json:"new" doc:"false: the group already had an episode with this external_id"`
	ExternalID string      `json:"external_id,omitempty"`
	State      graph.State `json:"state" enum:"pending,processing,done,failed" doc:"How far it has come; done: it is in the graph"`
	Note       string      `json:"note,omitempty" doc:"How its time was read, where the clocks of the group show what was written twice or never; how many words of a very long text are not searched"`
}

func acceptedOf(e annals.Episode, s annals.Stored) accepted {
	return accepted{ID: s.ID, New: s.New, ExternalID: e.ExternalID, State: s.State, Note: s.Note}
}

type acceptedAnswer struct {
	Status   int
	Location string `header:"Location"`
	Body     any
}

type episodePage struct {
	Episodes   []graph.EpisodeJSON `json:"episodes"`
	NextCursor string              `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

// OneEpisode identifies an episode in a path.
type OneEpisode struct {
	InGroup
	Episode uuid.UUID `path:"episode" format:"uuid"`
}

func (a *api) episodes() {
	tags := []string{"episodes"}
	add(a, op("list-episodes", "GET", "/v1/groups/{group}/episodes", tags, "List what was taken in, the latest first"), calling(a.listEpisodes))
	a.addEpisodesRoute(tags)
	add(a, op("get-episode", "GET", "/v1/groups/{group}/episodes/{episode}", tags, "Get an episode and its state"),
		func(ctx context.Context, in *OneEpisode) (*body[graph.EpisodeJSON], error) {
			episode, err := a.client(ctx).Episode(ctx, in.Group, in.Episode)
			if err != nil {
				return nil, err
			}
			shown, err := a.noted(ctx, in.Group, []annals.Episode{episode})
			if err != nil {
				return nil, err
			}
			return answer(shown[0], nil)
		})
	add(a, op("get-trace", "GET", "/v1/groups/{group}/episodes/{episode}/trace", tags, "Tell what the graph took from an episode, and why"), a.trace)
	add(a, op("retry-episodes", "POST", "/v1/groups/{group}/retry", tags, "Read failed and deferred episodes again").answering(http.StatusAccepted), a.retry)
}

func (a *api) listEpisodes(ctx context.Context, in *struct {
	InGroup
	input.ListEpisodes
}, filter annals.EpisodeFilter,
) (episodePage, error) {
	filter.GroupID = in.Group
	return a.episodePage(ctx, filter, in.Page)
}

func (a *api) episodePage(ctx context.Context, filter annals.EpisodeFilter, in input.Page) (page episodePage, err error) {
	episodes, next, err := pageOf(paging.Episodes, itself, in, &filter.After, &filter.Limit, func() ([]annals.Episode, error) { return a.client(ctx).Episodes(ctx, filter) })
	if err != nil {
		return page, err
	}
	shown, err := a.noted(ctx, filter.GroupID, episodes)
	return episodePage{shown, next}, err
}

// noted returns episodes with what has become of their statements.
func (a *api) noted(ctx context.Context, group string, episodes []annals.Episode) ([]graph.EpisodeJSON, error) {
	found, err := a.service(ctx).Annotate(ctx, annals.Query{GroupID: group}, service.Rows{Episodes: episodes})
	return each.Of(found.Episodes, annals.EpisodeHit.JSON), err
}

// addEpisodesRoute adds the route that takes one episode as JSON, or any number as JSON lines.
func (a *api) addEpisodesRoute(tags []string) {
	const path = "/v1/groups/{group}/episodes"
	registry := a.huma.OpenAPI().Components.Schemas
	episode := registry.Schema(reflect.TypeFor[newEpisode](), true, "NewEpisode")
	one := registry.Schema(reflect.TypeFor[accepted](), true, "Accepted")
	many := registry.Schema(reflect.TypeFor[bulkReport](), true, "BulkReport")
	addWithHeaders(a, operation{
		OperationID: "add-episodes", Method: http.MethodPost, Path: path, Tags: tags,
		Summary: "Add what was said or written",
		Description: "One episode as application/json, or any number as application/x-ndjson, one on a line, which are stored " +
			"in the order they come, some hundred at a time. What was accepted is safe; it is read into the graph afterwards. " +
			"A line that is refused ends the request: what came before it stays, and the problem says how many that were. " +
			"A line that was erased is left out, counted and named; only where all of them were is that a problem.",
		DefaultStatus: http.StatusAccepted,
		Responses: map[string]*huma.Response{
			"200": {Description: "It was there already", Content: map[string]*huma.MediaType{"application/json": {Schema: one}}},
			"202": {Description: "Stored", Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{OneOf: []*huma.Schema{one, many}}}}},
		},
	}, a.addEpisodes)
	// Set before, this would make huma read the body as JSON.
	a.huma.OpenAPI().Paths[path].Post.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/json":     {Schema: episode},
		"application/x-ndjson": {Schema: &huma.Schema{Type: huma.TypeString, Description: "One episode on a line, of at most 10 MiB"}},
	}}
}

// addInput is one episode, or a stream of them.
type addInput struct {
	InGroup
	Undecoded
	Key string `header:"Idempotency-Key" doc:"A word of your own for this request: sent again within a day, it is done once"`
}

func (a *api) addEpisode(ctx context.Context, in *addInput, data []byte) (*acceptedAnswer, error) {
	episode, err := parseEpisode(in.Group, data)
	if err != nil {
		return nil, err
	}
	return a.addOne(ctx, episode)
}

// addOnce stores episodes, except those that were erased before. If the request has an
// Idempotency-Key, the response is stored in the same transaction. So even a crash between the two
// cannot make the request run twice.
func (a *api) addOnce(
	ctx context.Context, episodes []annals.Episode, reply func(service.Added) (status int, location string, body any),
) error {
	if !server.Promised(ctx) {
		added, err := service.AddEach(ctx, a.client(ctx), episodes, nil)
		if err == nil {
			reply(added)
		}
		return err
	}
	_, err := service.AddEach(ctx, a.client(ctx), episodes, func(tx pgx.Tx, added service.Added) error {
		status, location, said := reply(added)
		var text bytes.Buffer
		if err := strictJSON.Marshal(&text, said); err != nil {
			return err
		}
		header := map[string]string{"Content-Type": "application/json"}
		if location != "" {
			header["Location"] = location
		}
		return a.server.KeepReply(ctx, tx, service.Reply{Status: status, Header: header, Body: text.Bytes()})
	})
	return err
}

func parseEpisode(group string, data []byte) (annals.Episode, error) {
	written, err := graph.ParseEpisode(data, graph.EpisodeInput{})
	if err != nil && !(utf8.Valid(data) && json.Valid(data)) {
		return annals.Episode{}, huma.Error400BadRequest("the body is not JSON", &huma.ErrorDetail{Message: err.Error(), Location: "body"})
	}
	if err != nil {
		return annals.Episode{}, asEpisode(err)
	}
	return written.Episode(group)
}

// asEpisode gives an error about a whole episode a field.
func asEpisode(err error) error {
	if annals.CodeOf(err) == annals.CodeInternal {
		return graph.Invalid("episode", "%v", err)
	}
	return err
}

type traceList struct {
	Trace []service.TraceJSON `json:"trace"`
}

func (a *api) trace(ctx context.Context, in *OneEpisode) (*body[traceList], error) {
	if _, err := a.client(ctx).Episode(ctx, in.Group, in.Episode); err != nil {
		return nil, err
	}
	entries, err := a.client(ctx).Trace(ctx, in.Group, in.Episode)
	return answer(traceList{each.Of(entries, service.TraceOf)}, err)
}

type retried struct {
	Retried int `json:"retried" doc:"How many episodes wait again"`
}

func (a *api) retry(ctx context.Context, in *InGroup) (*body[retried], error) {
	n, err := a.client(ctx).Retry(ctx, in.Group)
	return answer(retried{n}, err)
}

func isLines(contentType string) bool { return strings.HasPrefix(contentType, "application/x-ndjson") }

func isJSON(contentType string) bool {
	return contentType == "" || strings.HasPrefix(contentType, "application/json")
}
