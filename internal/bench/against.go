package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// AgainstOptions configures the comparison of two running builds, each with a memory of its
// own.
type AgainstOptions struct {
	URLs     [2]string // this build's and the other's
	Key      string    // an API key valid for both
	Sample   string    // a text whose words become the most frequent
	Messages []int     // sizes of the memories. Empty: DefaultMessages.
	Queries  int       // of each kind to each build
	Progress func(what string)
}

// DefaultMessages are the sizes of usual memories of a user, and of a large one.
var DefaultMessages = []int{44, 500, 5000}

// AgainstReport compares two builds.
type AgainstReport struct {
	Load string    `json:"load_average"` // of the machine, before and after
	Rows []Against `json:"rows"`
}

// Against is the cost of a kind of request in memories of a size, for this build and the
// other.
type Against struct {
	Messages int        `json:"messages"`
	Request  string     `json:"request"`
	Took     [2]Latency `json:"took"`
	CPU      [2]float64 `json:"cpu_ms"` // of the server, a request
}

// asked lists the kinds of requests to compare.
var asked = []struct{ name, path string }{
	{"search", "search?query="},
	{"search of facts", "search?scopes=fact&query="},
	{"search of messages by words", "search?scopes=episode&methods=bm25&query="},
	{"context", "context?query="},
}

// CompareBuilds adds the same invented conversations to both builds, waits until they are
// read, and sends the same requests to both in turns.
func CompareBuilds(ctx context.Context, o AgainstOptions) (AgainstReport, error) {
	if len(o.Messages) == 0 {
		o.Messages = DefaultMessages
	}
	report := AgainstReport{Load: loadAverage()}
	words := newVocabulary(o.Sample)
	var sides [2]*served
	for i, at := range o.URLs {
		sides[i] = &served{options: ServeOptions{URL: at, Key: o.Key}, http: &http.Client{Timeout: 5 * time.Minute}}
	}
	for _, messages := range o.Messages {
		group := fmt.Sprintf("bench-against-%d", messages)
		w := newWorld(words, messages, hashOf(group))
		for _, side := range sides {
			o.Progress(fmt.Sprintf("%s reads %d messages", side.options.URL, messages))
			if err := side.converse(ctx, w, group, messages); err != nil {
				return report, err
			}
		}
		for _, kind := range asked {
			row, err := compared(ctx, sides, w, "/v1/groups/"+group+"/"+kind.path, o.Queries)
			if err != nil {
				return report, err
			}
			row.Messages, row.Request = messages, kind.name
			report.Rows = append(report.Rows, row)
		}
	}
	report.Load += " → " + loadAverage()
	return report, nil
}

// converse adds a conversation unless it exists, and waits until it is read.
func (s *served) converse(ctx context.Context, w world, group string, messages int) error {
	r := rand.New(rand.NewPCG(w.seed, 29))
	var lines strings.Builder
	e := json.NewEncoder(&lines)
	began := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := range messages {
		_ = e.Encode(map[string]string{ // strings into memory cannot fail
			"content": w.fact(r).sentence, "actor": w.name(i % 2), "thread_id": fmt.Sprint(group, "-", i/20), "source": "message",
			"external_id": fmt.Sprint(i), "occurred_at": began.Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
		})
	}
	if err := s.send(ctx, http.MethodPost, "/v1/groups/"+group+"/episodes", "application/x-ndjson", []byte(lines.String())); err != nil {
		return err
	}
	for {
		waiting, err := s.waiting(ctx, group)
		if err != nil || !waiting {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// waiting reports whether an episode of a group is still unread.
func (s *served) waiting(ctx context.Context, group string) (bool, error) {
	for _, state := range []string{"pending", "processing"} {
		response, err := s.request(ctx, http.MethodGet, "/v1/groups/"+group+"/episodes?limit=1&state="+state, "", nil)
		if err != nil {
			return false, err
		}
		var found struct {
			Episodes []json.RawMessage `json:"episodes"`
		}
		err = errors.Join(json.NewDecoder(response.Body).Decode(&found), response.Body.Close())
		if err != nil || len(found.Episodes) > 0 {
			return true, err
		}
	}
	return false, nil
}

// turn is how many requests one side answers before the other's turn. With one each, every
// request would find the CPU caches filled by the other build.
const turn = 20

// compared sends the same requests to both sides in turns. The first turn of each is not
// counted.
func compared(ctx context.Context, sides [2]*served, w world, path string, queries int) (row Against, err error) {
	r := rand.New(rand.NewPCG(w.seed, 31))
	paths := make([]string, turn+queries)
	for n := range paths {
		paths[n] = path + url.QueryEscape(w.query(r, classes[n%len(classes)]))
	}
	var times [2][]time.Duration
	var before [2]float64
	for n, asked := range slices.Collect(slices.Chunk(paths, turn)) {
		if n == 1 {
			for i, side := range sides {
				before[i] = side.metric(ctx, "process_cpu_seconds_total ")
			}
		}
		for k := range sides {
			i := (n + k) % 2
			took, err := sides[i].takes(ctx, asked)
			if err != nil {
				return row, err
			}
			if n > 0 {
				times[i] = append(times[i], took...)
			}
		}
	}
	for i, side := range sides {
		row.Took[i] = latencyOf(times[i])
		row.CPU[i] = (side.metric(ctx, "process_cpu_seconds_total ") - before[i]) * 1000 / float64(queries)
	}
	return row, nil
}

// takes returns how long each of some sequential requests takes.
func (s *served) takes(ctx context.Context, paths []string) ([]time.Duration, error) {
	took := make([]time.Duration, len(paths))
	for n, path := range paths {
		sent := time.Now()
		if err := s.send(ctx, http.MethodGet, path, "", nil); err != nil {
			return nil, err
		}
		took[n] = time.Since(sent)
	}
	return took, nil
}

// Markdown returns the report for people.
func (r AgainstReport) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "This build and the other, over REST, in turns of %d requests; load average %s.\n\n", turn, r.Load)
	b.WriteString("| messages | request | p50 ms | other | times | p95 ms | other | server's CPU ms | other |\n|--:|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, row := range r.Rows {
		this, other := row.Took[0], row.Took[1]
		fmt.Fprintf(&b, "| %d | %s | %.2f | %.2f | %.1f | %.2f | %.2f | %.2f | %.2f |\n",
			row.Messages, row.Request, this.P50, other.P50, other.P50/this.P50, this.P95, other.P95, row.CPU[0], row.CPU[1])
	}
	return b.String()
}
