// Package rest is the REST interface of Annals: /v1/groups/{group}/… with JSON requests and
// responses. The OpenAPI 3.1 document at /openapi.json describes it, and so does the page at /docs.
//
// The package is thin. A route checks its input, calls the library as any program would, and
// answers with the same JSON as the command line prints. Errors are problem documents (RFC 9457)
// with a code and the location of the wrong input.
package rest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// Options configures the interface. The zero value is ready to use.
type Options struct {
	// Agents says what agents may reach outside their memory. Defaults to nothing.
	Agents agent.Options

	// MaxBody is the limit on a request's body in bytes. JSON lines have their own limit, and
	// questions a lower one. Defaults to DefaultMaxBody.
	MaxBody int64

	// MaxBulk is the limit on a body of JSON lines in bytes. Defaults to DefaultMaxBulk.
	MaxBulk int64

	// Version is the version of the program, for the OpenAPI document. Defaults to (devel).
	Version string
}

// The defaults of [Options].
const (
	DefaultMaxBody = server.LargeBody
	DefaultMaxBulk = 1 << 30
)

// api implements the routes.
type api struct {
	server  *server.Server
	options Options
	huma    huma.API
	mux     *http.ServeMux
	agents  *agent.Agents
}

// Mount adds the interface to a server.
func Mount(s *server.Server, o Options) {
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.MaxBulk == 0 {
		o.MaxBulk = DefaultMaxBulk
	}
	if o.Version == "" {
		o.Version = "(devel)"
	}
	if o.Agents.Log == nil {
		o.Agents.Log = s.Log()
	}
	a := &api{server: s, options: o, mux: http.NewServeMux(), agents: agent.New(s.All(), o.Agents)}
	a.huma = humago.New(a.mux, config(o))
	a.huma.UseMiddleware(noteRoute, a.authorise)
	a.routes()
	documentShortPaths(a.huma.OpenAPI())
	describeAnswers(a.huma.OpenAPI())
	document, err := json.Marshal(a.huma.OpenAPI())
	if err != nil { // it does not depend on input
		panic("rest: " + err.Error())
	}
	s.Handle("GET /openapi.json", serveBytes("application/openapi+json", document))
	s.Handle("GET /docs", docsPage(a.huma.OpenAPI()))
	s.Handle("/v1/", named(s.Protect("rest", graph.AuthorityPerson, byKey(s.Bounded(server.LimitByPath(o.MaxBody), refused, s.Once(server.KnownRoutes(a.mux)))))))
}

// client returns the caller's client.
func (a *api) client(ctx context.Context) *annals.Client { return a.server.ClientOf(ctx) }

// service returns the service of the caller's client.
func (a *api) service(ctx context.Context) *service.Service { return service.New(a.client(ctx)) }

func (a *api) routes() {
	a.agentRoutes()
	a.groups()
	a.episodes()
	a.entities()
	a.facts()
	a.rejections()
	a.audit()
	a.trust()
	a.review()
	a.skills()
	a.marks()
	a.changes()
	a.explore()
	a.removal()
	a.moving()
	a.search()
	a.asking()
	a.communities()
	a.observations()
	a.answers()
	a.threads()
	a.users()
	a.settings()
	a.webhooks()
}

// config configures huma, which decodes requests and generates the OpenAPI document.
func config(o Options) huma.Config {
	c := huma.DefaultConfig("Annals", o.Version)
	c.CreateHooks = nil                                   // no $schema in responses
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", "" // Mount serves them
	c.Formats = map[string]huma.Format{"application/json": strictJSON, "json": strictJSON}
	c.RejectUnknownQueryParameters = true
	c.Transformers = []huma.Transformer{asProblem}
	c.OnAddOperation = []huma.AddOpFunc{documentProblems}
	c.Components.Schemas = huma.NewMapRegistry(schemaPrefix, schemaName)
	c.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[input.Object](), reflect.TypeFor[object]())
	c.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[annals.Result](), reflect.TypeFor[found]())
	c.Info.Description = "Long-term memory for AI agents: episodes go in, a graph of entities and facts on two time axes comes out."
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"key": {Type: "http", Scheme: "bearer", Description: "An API key: annals keys create, or ANNALS_API_KEYS"},
	}
	c.Security = []map[string][]string{{"key": {}}}
	c.Servers = []*huma.Server{
		{URL: "/", Description: "The service that this document was read from"},
		{URL: "{scheme}://{address}", Description: "Any, for who reads it from a file", Variables: map[string]*huma.ServerVariable{
			"scheme":  {Enum: []string{"http", "https"}, Default: "http", Description: "https, where the service or a proxy before it has a certificate"},
			"address": {Default: "127.0.0.1:8080", Description: "Host and port, as 'annals serve --listen' has it by default"},
		}},
	}
	return c
}

