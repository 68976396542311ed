package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/model"
)

// ServeOptions configures the measurement of a running service.
type ServeOptions struct {
	Options

	// URL and Key are the address of the service and an API key.
	URL, Key string

	// Clients is the number of concurrent clients. Zero: 8.
	Clients int

	// Lines is the number of episodes of a bulk request. Zero: 1000.
	Lines int
}

// ServeReport is the load that a service handled.
type ServeReport struct {
	Machine Machine `json:"machine"`
	Group   Group   `json:"group"` // the searched group
	Clients int     `json:"clients"`
	Load    string  `json:"load_average"` // of the machine, before and after; empty: not available
	Memory  int64   `json:"resident_bytes_max"`
	Phases  []Phase `json:"phases"`
}

// Phase is a period in which all clients send one kind of request.
type Phase struct {
	Name     string  `json:"name"`
	Requests int     `json:"requests"`
	Items    int     `json:"items"` // searches, or episodes
	Seconds  float64 `json:"seconds"`
	Rate     float64 `json:"items_per_second"`
	Latency          // of a request
}

// served is a service under measurement.
type served struct {
	*bench
	options ServeOptions
	http    *http.Client
	memory  atomic.Int64
}

// addedGroups is how many groups episodes are added to.
const addedGroups = 16

// Serve measures a service that runs on the database, and its peak memory. It has
// four phases, each as long as the budget: searches of facts, searches of all
// scopes, single episodes, and episodes as JSON lines. The service must use the
// offline embedder.
func Serve(ctx context.Context, o ServeOptions) (ServeReport, error) {
	s, err := openService(ctx, o)
	if err != nil {
		return ServeReport{}, err
	}
	defer s.close()
	facts := s.bench.options.Facts[0]
	g, err := s.group(ctx, fmt.Sprintf("bench-serve-%d", facts), facts)
	if err != nil {
		return ServeReport{}, err
	}
	if err := s.vacuum(ctx); err != nil {
		return ServeReport{}, err
	}
	report := ServeReport{Machine: s.machine, Group: g, Clients: s.options.Clients, Load: loadAverage()}
	watching, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { s.watchMemory(watching) })
	report.Phases, err = s.phases(ctx, g)
	stop()
	watch.Wait()
	report.Memory = s.memory.Load()
	if after := loadAverage(); after != "" {
		report.Load += " → " + after
	}
	return report, err
}

func openService(ctx context.Context, o ServeOptions) (*served, error) {
	b, err := open(ctx, o.Options)
	if err != nil {
		return nil, err
	}
	if b.embedder, err = model.NewHashEmbedder(b.machine.Dimensions); err != nil {
		b.close()
		return nil, err
	}
	b.machine.Embedder = b.embedder.Name()
	if o.Clients == 0 {
		o.Clients = 8
	}
	if o.Lines == 0 {
		o.Lines = 1000
	}
	transport := &http.Transport{MaxIdleConnsPerHost: o.Clients}
	return &served{bench: b, options: o, http: &http.Client{Transport: transport, Timeout: time.Minute}}, nil
}

func (s *served) close() {
	s.http.CloseIdleConnections()
	s.bench.close()
}

