// Package zepcloud fetches the content of a project of Zep from the lists of Zep's API, page by
// page. It stores fetched pages in a folder, so that an interrupted export continues where it
// stopped.
package zepcloud

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/resend"
)

// DefaultURL is the URL that Zep's clients of version 3 use.
const DefaultURL = "https://api.getzep.com/api/v2"

// Options says what to fetch, and from where.
type Options struct {
	URL  string // of the API; empty: DefaultURL
	Key  string // the project's API key
	Dir  string // the folder for pages; it is created
	Kind string // KindUser or KindGraph, the kind of ID; empty: the whole project
	ID   string

	HTTP    *http.Client // nil: one with a timeout
	Retries resend.Policy
	Page    int            // rows per request; 0: defaultPage
	Report  func(rows int) // called after each page; may be nil
}

// The kinds of subjects of a project.
const (
	KindUser  = "user"
	KindGraph = "graph"
)

const (
	defaultPage = 50
	subjectPage = 100
	maxAnswer   = 256 << 20
	nextCursor  = "Zep-Next-Cursor"
	timeout     = 2 * time.Minute // of a single request
)

// Export is an export in progress.
type Export struct {
	Options
	state state
}

// Open begins an export, or continues the one in the folder.
func Open(o Options) (*Export, error) {
	if o.Key == "" {
		return nil, graph.Invalid("key", "is missing: set ANNALS_ZEP_API_KEY to the API key of the project")
	}
	o.URL, o.Page = strings.TrimSuffix(cmp.Or(o.URL, DefaultURL), "/"), cmp.Or(o.Page, defaultPage)
	if strings.HasSuffix(o.URL, "/api/v4") {
		return nil, graph.Invalid("url", "%q is version 4 of Zep's API, and what exports is in version 2: give %s/api/v2", o.URL, strings.TrimSuffix(o.URL, "/api/v4"))
	}
	if at, err := url.Parse(o.URL); err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, graph.Invalid("url", "%q is no address of an API, such as %s", o.URL, DefaultURL)
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // following a redirect would send the key to another host
		}}
	}
	e := &Export{Options: o}
	return e, e.load()
}

// Subjects lists the users and graphs of the project with their progress.
func (e *Export) Subjects(ctx context.Context) ([]*Subject, error) {
	if !e.state.Listed {
		if err := e.subjects(ctx); err != nil {
			return nil, err
		}
	}
	for i, s := range e.state.Subjects {
		s.dir, s.number = e.Dir, i+1
	}
	return e.state.Subjects, nil
}

func (e *Export) subjects(ctx context.Context) error {
	if e.ID != "" {
		e.state.add(e.Kind, e.ID)
	} else {
		for _, list := range []struct{ kind, path, field, id string }{
			{KindUser, "/users-ordered", "users", "user_id"}, {KindGraph, "/graph/list-all", "graphs", "graph_id"},
		} {
			if err := e.list(ctx, list.kind, list.path, list.field, list.id); err != nil {
				return fmt.Errorf("list the %s: %w", list.field, err)
			}
		}
	}
	e.state.Listed = true
	return save(filepath.Join(e.Dir, stateFile), e.state)
}

func (e *Export) list(ctx context.Context, kind, path, field, id string) error {
	for number := 1; ; number++ {
		page := url.Values{"pageNumber": {strconv.Itoa(number)}, "pageSize": {strconv.Itoa(subjectPage)}}
		answer, _, err := e.ask(ctx, http.MethodGet, path+"?"+page.Encode(), nil)
		if err != nil {
			return err
		}
		var listed map[string]json.RawMessage
		var rows []map[string]json.RawMessage
		if err := json.Unmarshal(answer, &listed); err != nil {
			return unlike(path, err)
		}
		if raw := listed[field]; raw != nil {
			if err := json.Unmarshal(raw, &rows); err != nil {
				return unlike(path, err)
			}
		}
		for _, row := range rows {
			var name string
			if err := json.Unmarshal(row[id], &name); err != nil || name == "" {
				return unlike(path, fmt.Errorf("%s is missing", id))
			}
			e.state.add(kind, name)
		}
		if len(rows) < subjectPage {
			return nil
		}
	}
}

// unlike returns the error for an answer that is not one of Zep's API.
func unlike(path string, err error) error {
	return graph.Invalid("url", "does not answer %s as version 2 of Zep's API does: %v", path, err)
}