// operation describes a route in the OpenAPI document.
type operation huma.Operation

// op describes a route. The summary says what the route does; the description is optional.
func op(id, method, path string, tags []string, summary string, description ...string) operation {
	return operation{OperationID: id, Method: method, Path: path, Tags: tags, Summary: summary, Description: strings.Join(description, " ")}
}

// answering returns the operation with a status other than 200.
func (o operation) answering(status int) operation {
	o.DefaultStatus = status
	return o
}

// byAdmins returns the operation as one about all groups, which takes a key that opens them.
func (o operation) byAdmins() operation {
	o.Metadata = adminOnly
	return o
}

// add registers a route whose response has no headers. Huma sees one type for all of these
// responses, and their own types by their schemas: the code that it instantiates for each type
// would add a megabyte to the program.
func add[I, T any](a *api, o operation, handler func(context.Context, *I) (*body[T], error)) {
	answer := reflect.TypeFor[body[T]]()
	field, _ := answer.FieldByName("Body")
	schema := huma.SchemaFromField(a.huma.OpenAPI().Components.Schemas, field, answer.Name()+field.Name)
	status := strconv.Itoa(cmp.Or(o.DefaultStatus, http.StatusOK))
	o.Responses = map[string]*huma.Response{status: {Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}}
	addWithHeaders(a, o, func(ctx context.Context, in *I) (*body[any], error) {
		out, err := handler(ctx, in)
		if err != nil {
			return nil, err
		}
		return &body[any]{out.Body}, nil
	})
}

// addWithHeaders registers a route whose response may have headers or no body. Errors of the
// library become problems.
func addWithHeaders[I, O any](a *api, o operation, handler func(context.Context, *I) (*O, error)) {
	op := huma.Operation(o)
	op.BodyReadTimeout, op.MaxBodyBytes = time.Minute, -1 // [server.Server.Bounded] limits it
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handler(ctx, in)
		if err != nil {
			return nil, a.problem(ctx, op, err)
		}
		return out, nil
	})
}

// problem converts an error to a problem for the caller. It logs internal errors and hides their
// text.
func (a *api) problem(ctx context.Context, op huma.Operation, err error) error {
	var known huma.StatusError
	if errors.As(err, &known) { // also that of a stalled body, which ends ctx
		return err
	}
	if ctx.Err() != nil {
		return server.NewProblem(http.StatusServiceUnavailable, "the request was given up")
	}
	p := server.ProblemOf(err)
	if p.Status >= http.StatusInternalServerError {
		a.server.Log().ErrorContext(ctx, "request failed", "route", op.Path, "error", err)
	}
	advise(p)
	for i, d := range p.Errors {
		p.Errors[i].Location = location(op, d.Location)
	}
	return p
}

// location returns where a field is in a request.
func location(op huma.Operation, field string) string {
	switch {
	case field == "version":
		return "header.If-Match"
	case strings.Contains(op.Path, "{"+field+"}"):
		return "path." + field
	case op.Method == http.MethodGet:
		return "query." + field
	}
	return "body." + field
}

// The limits on what a problem repeats of a request.
const (
	maxErrors = 20  // errors that are listed
	maxEcho   = 100 // characters of a key, a value or a message that contains one
)

// asProblem converts huma's validation errors to a problem. It lists the first maxErrors, counts
// the rest, and leaves out long values. So the request decides neither the length of the response
// nor the time it takes.
func asProblem(_ huma.Context, _ string, v any) (any, error) {
	found, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	p := server.NewProblem(found.Status, found.Detail)
	if p.Status == http.StatusUnsupportedMediaType {
		p.Detail = "the body has another type; send it with Content-Type: application/json"
	}
	told := found.Errors[:min(len(found.Errors), maxErrors)]
	for _, e := range told {
		if e != nil {
			p.Errors = append(p.Errors, server.ProblemDetail{Message: brief(e.Message), Location: brief(e.Location), Value: scalar(e.Value)})
		}
	}
	if more := len(found.Errors) - len(told); more > 0 {
		p.Errors = append(p.Errors, server.ProblemDetail{Message: fmt.Sprintf("and %d more; mend these %d first", more, len(told))})
	}
	return p, nil
}

