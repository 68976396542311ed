package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// For every analyst "last week" is the whole week, and a date that a model computed is that day.
func TestAMoveByEveryReader(t *testing.T) {
	t.Parallel()
	for name, reader := range map[string]struct {
		memory func(*testing.T) *memory
		moved  string
	}{
		"offline": {newMemory, "2024-03-04"},
		"a model that repeats the words": {func(t *testing.T) *memory {
			s := newScripted(t)
			s.knowsMoves("last week")
			return s.memory
		}, "2024-03-04"},
		"a model that works out the date": {func(t *testing.T) *memory {
			s := newScripted(t)
			s.knowsMoves("2024-03-08")
			return s.memory
		}, "2024-03-08"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reader.memory(t).checkMove(reader.moved)
		})
	}
}

// checkMove adds a move on a day and reads it back on both time axes.
func (m *memory) checkMove(moved string) {
	m.t.Helper()
	if o := m.hears("2023-01-10", "I live in Paris."); o.code != exitOK {
		m.t.Fatalf("add: exit %d: %s", o.code, o.stderr)
	}
	var before factsJSON
	m.read(&before, "facts", "-g", "t")
	if o := m.hears("2024-03-15", "I moved to Lisbon last week"); o.code != exitOK || !strings.Contains(o.stdout, "1 closed") {
		m.t.Fatalf("add: exit %d: %s%s", o.code, o.stdout, o.stderr)
	}
	at, err := time.Parse(time.DateOnly, moved)
	if err != nil {
		m.t.Fatal(err)
	}
	paris := "Paris 2023-01-10T00:00:00Z " + moved + "T00:00:00Z"
	lisbon := "Lisbon " + moved + "T00:00:00Z –"
	for _, tt := range []struct {
		args, want []string
	}{
		{nil, []string{paris, lisbon}},
		{[]string{"--as-of", "2023-06-01"}, []string{paris}},
		{[]string{"--as-of", at.AddDate(0, 0, -1).Format(time.DateOnly)}, []string{paris}},
		{[]string{"--as-of", moved}, []string{lisbon}},
		{[]string{"--as-of", "2022-01-01"}, nil},
		{[]string{"--known-at", "2020-01-01"}, nil},
		{[]string{"--entity", "lisbon"}, []string{lisbon}},
		{[]string{"--entity", "Alice"}, []string{paris, lisbon}},
	} {
		if diff := cmp.Diff(tt.want, m.homes(tt.args...)); diff != "" {
			m.t.Errorf("facts %q (-want +got):\n%s", tt.args, diff)
		}
	}
	var versions struct {
		Versions []struct {
			KnownUntil *string `json:"known_until"`
			InvalidAt  *string `json:"invalid_at"`
		}
	}
	m.read(&versions, "history", "-g", "t", before.Facts[0].ID)
	if v := versions.Versions; len(v) != 2 || v[0].KnownUntil == nil || v[0].InvalidAt != nil || v[1].KnownUntil != nil || or(v[1].InvalidAt) != moved+"T00:00:00Z" {
		m.t.Errorf("versions %+v, want the open belief, then the closed one", v)
	}
}

// Every command works on what a model has read.
func TestCommandsWithAModel(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := newScripted(t)
	s.environ["ANNALS_PRICES"] = s.file("prices.json", `{"openai:scripted": {"input": 1000, "output": 3000}}`)
	s.knowsMoves("last week")
	s.checkMove("2024-03-04")
	s.checkUsage(1000, 3000)
	s.checkTrace()
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"search", "Where does Alice live?"}, []string{"Alice lives in Lisbon.", "I live in Paris."}},
		{[]string{"context", "Lisbon"}, []string{"<FACTS>", "(since the week of 4 March 2024) Alice lives in Lisbon."}},
		{[]string{"timeline"}, []string{"2023-01-10", "2024-03-04", "ended", "Alice lives in Lisbon."}},
		{[]string{"entities"}, []string{"Person", "City", "Alice lives in Lisbon (since the week of 4 March 2024)."}},
		{[]string{"doctor"}, []string{"openai:scripted", "384 dimensions", "2 episodes done, 0 waiting, 0 failed"}},
		{[]string{"doctor", "--json"}, []string{`"analyst": "openai:scripted"`, `"embedder": "openai:scripted"`}},
	} {
		o := s.run("", append([]string{"-g", "t"}, tt.args...)...)
		for _, want := range tt.want {
			if o.code != exitOK || !strings.Contains(o.stdout, want) {
				t.Errorf("annals %q: exit %d, no %q in:\n%s%s", tt.args, o.code, want, o.stdout, o.stderr)
			}
		}
		if strings.Contains(o.stdout+o.stderr, modelKey) {
			t.Errorf("annals %q shows the key", tt.args)
		}
	}
	s.checkStructured()
}