func (s *served) phases(ctx context.Context, g Group) ([]Phase, error) {
	run := strconv.FormatInt(time.Now().Unix(), 36)
	group := func(r *rand.Rand) string { return fmt.Sprintf("bench-added-%s-%02d", run, r.IntN(addedGroups)) }
	search := func(more string) func(context.Context, *rand.Rand) (int, error) {
		return func(ctx context.Context, r *rand.Rand) (int, error) {
			text := g.world.query(r, classes[r.IntN(len(classes))])
			return 1, s.send(ctx, http.MethodGet, "/v1/groups/"+g.ID+"/search?limit=10"+more+"&query="+url.QueryEscape(text), "", nil)
		}
	}
	kinds := []struct {
		name string
		once func(context.Context, *rand.Rand) (items int, err error)
	}{
		{"hybrid search of facts", search("&scopes=fact")},
		{"hybrid search of all scopes", search("")},
		{"episode a request", func(ctx context.Context, r *rand.Rand) (int, error) {
			return 1, s.send(ctx, http.MethodPost, "/v1/groups/"+group(r)+"/episodes", "application/json", s.lines(r, g.world, 1))
		}},
		{"JSON lines", func(ctx context.Context, r *rand.Rand) (int, error) {
			return s.options.Lines, s.send(ctx, http.MethodPost, "/v1/groups/"+group(r)+"/episodes", "application/x-ndjson", s.lines(r, g.world, s.options.Lines))
		}},
	}
	var phases []Phase
	for _, kind := range kinds {
		s.bench.options.Progress("measuring: " + kind.name)
		p, err := s.measure(ctx, kind.once)
		if err != nil {
			return phases, fmt.Errorf("%s: %w", kind.name, err)
		}
		p.Name = kind.name
		phases = append(phases, p)
	}
	return phases, nil
}

// measure lets all clients send sequential requests for the duration of the budget.
func (s *served) measure(ctx context.Context, once func(context.Context, *rand.Rand) (int, error)) (Phase, error) {
	var mu sync.Mutex
	var p Phase
	var times []time.Duration
	began := time.Now()
	end := began.Add(s.bench.options.Budget)
	clients, ctx := errgroup.WithContext(ctx)
	for i := range s.options.Clients {
		clients.Go(func() error {
			r := rand.New(rand.NewPCG(uint64(i), 23))
			for time.Now().Before(end) {
				sent := time.Now()
				items, err := once(ctx, r)
				if err != nil {
					return err
				}
				mu.Lock()
				times = append(times, time.Since(sent))
				p.Items += items
				mu.Unlock()
			}
			return nil
		})
	}
	err := clients.Wait()
	p.Seconds = time.Since(began).Seconds()
	p.Requests, p.Rate, p.Latency = len(times), float64(p.Items)/p.Seconds, latencyOf(times)
	return p, err
}

// lines returns invented episodes as JSON lines.
func (s *served) lines(r *rand.Rand, w world, n int) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for range n {
		_ = e.Encode(map[string]string{"content": w.fact(r).sentence, "actor": w.name(w.popular.draw(r))}) // strings into memory cannot fail
	}
	return out.Bytes()
}

func (s *served) send(ctx context.Context, method, path, contentType string, body []byte) error {
	response, err := s.request(ctx, method, path, contentType, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s is answered with %s: %s", method, path, response.Status, answer)
	}
	return nil
}

func (s *served) request(ctx context.Context, method, path, contentType string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.options.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+s.options.Key)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	return s.http.Do(request)
}

// watchMemory records the peak memory of the service from its metrics, a few times a
// second.
func (s *served) watchMemory(ctx context.Context) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		if bytes := int64(s.metric(ctx, "process_resident_memory_bytes ")); bytes > s.memory.Load() {
			s.memory.Store(bytes)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// metric returns the value of the first metrics line with a prefix; 0: none.
func (s *served) metric(ctx context.Context, begins string) float64 {
	response, err := s.request(ctx, http.MethodGet, "/metrics", "", nil)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), begins); ok {
			value, _ := strconv.ParseFloat(text, 64) // otherwise the next reading has it
			return value
		}
	}
	return 0
}

// loadAverage returns Linux's load average, or the empty string.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	load, _, _ := strings.Cut(string(text), " ")
	return load
}

// Markdown returns the report for people.
func (r ServeReport) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%d clients; searches in %d facts; load average %s; at most %d MB resident.\n\n",
		r.Machine, r.Clients, r.Group.Facts, r.Load, r.Memory>>20)
	b.WriteString("| requests | number | items | items/s | p50 ms | p95 ms | p99 ms |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, p := range r.Phases {
		fmt.Fprintf(&b, "| %s | %d | %d | %.0f | %.1f | %.1f | %.1f |\n", p.Name, p.Requests, p.Items, p.Rate, p.P50, p.P95, p.P99)
	}
	return b.String()
}
