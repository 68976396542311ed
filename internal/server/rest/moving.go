package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server"
)

const lines = "application/x-ndjson"

// exportInput is the input of an export, whose response is a stream.
type exportInput struct {
	InGroup
	Vectors bool `query:"vectors" doc:"With the vectors, which makes it several times as long and saves making them anew"`
}

// importInput is a stream.
type importInput struct {
	InGroup
	Undecoded
}

// Undecoded is a request whose body is not decoded: the handler reads it.
type Undecoded struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	request     *http.Request
	writer      http.ResponseWriter
}

// Resolve keeps the request, because the handler reads its body.
func (in *Undecoded) Resolve(ctx huma.Context) []error {
	in.request, in.writer = humago.Unwrap(ctx)
	return nil
}

// movedJSON counts what was imported or exported.
type movedJSON struct {
	GroupID string           `json:"group"`
	Rows    map[string]int64 `json:"rows" doc:"By table"`
	Lines   int64            `json:"lines"`
	SHA256  string           `json:"sha256" doc:"Of all lines but the last"`

	Erased    []uuid.UUID `json:"erased,omitempty" doc:"Episodes of the file that were erased after it was exported, and are left out"`
	Withdrawn []uuid.UUID `json:"withdrawn,omitempty" doc:"Facts of the file that were withdrawn after it was exported, and are left out"`
}

func (a *api) moving() {
	tags := []string{"moving"}
	const in = "/v1/groups/{group}/import"
	text := map[string]*huma.MediaType{lines: {Schema: &huma.Schema{Type: huma.TypeString, Description: "An export, whose last line has a checksum of the others"}}}
	addWithHeaders(a, operation{
		OperationID: "export-group", Method: http.MethodGet, Path: "/v1/groups/{group}/export", Tags: tags,
		Summary:     "Write a group as JSON lines, with its history",
		Description: "Ids and times are as they are. The last line has a checksum of all others: an export without it is not whole.",
		Responses:   map[string]*huma.Response{"200": {Description: "The export", Content: text}},
	}, a.export)
	add(a, op("import-group", "POST", in, tags, "Put an export into an empty group",
		"All of it or, where it is damaged, nothing. The group takes the name in the path.").answering(http.StatusCreated), a.imports)
	// Set before, this would make huma read the body as JSON.
	a.huma.OpenAPI().Paths[in].Post.RequestBody = &huma.RequestBody{Required: true, Content: text}
}

func (a *api) export(ctx context.Context, in *exportInput) (*huma.StreamResponse, error) {
	if _, err := a.client(ctx).Group(ctx, in.Group); err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(out huma.Context) {
		out.SetHeader("Content-Type", lines)
		_, w := humago.Unwrap(out)
		_, err := a.client(ctx).Export(ctx, in.Group, patient{w}, annals.ExportOptions{Vectors: in.Vectors})
		if err == nil {
			return
		}
		if ctx.Err() == nil {
			a.server.Log().ErrorContext(ctx, "export stopped", "request_id", server.RequestID(ctx), "error", err)
		}
		panic(http.ErrAbortHandler) // the caller must not take a partial export for a complete one
	}}, nil
}

// patient renews the write deadline with each write.
type patient struct{ http.ResponseWriter }

// Write renews the deadline and writes.
func (w patient) Write(p []byte) (int, error) {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(time.Minute)) // the writer of a test may not support it
	return w.ResponseWriter.Write(p)
}

// awaited renews the read deadline with each read.
type awaited struct {
	io.Reader
	writer http.ResponseWriter
	within time.Duration
}

// Read renews the deadline and reads, so that it cuts off a sender that stalls. At the end of the
// body it removes the deadline, which would cancel the rest of the import.
func (r awaited) Read(p []byte) (int, error) {
	connection := http.NewResponseController(r.writer)
	_ = connection.SetReadDeadline(time.Now().Add(r.within)) // the writer of a test may not support it
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		_ = connection.SetReadDeadline(time.Time{})
	}
	return n, err
}

func (a *api) imports(ctx context.Context, in *importInput) (*body[movedJSON], error) {
	if !isLines(in.ContentType) {
		return nil, server.NewProblem(http.StatusUnsupportedMediaType, "send what the export gave, as "+lines)
	}
	sent := awaited{http.MaxBytesReader(in.writer, in.request.Body, a.options.MaxBulk), in.writer, a.server.BodyTimeout()}
	m, err := a.client(ctx).Import(ctx, sent, annals.ImportOptions{GroupID: in.Group, Knows: server.CallerOf(ctx).Opens})
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, unread(tooLong)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, unread(err)
	}
	if err != nil {
		return nil, err
	}
	return &body[movedJSON]{movedJSON{GroupID: m.GroupID, Rows: m.Rows, Lines: m.Lines, SHA256: m.SHA256, Erased: m.Erased, Withdrawn: m.Withdrawn}}, nil
}