// checkStructured asks for an answer in words after the server had enforced its form.
func (s *scripted) checkStructured() {
	s.t.Helper()
	before := len(s.server.Calls())
	s.environ["ANNALS_LLM_STRUCTURED"] = "prompt"
	if o := s.hears("2024-04-01", "Lisbon is where I live."); o.code != exitOK {
		s.t.Fatalf("add: exit %d: %s", o.code, o.stderr)
	}
	asked := 0
	for i, r := range s.server.Calls() {
		if r.Texts == nil && (r.Schema != nil) != (i < before) {
			s.t.Errorf("call %d, %s, has the schema %s", i, r.Prompt, r.Schema)
		}
		if r.Texts == nil && i >= before {
			asked++
		}
	}
	if asked == 0 {
		s.t.Error("the model was not asked")
	}
}

func (s *scripted) checkTrace() {
	s.t.Helper()
	var episodes struct{ Episodes []struct{ ID string } }
	s.read(&episodes, "episodes", "-g", "t")
	moved := episodes.Episodes[0].ID
	table := s.must("episodes", "show", moved, "--trace", "-g", "t")
	for _, want := range []string{"I moved to Lisbon last week", "extract entities", "matched", "created", "closed", "because: Alice lives in Lisbon."} {
		if !strings.Contains(table, want) {
			s.t.Errorf("the trace does not say %q:\n%s", want, table)
		}
	}
	var shown struct {
		Episode struct{ ID, State string }
		Trace   []struct {
			Decision, Subject string
			FactID            *string `json:"fact_id"`
		}
	}
	s.read(&shown, "episodes", "show", moved, "--trace", "-g", "t")
	var closed []string
	for _, e := range shown.Trace {
		if e.Decision == "closed" {
			closed = append(closed, e.Subject+" "+or(e.FactID))
		}
	}
	if shown.Episode.ID != moved || shown.Episode.State != "done" || !slices.Equal(closed, []string{"Alice lives in Paris. " + s.factID("Paris")}) {
		s.t.Errorf("shown %+v, want the episode and the fact it closed", shown)
	}
	if plain := s.must("episodes", "show", moved, "-g", "t"); strings.Contains(plain, "extract entities") || !strings.Contains(plain, moved) {
		s.t.Errorf("without --trace: %s", plain)
	}
}

type usageReport struct {
	Usage []struct {
		Kind, Prompt, Model            string
		Calls, Cached, Failed, Repairs int
		InputTokens                    int `json:"input_tokens"`
		OutputTokens                   int `json:"output_tokens"`
		Cost                           float64
		Unpriced                       int
	}
}

// checkUsage compares the counts with the requests that the server got, at prices in dollars per
// million tokens.
func (s *scripted) checkUsage(input, output float64) {
	s.t.Helper()
	var got usageReport
	s.read(&got, "usage", "-g", "t")
	chats, embeddings := 0, 0
	for _, u := range got.Usage {
		switch u.Kind {
		case "chat":
			chats += u.Calls
		case "embedding":
			embeddings += u.Calls
		}
		want := (float64(u.InputTokens)*input + float64(u.OutputTokens)*output) / 1e6
		if u.Model != "openai:scripted" || u.Unpriced != 0 || u.Cost == 0 || math.Abs(u.Cost-want) > 1e-9 {
			s.t.Errorf("%+v, want a cost of %v", u, want)
		}
	}
	if chats != s.server.Chats() || embeddings != s.server.Embeddings() || chats == 0 || embeddings == 0 {
		s.t.Errorf("usage counts %d calls and %d embedding requests; the server saw %d and %d", chats, embeddings, s.server.Chats(), s.server.Embeddings())
	}
	table := s.must("usage", "-g", "t")
	for _, want := range []string{"PROMPT", "extract_facts", "embed", "openai:scripted", fmt.Sprintf("%.4f", got.Usage[0].Cost)} {
		if !strings.Contains(table, want) {
			s.t.Errorf("usage does not say %q:\n%s", want, table)
		}
	}
}

