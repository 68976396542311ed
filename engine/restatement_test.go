package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// tells makes the analyst read one fact between Alice and a city in the next episodes.
func (w *world) tells(city, predicate, fact string) {
	w.analyst.entities = names("Alice", city)
	w.analyst.facts = func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		return prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{{Source: 1, Target: 2, Predicate: predicate, Fact: fact}}}, nil
	}
}

func (w *world) sentences() []string {
	w.t.Helper()
	var facts []string
	if err := w.pool.QueryRow(w.t.Context(), "SELECT array_agg(fact ORDER BY fact) FROM annals.facts").Scan(&facts); err != nil {
		w.t.Fatal(err)
	}
	return facts
}

func (w *world) withdraw(fact string) {
	w.t.Helper()
	var id uuid.UUID
	if err := w.pool.QueryRow(w.t.Context(), "SELECT id FROM annals.facts WHERE fact = $1", fact).Scan(&id); err != nil {
		w.t.Fatal(err)
	}
	if err := w.engine.WithdrawFact(w.t.Context(), "g", id); err != nil {
		w.t.Fatal(err)
	}
}

// restatesAll judges every new fact to repeat the fact that was rejected between its ends.
func restatesAll(asked *[]prompts.ResolveFacts) func(prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	return func(in prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
		*asked = append(*asked, in)
		var out prompts.ResolvedFacts
		for _, f := range in.Facts {
			r := prompts.FactResolution{ID: f.ID, Reason: "a home is where one lives"}
			if len(f.Rejected) > 0 {
				r.DuplicateOf = f.Rejected[0]
			}
			out.Resolutions = append(out.Resolutions, r)
		}
		return out, nil
	}
}

// TestWithdrawnFactInOtherWords: the judge of facts is shown the facts rejected between their ends.
// A fact that it calls the same is refused, under whatever relation; any other is believed.
func TestWithdrawnFactInOtherWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var asked []prompts.ResolveFacts
	w.analyst.judge = restatesAll(&asked)
	w.tells("Paris", "LIVES_IN", "Alice lives in Paris.")
	w.says("2024-01-01", "Alice", "I live in Paris.")
	w.withdraw("Alice lives in Paris.")

	w.tells("Oslo", "VISITED", "Alice visited Oslo.")
	w.says("2024-02-01", "Alice", "I visited Oslo.")
	if len(asked) != 0 {
		t.Errorf("%d questions where nothing was rejected between the ends", len(asked))
	}
	w.tells("Paris", "HAS_HOME_IN", "Alice has her home in Paris.")
	said := w.says("2024-02-02", "Alice", "Paris is where my home is.")[0].Episode.ID
	if diff := cmp.Diff([]string{"Alice visited Oslo."}, w.sentences()); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if len(asked) != 1 || len(asked[0].Rejected) != 1 || asked[0].Rejected[0].Fact != "Alice lives in Paris." {
		t.Fatalf("asked %+v, want one question that shows what was rejected", asked)
	}
	trace, err := w.engine.Trace(t.Context(), "g", said)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(trace, func(e engine.TraceEntry) bool {
		return e.Decision == "refused" && e.Subject == "Alice has her home in Paris." &&
			strings.Contains(e.Reason, "Alice lives in Paris.") && strings.Contains(e.Reason, "a home is where one lives")
	}) {
		t.Errorf("the trace does not say what it restates: %+v", trace)
	}
	if w.count("SELECT count(*) FROM annals.episodes WHERE content = 'Paris is where my home is.' AND state = 'done'") != 1 {
		t.Error("what was said is not kept")
	}

	w.analyst.judge = nil
	w.tells("Paris", "VISITED", "Alice visited Paris.")
	w.says("2024-02-03", "Alice", "I visited Paris.")
	if diff := cmp.Diff([]string{"Alice visited Oslo.", "Alice visited Paris."}, w.sentences()); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