func brief(s string) string { return graph.Brief(s, maxEcho) }

// scalar returns a short value, else nil. Objects and arrays are never repeated: one may be the
// whole body.
func scalar(v any) any {
	switch v := v.(type) {
	case string:
		if len(v) <= maxEcho {
			return v
		}
	case bool, float64, int, int64:
		return v
	}
	return nil
}

// documentProblems adds the problem document to the responses of a route.
func documentProblems(document *huma.OpenAPI, op *huma.Operation) {
	registry := document.Components.Schemas
	op.Responses["default"] = &huma.Response{
		Description: "A problem (RFC 9457); its code says which",
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: registry.Schema(problemType, true, "Problem")}},
	}
	delete(registry.Map(), "ErrorModel") // problems replace it
}

func noteRoute(ctx huma.Context, next func(huma.Context)) {
	server.NoteRoute(ctx.Context(), ctx.Operation().Path)
	if id, err := uuid.Parse(ctx.Param("episode")); err == nil {
		server.NoteEpisode(ctx.Context(), id.String())
	}
	next(ctx)
}

// adminOnly marks routes about all groups.
var adminOnly = map[string]any{"admin": true}

// authorise lets callers use only their groups. For a caller, other groups do not exist.
func (a *api) authorise(ctx huma.Context, next func(huma.Context)) {
	caller := server.CallerOf(ctx.Context())
	group := ctx.Param("group")
	switch {
	case ctx.Operation().Metadata["admin"] != nil && !caller.Admin():
		a.refuse(ctx, http.StatusForbidden, "this takes a key that opens all groups; 'annals keys create --admin' makes one")
	case group != "" && !caller.Opens(group):
		a.refuse(ctx, http.StatusNotFound, server.NoGroup(group))
	case group != "" && graph.ValidateGroupID(group) != nil:
		p := server.ProblemOf(graph.ValidateGroupID(group))
		p.Errors[0].Location = "path.group"
		a.write(ctx, p)
	default:
		if p, ok := errors.AsType[*server.Problem](server.Require(ctx.Context(), needed(ctx))); ok {
			a.write(ctx, p)
			return
		}
		next(ctx)
	}
}

// refused writes a problem that occurred before a route was found.
func refused(w http.ResponseWriter, _ *http.Request, p *server.Problem) { p.Write(w) }

func (a *api) refuse(ctx huma.Context, status int, detail string) {
	a.write(ctx, server.NewProblem(status, detail))
}

func (a *api) write(ctx huma.Context, p *server.Problem) {
	ctx.SetHeader("Content-Type", p.ContentType(""))
	ctx.SetStatus(p.Status)
	_ = a.huma.Marshal(ctx.BodyWriter(), "application/json", p) // the caller may have disconnected
}

func serveBytes(contentType string, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body) // the caller may have disconnected
	})
}

// needs lists the operations whose rights differ from those of their method: POST that only reads,
// and DELETE that the history keeps.
var needs = map[string]service.Rights{
	"search":         service.RightsRead,
	"get-context":    service.RightsRead,
	"ask":            service.RightsRead,
	"explain-search": service.RightsRead,

	"withdraw-fact":   service.RightsWrite,
	"unconfirm-fact":  service.RightsWrite,
	"delete-webhook":  service.RightsWrite,
	"drop-answer":     service.RightsWrite,
	"set-retention":   service.RightsErase, // it removes episodes from then on
	"set-trust":       service.RightsErase, // it decides whether statements of others are believed
	"delete-agent":    service.RightsErase,
	"detach-document": service.RightsErase,
	"undo-episode":    service.RightsWrite, // with erase=true it needs RightsErase
	"take-back":       service.RightsWrite,
}

// needed returns the rights that a request needs.
func needed(ctx huma.Context) service.Rights {
	op := ctx.Operation()
	if op.OperationID == "undo-episode" && ctx.Query("erase") != "" && ctx.Query("erase") != "false" {
		return service.RightsErase
	}
	if rights, ok := needs[op.OperationID]; ok {
		return rights
	}
	return server.NeededFor(op.Method)
}