// Flags override the settings.
func TestOfflineOverridesTheSettings(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.environ["ANNALS_PRICES"] = s.file("prices.json", "{}")
	if got := s.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.", "--llm", "offline", "--embedder", "offline"); !strings.Contains(got, offlineNotice) {
		t.Errorf("add says %q", got)
	}
	if asked := s.server.Calls(); len(asked) != 0 {
		t.Errorf("the model was asked %d times", len(asked))
	}
	if got := s.homes("--llm", "offline", "--embedder", "offline"); len(got) != 1 {
		t.Errorf("homes %q, want one", got)
	}
	o := s.run("", "usage", "-g", "t")
	if o.code != exitOK || o.stdout != "" || o.stderr != "No model was asked for the group t.\n" {
		t.Errorf("usage: exit %d, %q, %q", o.code, o.stdout, o.stderr)
	}
	if got := s.must("usage", "-g", "t", "--json"); got != "{\n  \"usage\": []\n}\n" {
		t.Errorf("usage --json prints %q", got)
	}
	// A model without a price has an unknown cost, not zero.
	s.must("add", "-g", "t", "--actor", "Alice", "I like tea.")
	if got := s.must("usage", "-g", "t"); !strings.Contains(got, "unknown") {
		t.Errorf("usage says %q of a model without a price", got)
	}
}

func TestAWrongKey(t *testing.T) {
	t.Parallel()
	const wrong = "sk-wrong-fedcba9876543210"
	s := newScripted(t)
	s.knowsMoves("")
	s.environ["OPENAI_API_KEY"] = wrong
	s.hears("2023-01-10", "I live in Paris.").failsWith(t, "check the key in OPENAI_API_KEY", wrong, modelKey)
	s.checkKept(1)
	s.environ["OPENAI_API_KEY"] = modelKey
	s.checkRetry()
	// Annals' own key takes precedence over the key that other programs use too.
	s.environ["OPENAI_API_KEY"], s.environ["ANNALS_LLM_API_KEY"], s.environ["ANNALS_EMBEDDER_API_KEY"] = wrong, modelKey, modelKey
	if o := s.hears("2024-03-15", "I moved to Lisbon last week."); o.code != exitOK {
		t.Errorf("with ANNALS_LLM_API_KEY: exit %d: %s", o.code, o.stderr)
	}
}

// checkKept checks that episodes that could not be read exist and are found.
func (s *scripted) checkKept(episodes int) {
	s.t.Helper()
	var got struct{ Episodes map[string]int }
	s.read(&got, "doctor", "-g", "t", "--no-models")
	if kept := got.Episodes["failed"] + got.Episodes["pending"] + got.Episodes["processing"]; kept != episodes || got.Episodes["done"] != 0 {
		s.t.Errorf("episodes %v, want %d kept and none done", got.Episodes, episodes)
	}
	if got := s.must("episodes", "-g", "t", "--state", "failed"); !strings.Contains(got, "I live in Paris.") {
		s.t.Errorf("failed episodes: %q", got)
	}
}

func (s *scripted) checkRetry() {
	s.t.Helper()
	if got := s.must("retry", "-g", "t"); !strings.Contains(got, " done, 0 failed") || !strings.Contains(got, "Read by openai:scripted") {
		s.t.Errorf("retry says %q", got)
	}
	if got := s.homes(); len(got) != 1 {
		s.t.Errorf("homes %q after retry, want one", got)
	}
}