// Fetch fetches the parts of a user or graph that have not been fetched yet. It fetches nothing of
// an imported one.
func (e *Export) Fetch(ctx context.Context, s *Subject) error {
	if err := s.load(); err != nil || s.Fetched {
		return err
	}
	err := e.head(ctx, s)
	for _, name := range lists {
		if err == nil {
			err = e.rows(ctx, s, name)
		}
	}
	if err != nil {
		return fmt.Errorf("fetch the %s %s: %w", s.Kind, s.ID, err)
	}
	s.Fetched = true
	return s.save()
}

// head fetches the record of a user or graph, and the threads of a user.
func (e *Export) head(ctx context.Context, s *Subject) error {
	if s.Head != nil {
		return nil
	}
	path := "/users/" + url.PathEscape(s.ID)
	if s.Kind == KindGraph {
		path = "/graph/" + url.PathEscape(s.ID)
	}
	head, _, err := e.ask(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	threads := json.RawMessage("[]")
	if s.Kind == KindUser {
		if threads, _, err = e.ask(ctx, http.MethodGet, path+"/threads", nil); err != nil {
			return err
		}
	}
	if !json.Valid(head) || !json.Valid(threads) {
		return unlike(path, errors.New("it is no JSON"))
	}
	s.Head, s.Threads = head, threads
	return s.save()
}

// lists are the lists of a user or graph, inPath their names in Zep's paths.
var lists = []string{"episodes", "nodes", "edges"}

var inPath = map[string]string{"episodes": "episodes", "nodes": "node", "edges": "edge"}

// rows fetches the remaining pages of a list.
func (e *Export) rows(ctx context.Context, s *Subject, name string) error {
	l := s.Lists[name]
	path := "/graph/" + inPath[name] + "/" + s.Kind + "/" + url.PathEscape(s.ID)
	for again := true; !l.Done; {
		body, err := json.Marshal(map[string]any{"limit": e.Page, "cursor": l.Cursor, "direction": "asc", "order_by": "created_at"})
		if err != nil {
			return fmt.Errorf("ask for a page: %w", err)
		}
		answer, header, err := e.ask(ctx, http.MethodPost, path, body)
		if known, ok := errors.AsType[*refused](err); ok && known.status == http.StatusBadRequest && l.Cursor != "" && again {
			*l, again = rowList{}, false // the cursor is no longer valid
			continue
		}
		if err != nil {
			return err
		}
		var rows []json.RawMessage
		if err := json.Unmarshal(answer, &rows); err != nil {
			return unlike(path, err)
		}
		if err := s.keep(name, rows); err != nil {
			return err
		}
		l.Cursor = header.Get(nextCursor)
		l.Done = l.Cursor == ""
		if err := s.save(); err != nil {
			return err
		}
		if e.Report != nil {
			e.Report(len(rows))
		}
	}
	return nil
}

// refused is an answer with a status other than 200.
type refused struct {
	status int
	text   string
}

// Error returns Zep's answer.
func (r *refused) Error() string { return r.text }

// ask sends a request as Zep's clients do, and sends it again if the answer asks for that.
func (e *Export) ask(ctx context.Context, method, path string, body []byte) ([]byte, http.Header, error) {
	request, err := http.NewRequestWithContext(ctx, method, e.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, graph.Invalid("url", "cannot be asked for %s: %v", path, err)
	}
	request.Header.Set("Authorization", "Api-Key "+e.Key)
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := e.Retries.Do(ctx, e.HTTP, request, true)
	if err != nil {
		return nil, nil, &graph.Error{Code: graph.CodeUnavailable, Field: "url", Message: "Zep cannot be reached; run the same command again, it goes on where it stopped", Err: err}
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, nil, &graph.Error{Code: graph.CodeUnavailable, Field: "url", Message: "the answer broke off; run the same command again, it goes on where it stopped", Err: err}
	case len(answer) > maxAnswer:
		return nil, nil, graph.Invalid("url", "answers %s with more than %d MiB", path, maxAnswer>>20)
	case response.StatusCode != http.StatusOK:
		return nil, nil, explain(response, path, answer)
	}
	return answer, response.Header, nil
}

// explain returns the error of an answer.
func explain(response *http.Response, path string, answer []byte) error {
	var said struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(answer, &said) // without a message, only the status is reported
	text := fmt.Sprintf("Zep answers %s with %s: %.200s", path, response.Status, cmp.Or(said.Message, "without saying why"))
	switch response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return &graph.Error{Code: graph.CodeForbidden, Field: "key", Message: text + "; look at the API key and the URL"}
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return &graph.Error{Code: graph.CodeUnavailable, Field: "url", Message: text + "; run the same command again later, it goes on where it stopped"}
	}
	return &refused{response.StatusCode, text}
}
