// Package otlp receives runs of agents as OpenTelemetry traces, by OTLP over HTTP. An instrumented
// agent needs only the endpoint /v1/groups/{group}/otlp.
//
// It reads the attributes of OpenTelemetry's conventions for generative AI; docs/skills.md lists
// them.
package otlp

import (
	"io"
	"mime"
	"net/http"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// Options configures the interface. The zero value is ready to use.
type Options struct {
	// MaxBody is the limit on a request's body in bytes, decompressed. Defaults to
	// [server.LargeBody].
	MaxBody int64
}

// path is the URL to which exporters send traces. They append the end of it themselves.
const path = "/v1/groups/{group}/otlp/v1/traces"

// Routes returns the routes with the rights that each needs.
func Routes() map[string]service.Rights {
	return map[string]service.Rights{http.MethodPost + " " + path: server.NeededFor(http.MethodPost)}
}

type api struct{ server *server.Server }

// Mount adds the interface to a server.
func Mount(s *server.Server, o Options) {
	if o.MaxBody == 0 {
		o.MaxBody = server.LargeBody
	}
	limit := func(*http.Request) int64 { return o.MaxBody }
	s.Handle(path, s.ProtectWith("otlp", graph.AuthorityAssistant, refuse, s.BoundedAs(shape, limit, refuse, &api{s})))
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	server.NoteRoute(r.Context(), path)
	refused, err := a.take(r)
	if err != nil {
		p := server.ProblemOf(err)
		if p.Status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", http.MethodPost)
		}
		if p.Status >= http.StatusInternalServerError {
			a.server.Log().ErrorContext(r.Context(), "request failed", "route", path, "error", err)
		}
		refuse(w, r, p)
		return
	}
	answer(w, r, refused)
}

// take takes in the spans of a request.
func (a *api) take(r *http.Request) ([]service.RefusedSpans, error) {
	ctx, group := r.Context(), r.PathValue("group")
	if r.Method != http.MethodPost {
		return nil, server.NewProblem(http.StatusMethodNotAllowed, "this path takes POST")
	}
	if !server.CallerOf(ctx).Opens(group) {
		return nil, server.NewProblem(http.StatusNotFound, server.NoGroup(group))
	}
	if err := graph.ValidateGroupID(group); err != nil {
		return nil, err
	}
	if err := server.Require(ctx, server.NeededFor(r.Method)); err != nil {
		return nil, err
	}
	decode := decoders[encodingOf(r)]
	if decode == nil {
		return nil, server.NewProblem(http.StatusUnsupportedMediaType, "send spans as Content-Type: application/x-protobuf or application/json")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, server.NewProblem(http.StatusBadRequest, "the body cannot be read to its end")
	}
	read, err := decode(body)
	if err != nil {
		return nil, server.NewProblem(http.StatusBadRequest, "the body is no ExportTraceServiceRequest of OTLP: "+graph.Brief(err.Error(), 200))
	}
	spans, refused := spansOf(read)
	more, err := service.New(a.server.ClientOf(ctx)).TakeSpans(ctx, group, spans)
	return append(refused, more...), err
}

// The encodings of OTLP.
const (
	wire = "application/x-protobuf"
	text = "application/json"
)

var decoders = map[string]func([]byte) ([]span, error){wire: fromWire, text: fromText}

func encodingOf(r *http.Request) string {
	encoding, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return encoding
}