// unreachable returns the address of a server with an untrusted certificate. Unlike a missing
// server, it is not tried again, since that would not help.
func unreachable(t *testing.T) string {
	t.Helper()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

// An unreachable server loses no episode.
func TestAModelThatCannotBeReached(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.knowsMoves("")
	gone := unreachable(t)
	s.environ["ANNALS_LLM_BASE_URL"] = gone + "/v1"
	s.hears("2023-01-10", "I live in Paris.").failsWith(t, "one episode could not be read and is kept; 'annals retry --group t' tries again: extract entities: openai: cannot reach "+gone, modelKey)
	s.checkKept(1)
	s.environ["ANNALS_LLM_BASE_URL"] = s.address
	s.checkRetry()
}

// A failing model stops the work after a few episodes; none is lost.
func TestAModelThatIsDown(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	down := true
	s.answers["extract_entities"] = func(modeltest.Request) modeltest.Reply {
		if down {
			return modeltest.Reply{Status: http.StatusServiceUnavailable, RetryAfter: "0.001", Text: "overloaded"}
		}
		return modeltest.Reply{Text: nothingFound["extract_entities"]}
	}
	lines := ""
	for i := range 5 {
		lines += fmt.Sprintf(`{"content":"I live in Paris.","actor":"Alice","thread_id":"%d"}`+"\n", i)
	}
	file := s.file("chat.jsonl", lines)
	s.run("", "add", "-g", "t", "--file", file).failsWith(t, "did not answer for 3 episodes in a row; the rest of t waits: see to the model, then run 'annals retry --group t'", modelKey)
	s.checkKept(5)
	down = false
	if got := s.must("retry", "-g", "t"); !strings.HasPrefix(got, "5 done, 0 failed") {
		t.Errorf("retry says %q", got)
	}
	if got := s.must("add", "-g", "t", "--file", file); !strings.HasPrefix(got, "0 added, 5 already there; 0 done, 0 failed") {
		t.Errorf("adding again says %q", got)
	}
}

func TestAnEmbedderThatCannotBeReached(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.knowsMoves("")
	gone := unreachable(t)
	s.environ["ANNALS_EMBEDDER_BASE_URL"] = gone + "/v1"
	s.hears("2023-01-10", "I live in Paris.").failsWith(t, "ask openai:scripted for vectors: openai: cannot reach "+gone, modelKey)
	s.checkKept(1)
	s.hears("2023-01-11", "I sleep badly.", "--no-llm", "-g", "diary").failsWith(t, "annals: what was kept from the model is stored, "+
		"but found by its words only: see to the embedder, and the next 'annals add --group diary' makes the vectors too: embed: ask openai:scripted for vectors: openai: cannot reach "+gone, modelKey)
	s.environ["ANNALS_EMBEDDER_BASE_URL"] = s.address
	s.checkRetry()
	s.must("add", "-g", "diary", "--no-llm", "I slept.")
	if n := connect(t, s.environ["ANNALS_DATABASE_URL"]).count(`SELECT count(*) FROM annals_internal.episode_embeddings WHERE group_id = 'diary'`); n != 2 {
		t.Errorf("%d episodes of the diary have a vector, want 2", n)
	}
}

// embedsIn sets the dimension of the embedding model, whatever is asked for.
func (s *scripted) embedsIn(dimensions int) {
	s.server.OnEmbedding(func(r modeltest.Request) modeltest.Reply {
		e, err := model.NewHashEmbedder(dimensions)
		if err != nil {
			s.t.Error(err)
			return modeltest.Reply{Status: http.StatusInternalServerError}
		}
		vectors, err := e.Embed(s.t.Context(), r.Texts)
		if err != nil {
			s.t.Error(err)
		}
		var data []string
		for i, v := range vectors {
			data = append(data, fmt.Sprintf(`{"index": %d, "embedding": %s}`, i, strings.ReplaceAll(fmt.Sprint(v), " ", ",")))
		}
		return modeltest.Reply{Raw: `{"object": "list", "data": [` + strings.Join(data, ",") + `], "usage": {"prompt_tokens": 1, "total_tokens": 1}}`}
	})
}
