package doors_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/slow"
)

// The limits of a run of TestFuzz and of each answer.
const (
	fuzzTime    = time.Minute
	fuzzSeed    = 23
	slowest     = 2 * time.Second
	slowRepeats = 3
	maxFindings = 20
)

// attempt is a request with a fault, ready to be sent.
type attempt struct {
	door, method, path, body string
	about                    string // the fault
}

// Requests that are slightly wrong are refused or done, and never fail: no answer is an internal
// error or takes more than two seconds, refusals have the form of the interface, and the service
// keeps running. The requests come from the interfaces' own descriptions, in the same order each
// time.
func TestFuzz(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	within := fuzzTime
	if !slow.Long() {
		within /= 3
	}
	if text := os.Getenv("ANNALS_FUZZ_DOORS"); text != "" {
		var err error
		if within, err = time.ParseDuration(text); err != nil {
			t.Fatalf("ANNALS_FUZZ_DOORS is no length of time such as 30m: %v", err)
		}
	}
	s := serve(t)
	all := s.attempts(t)
	counts := map[string]int{}
	for _, a := range all {
		counts[a.door]++
	}
	t.Logf("%d requests can be made: %v", len(all), counts)
	for door, least := range map[string]int{"rest": 5000, "mcp": 1000, "zep": 3000, "graphiti": 500} {
		if counts[door] < least {
			t.Errorf("only %d requests for %s could be made; is its description read?", counts[door], door)
		}
	}
	order := rand.New(rand.NewPCG(fuzzSeed, 1))
	end := time.Now().Add(within)
	sent, findings, statuses := 0, 0, map[int]int{}
	for round := 0; time.Now().Before(end) && findings < maxFindings; round++ {
		order.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for i := 0; i < len(all) && time.Now().Before(end) && findings < maxFindings; i++ {
			a := all[i]
			if round > 0 { // two faults at once
				a = a.spoiltAgain(order)
			}
			status, ok := s.try(t, a)
			statuses[status]++
			sent++
			if !ok {
				findings++
			}
		}
	}
	t.Logf("%d requests of seed %d were sent within %s: %v", sent, fuzzSeed, within, statuses)
	for _, path := range []string{"/healthz", "/readyz"} {
		if answer := s.send(t, attempt{method: "GET", path: path}); answer.status != http.StatusOK {
			t.Errorf("%s answers %d %s at the end", path, answer.status, answer.body)
		}
	}
}

// spoiltAgain adds a second fault to the body of a request.
func (a attempt) spoiltAgain(order *rand.Rand) attempt {
	var value any
	if len(a.body) > 50_000 || json.Unmarshal([]byte(a.body), &value) != nil {
		return a
	}
	ways := places(nil, value)
	way, to := ways[order.IntN(len(ways))], wrongs[order.IntN(len(wrongs))]
	if text, err := written(changed(value, way, to)); err == nil {
		a.body = text
		a.about += fmt.Sprintf(", and %s at %v", short(to), way)
	}
	return a
}

// try sends a request and checks the answer. It returns the status and whether all is well.
func (s *service) try(t *testing.T, a attempt) (status int, ok bool) {
	t.Helper()
	answer := s.send(t, a)
	why := answer.wrong(a)
	if why == "" && answer.took > slowest {
		why = s.slow(t, a)
	}
	if failed := s.failures.take(); failed != "" {
		why = strings.TrimPrefix(why+"; the log says "+failed, "; ")
	}
	if why != "" {
		t.Errorf("%s %s %.200s with %s: %s: %d %.300s\nbody: %.1000s", a.door, a.method, a.path, a.about, why, answer.status, answer.body, a.body)
	}
	return answer.status, why == ""
}

// slow sends a slow request again, alone, so that other load on the machine does not count. The
// median decides.
func (s *service) slow(t *testing.T, a attempt) string {
	t.Helper()
	var took []time.Duration
	for range slowRepeats {
		took = append(took, s.send(t, a).took)
	}
	slices.Sort(took)
	if took[slowRepeats/2] <= slowest {
		return ""
	}
	return fmt.Sprintf("it takes %s", took)
}

// answer is a response.
type answer struct {
	status int
	kind   string
	retry  string
	body   []byte
	took   time.Duration
	header http.Header
}

func (s *service) send(t *testing.T, a attempt) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), a.method, s.url+a.path, strings.NewReader(a.body))
	if err != nil {
		t.Fatalf("%s %q: %v", a.method, a.path, err)
	}
	r.Header.Set("Authorization", "Bearer "+keyFor(a.path))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	began := time.Now()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("%s %.200s with %s is not answered: %v", a.method, a.path, a.about, err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %.200s with %s: the answer breaks off: %v", a.method, a.path, a.about, err)
	}
	return answer{response.StatusCode, response.Header.Get("Content-Type"), response.Header.Get("Retry-After"), said, time.Since(began), response.Header}
}

// wrong says what is wrong with an answer, or "".
func (r answer) wrong(a attempt) string {
	switch {
	case r.status == http.StatusServiceUnavailable && r.retry != "", r.status == http.StatusNotImplemented:
	case r.status >= 500:
		return "it fails"
	case r.status >= 300 && r.status < 400 && r.status != http.StatusNotModified:
		return "it leads elsewhere"
	case r.status >= 400:
		return r.wrongRefusal(a)
	}
	if a.door == "mcp" && bytes.Contains(r.body, []byte("something went wrong")) {
		return "the tool fails"
	}
	if strings.HasPrefix(r.kind, "application/json") && !json.Valid(r.body) {
		return "it answers no JSON"
	}
	return ""
}

func (r answer) wrongRefusal(a attempt) string {
	var said struct {
		Status              int
		Code, Title, Detail string
		Message             string
		Error               struct{ Code, Message string }
	}
	if a.door == "mcp" { // its library refuses in plain text
		return ""
	}
	if err := json.Unmarshal(r.body, &said); err != nil {
		return "it refuses without JSON"
	}
	problem := r.kind == "application/problem+json" && said.Status == r.status && said.Code != "" && said.Title != "" && said.Detail != ""
	switch {
	case problem, a.door == "zep" && said.Message != "", a.door == "zep" && said.Error.Code != "" && said.Error.Message != "", a.door == "graphiti" && said.Detail != "":
		return ""
	}
	return "it does not say what is wrong in the form of the interface"
}