// TestWithdrawnFactInOtherWordsOfAWindow: a repetition of a refused fact in the same window is
// refused with it.
func TestWithdrawnFactInOtherWordsOfAWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var asked []prompts.ResolveFacts
	w.tells("Paris", "LIVES_IN", "Alice lives in Paris.")
	w.says("2024-01-01", "Alice", "I live in Paris.")
	w.withdraw("Alice lives in Paris.")
	w.analyst.judge = restatesAll(&asked)
	w.analyst.facts = func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		var out prompts.ExtractedFacts
		for message := 1; message <= 2; message++ {
			out.Facts = append(out.Facts, prompts.ExtractedFact{
				Source: 1, Target: 2, Predicate: "HAS_HOME_IN", Fact: "Alice has her home in Paris.", Message: message,
			})
		}
		return out, nil
	}
	w.engine = engine.New(w.pool, w.analyst, hashEmbedder(t), engine.Options{Window: 8})
	w.storeAll("Alice: Paris is where my home is.", "Alice: My home, I said, is Paris.")
	for _, p := range w.process() {
		if p.Err != nil || p.Facts != 0 {
			t.Errorf("processed %+v", p)
		}
	}
	if facts := w.sentences(); facts != nil {
		t.Errorf("facts %q, want none", facts)
	}
	if len(asked) != 1 {
		t.Errorf("%d questions, want one for the window", len(asked))
	}
}

// TestWithdrawnTripleInOtherWords: an agent's triple is refused with an error; a triple that a
// person adds by hand is not judged.
func TestWithdrawnTripleInOtherWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var asked []prompts.ResolveFacts
	w.tells("Paris", "LIVES_IN", "Alice lives in Paris.")
	w.says("2024-01-01", "Alice", "I live in Paris.")
	w.withdraw("Alice lives in Paris.")
	w.analyst.judge = restatesAll(&asked)
	triple := graph.Triple{
		GroupID: "g", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "HAS_HOME_IN", Target: graph.TripleEnd{Name: "Paris"},
		Fact: "Alice has her home in Paris.",
	}
	assistant := graph.WithOrigin(t.Context(), graph.Origin{Door: "mcp", Cap: graph.AuthorityAssistant})
	if _, err := w.engine.AddTriple(assistant, triple); graph.CodeOf(err) != graph.CodeConflict || !strings.Contains(err.Error(), "annals facts restore") {
		t.Errorf("an agent's triple was taken in: %v", err)
	}
	if _, err := w.engine.AddTriple(t.Context(), triple); err != nil || len(asked) != 1 {
		t.Errorf("a person's triple: %v, with %d questions in all", err, len(asked))
	}
}

// Taking back a move reopens the home before it, but only for the time that is left: not where the
// fact that ended the move had ended before that home began.
func TestReopenedWhereTimeIsLeft(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	for _, e := range []graph.Episode{
		kim("2024-07-16", "I have lived in Lyon since May 2023."),
		kim("2024-01-11", "I live in Lyon."),
		kim("2024-05-07", "I live in Porto."),
		kim("2024-02-07", "I moved to Porto last month."),
		kim("2024-01-17", "I have lived in Porto since May 2023."),
		kim("2024-04-17", "I misspoke: I moved to Oslo on 3 January 2024."),
	} {
		m.hear("g", []graph.Episode{e}) // fails if an episode fails
	}
	for day, home := range map[string]string{"2024-01-04": "Oslo", "2024-04-30": "Oslo", "2024-05-08": "Porto"} {
		if got := m.one("SELECT string_agg(target, ', ') FROM annals.facts_at('g', $1::timestamptz) WHERE predicate = 'LIVES_IN'", date(day)); got != home {
			t.Errorf("on %s Kim lives in %s, want %s", day, got, home)
		}
	}
}

// A correction cannot refer to a later statement, though the later one arrived first.
func TestACorrectionThatArrivesLate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said []graph.Episode
		want map[string]string // the value of the relation by day
		of   string
	}{
		{
			[]graph.Episode{kim("2024-07-10", "I am back in Bergen since 1 July."), kim("2024-03-18", "I misspoke: I moved to Porto on 6 March.")},
			map[string]string{"2024-05-01": "Porto", "2024-08-01": "Bergen"},
			"LIVES_IN",
		},
		{
			[]graph.Episode{kim("2024-07-10", "I have worked at Helix since 1 July 2024."), kim("2024-03-18", "I misspoke: I work at Norda.")},
			map[string]string{"2024-05-01": "Norda", "2024-08-01": "Helix"},
			"WORKS_AT",
		},
	} {
		t.Run(tt.said[0].Content, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			for _, e := range tt.said {
				m.hear("g", []graph.Episode{e})
			}
			for day, want := range tt.want {
				if got := m.one("SELECT coalesce(string_agg(target, ', '), '') FROM annals.facts_at('g', $1::timestamptz) WHERE predicate = $2", date(day), tt.of); got != want {
					t.Errorf("on %s it is %q, want %q", day, got, want)
				}
			}
		})
	}
}
