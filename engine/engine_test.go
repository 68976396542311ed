package engine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// analyst answers as the test says. A nil function answers with nothing.
type analyst struct {
	*offline.Analyst // answers what no test asks about

	entities  func(prompts.ExtractEntities) (prompts.ExtractedEntities, error)
	resolve   func(prompts.ResolveEntities) (prompts.ResolvedEntities, error)
	facts     func(prompts.ExtractFacts) (prompts.ExtractedFacts, error)
	judge     func(prompts.ResolveFacts) (prompts.ResolvedFacts, error)
	summarise func(prompts.SummariseEntities) (prompts.EntitySummaries, error)
}

func (*analyst) Name() string { return "scripted" }

func answer[In, Out any](f func(In) (Out, error), in In) (Out, error) {
	if f == nil {
		var none Out
		return none, nil
	}
	return f(in)
}

func (a *analyst) ExtractEntities(_ context.Context, in prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	return answer(a.entities, in)
}

func (a *analyst) ResolveEntities(_ context.Context, in prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	return answer(a.resolve, in)
}

func (a *analyst) ExtractFacts(_ context.Context, in prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	return answer(a.facts, in)
}

func (a *analyst) ResolveFacts(_ context.Context, in prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	return answer(a.judge, in)
}

func (a *analyst) SummariseEntities(_ context.Context, in prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	return answer(a.summarise, in)
}

// world is an engine on a database of its own.
type world struct {
	t       *testing.T
	pool    *pgxpool.Pool
	engine  *engine.Engine
	analyst *analyst
}

func newWorld(t *testing.T) *world {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	w := &world{t: t, pool: pool, analyst: &analyst{Analyst: offline.New()}}
	w.engine = engine.New(pool, w.analyst, hashEmbedder(t), engine.Options{})
	return w
}

func hashEmbedder(t *testing.T) model.Embedder {
	t.Helper()
	e, err := model.NewHashEmbedder(384)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// says stores what somebody says on a day and processes it.
func (w *world) says(day, actor, content string) []engine.Processed {
	w.t.Helper()
	w.store(day, actor, content)
	return w.process()
}

func (w *world) store(day, actor, content string) engine.Stored {
	w.t.Helper()
	var stored []engine.Stored
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		var err error
		stored, err = engine.Store(w.t.Context(), tx, []graph.Episode{{
			GroupID: "g", Actor: actor, Content: content, OccurredAt: date(day),
		}})
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return stored[0]
}

func (w *world) process() []engine.Processed {
	w.t.Helper()
	var done []engine.Processed
	if err := w.engine.Process(w.t.Context(), "g", func(p engine.Processed) { done = append(done, p) }); err != nil {
		w.t.Fatal(err)
	}
	return done
}

// facts returns the current facts by their sentence.
func (w *world) facts() map[string]graph.Fact {
	w.t.Helper()
	rows, err := db.New(w.pool).FactList(w.t.Context(), db.FactListParams{GroupID: "g", MaxRows: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	facts := map[string]graph.Fact{}
	for _, row := range rows {
		facts[row.Fact] = db.Fact(row)
	}
	return facts
}

func (w *world) count(query string) int {
	w.t.Helper()
	var n int
	if err := w.pool.QueryRow(w.t.Context(), query).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) exec(statement string) {
	w.t.Helper()
	if _, err := w.pool.Exec(w.t.Context(), statement); err != nil {
		w.t.Fatal(err)
	}
}

func date(day string) time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t
}

// names answers with entities of these names; the speaker needs no naming.
func names(names ...string) func(prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	return func(prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
		var out prompts.ExtractedEntities
		for _, name := range names {
			out.Entities = append(out.Entities, prompts.ExtractedEntity{Name: name})
		}
		return out, nil
	}
}

func facts(facts ...prompts.ExtractedFact) func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	return func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		return prompts.ExtractedFacts{Facts: facts}, nil
	}
}

func livesIn(city, since string) prompts.ExtractedFact {
	return prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "lives in", Fact: "Alice lives in " + city + ".", ValidAt: since}
}

// contradictsAll finds that every new fact contradicts every known one it is shown.
func contradictsAll(in prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	var out prompts.ResolvedFacts
	for _, f := range in.Facts {
		out.Resolutions = append(out.Resolutions, prompts.FactResolution{ID: f.ID, Contradicts: append(f.Rivals, f.SamePair...)})
	}
	return out, nil
}

func TestANewHomeClosesTheOld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.judge = contradictsAll
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(livesIn("Paris", ""))
	first := w.says("2023-01-10", "Alice", "I live in Paris.")
	w.analyst.entities, w.analyst.facts = names("Lisbon"), facts(livesIn("Lisbon", "2024-03-08"))
	second := w.says("2024-03-15", "Alice", "I moved to Lisbon last week.")

	if len(first) != 1 || first[0].Err != nil || first[0].Entities != 2 || first[0].Facts != 1 || second[0].Closed != 1 {
		t.Errorf("processed %+v then %+v", first, second)
	}
	got := w.facts()
	paris, lisbon := got["Alice lives in Paris."], got["Alice lives in Lisbon."]
	if want := (temporal.Interval{Start: date("2023-01-10"), End: date("2024-03-08")}); !paris.Valid.Equal(want) {
		t.Errorf("Paris holds %v, want %v", paris.Valid, want)
	}
	if paris.ExpiredAt.IsZero() {
		t.Error("Paris has no expired_at")
	}
	if want := temporal.From(date("2024-03-08")); !lisbon.Valid.Equal(want) || !lisbon.ExpiredAt.IsZero() {
		t.Errorf("Lisbon holds %v, expired %v; want %v, never", lisbon.Valid, lisbon.ExpiredAt, want)
	}
	if lisbon.Predicate != "LIVES_IN" {
		t.Errorf("predicate %q", lisbon.Predicate)
	}
	if n := w.count(`SELECT count(*) FROM annals.facts_history WHERE upper_inf(valid) AND fact LIKE '%Paris%' AND cardinality(evidence) = 1`); n != 1 {
		t.Errorf("%d superseded beliefs in the history, want 1", n)
	}
	if n := w.count(`SELECT count(*) FROM annals.fact_episodes WHERE role = 'ends'`); n != 1 {
		t.Errorf("%d episodes end a fact, want 1", n)
	}
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE name = 'Alice' AND summary = 'Alice lives in Lisbon.'`); n != 1 {
		t.Error("Alice's summary does not say just where she lives now")
	}
}

func TestALateOlderFactIsBornClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.judge = contradictsAll
	w.analyst.entities, w.analyst.facts = names("Lisbon"), facts(livesIn("Lisbon", "2024-03-08"))
	w.says("2024-03-15", "Alice", "I live in Lisbon since last week.")
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(livesIn("Paris", "2020-01-01"))
	w.says("2024-03-16", "Alice", "I lived in Paris since 2020.")

	want := temporal.Interval{Start: date("2020-01-01"), End: date("2024-03-08")}
	if got := w.facts()["Alice lives in Paris."]; !got.Valid.Equal(want) || got.ExpiredAt.IsZero() {
		t.Errorf("Paris holds %v, expired %v; want %v and an expiry", got.Valid, got.ExpiredAt, want)
	}
	if got := w.facts()["Alice lives in Lisbon."]; !got.Valid.Ongoing() {
		t.Errorf("Lisbon holds %v, want it ongoing", got.Valid)
	}
}

func TestEqualStartsExpireTheOlderBelief(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.judge = contradictsAll
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(livesIn("Paris", "2024-01-01"))
	w.says("2024-03-15", "Alice", "I moved to Paris in January.")
	w.analyst.entities, w.analyst.facts = names("Lisbon"), facts(livesIn("Lisbon", "2024-01-01"))
	w.says("2024-03-16", "Alice", "Sorry, I meant Lisbon.")

	if _, ok := w.facts()["Alice lives in Paris."]; ok {
		t.Error("Paris is still believed")
	}
	if n := w.count(`SELECT count(*) FROM annals.facts_history WHERE fact LIKE '%Paris%' AND cardinality(evidence) = 1`); n != 1 {
		t.Errorf("%d versions of Paris in the history, want 1", n)
	}
}

func TestAFactSupersededAtBirthGoesToTheHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.judge = contradictsAll
	ended := livesIn("Paris", "2024-01-01")
	ended.Ends, ended.Predicate, ended.Fact = true, "NO_LONGER_LIVES_IN", "Alice no longer lives in Paris."
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(ended)
	w.says("2024-03-15", "Alice", "I left Paris on 1 January.")
	w.analyst.facts = facts(livesIn("Paris", "2024-01-01"))
	w.says("2024-03-16", "Alice", "I moved to Paris on 1 January.")

	if _, ok := w.facts()["Alice lives in Paris."]; ok {
		t.Error("the fact is believed although its end was known")
	}
	if n := w.count(`SELECT count(*) FROM annals.facts_history WHERE fact = 'Alice lives in Paris.' AND cardinality(evidence) = 1`); n != 1 {
		t.Errorf("%d rows in the history, want 1", n)
	}
}

func TestRepetitionAddsProvenanceNotRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(livesIn("Paris", ""))
	w.analyst.judge = func(prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
		return prompts.ResolvedFacts{}, errors.New("a verbatim repetition needs no analyst")
	}
	w.says("2023-01-10", "Alice", "I live in Paris.")
	w.says("2023-02-10", "Alice", "I live in Paris!")
	if got := w.facts()["Alice lives in Paris."]; len(w.facts()) != 1 || len(got.Episodes) != 2 {
		t.Errorf("%d facts, stated by %d episodes; want 1 by 2", len(w.facts()), len(got.Episodes))
	}
	if n := w.count(`SELECT count(*) FROM annals.facts_history`); n != 0 {
		t.Errorf("%d rows of history for a repetition", n)
	}
}

// What a model makes up is dropped; what it says rightly is kept.
func TestInventionsAreDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities = names("Paris", "  paris ", "", "Alice", string([]byte{0xff}))
	w.analyst.facts = facts(
		livesIn("Paris", ""), livesIn("Paris", ""),
		prompts.ExtractedFact{Source: 1, Target: 9, Predicate: "KNOWS", Fact: "nobody"},
		prompts.ExtractedFact{Source: 1, Target: 1, Predicate: "IS", Fact: "herself"},
		prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "---", Fact: "no predicate"},
		prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "SAW", Fact: " "},
		prompts.ExtractedFact{Source: 2, Target: 1, Predicate: "SAW", Fact: "Paris saw her.", ValidAt: "2023-01-10", InvalidAt: "2001-01-01"},
	)
	w.analyst.judge = func(prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
		return prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{{ID: 99, DuplicateOf: 4}, {ID: 1, DuplicateOf: 77, Contradicts: []int{-1, 50}}}}, nil
	}
	w.says("2023-01-10", "Alice", "I live in Paris.")
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 2 {
		t.Errorf("%d entities, want 2", n)
	}
	if got := w.facts(); len(got) != 2 || !got["Paris saw her."].Valid.Ongoing() {
		t.Errorf("facts %v, want two, the one with impossible dates ongoing", got)
	}
}

func TestFailureKeepsTheEpisodeForRetry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities = names("Paris")
	w.analyst.facts = func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		return prompts.ExtractedFacts{}, errors.New("the model is down")
	}
	done := w.says("2023-01-10", "Alice", "I live in Paris.")
	if len(done) != 1 || done[0].Err == nil {
		t.Fatalf("processed %+v, want a failure", done)
	}
	if n := w.count(`SELECT count(*) FROM annals.episodes WHERE state = 'failed' AND error LIKE '%the model is down%' AND attempts = 1`); n != 1 {
		t.Error("the episode is not failed with its error")
	}
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 0 {
		t.Errorf("%d entities of a failed episode", n)
	}
	w.analyst.facts = facts(livesIn("Paris", ""))
	if n, err := w.engine.Retry(t.Context(), "g"); err != nil || n != 1 {
		t.Fatalf("Retry = %d, %v", n, err)
	}
	if done := w.process(); len(done) != 1 || done[0].Err != nil {
		t.Errorf("processed %+v after the retry", done)
	}
}

func TestWhatACrashLeftIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.store("2023-01-10", "Alice", "one")
	w.store("2023-01-10", "Alice", "two")
	w.exec(`UPDATE annals.episodes SET state = 'processing', attempts = 1`)
	if done := w.process(); len(done) != 2 || done[0].Episode.Content != "one" {
		t.Errorf("processed %+v, want both in order", done)
	}
}

// The graph changes under the pipeline: it resolves anew instead of overwriting.
func TestAnEditMeanwhileIsRespected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(livesIn("Paris", ""))
	w.says("2023-01-10", "Alice", "I live in Paris.")
	asked := 0
	w.analyst.entities, w.analyst.facts = names("Lisbon"), facts(livesIn("Lisbon", ""))
	w.analyst.judge = func(in prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
		if asked++; asked == 1 {
			w.exec(`UPDATE annals.entities SET name = 'Alice Smith', aliases = '{Alice}' WHERE name = 'Alice'`)
		}
		return contradictsAll(in)
	}
	w.says("2024-03-15", "Alice", "I live in Lisbon.")
	if asked != 2 {
		t.Errorf("asked %d times, want 2", asked)
	}
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE name = 'Alice Smith' AND summary = 'Alice lives in Lisbon.'`); n != 1 {
		t.Error("the hand edit was lost")
	}
}

func TestARemovedEpisodeLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities = func(in prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
		w.exec(`DELETE FROM annals.episodes`)
		return names("Paris")(in)
	}
	if done := w.says("2023-01-10", "Alice", "I live in Paris."); len(done) != 1 || done[0].Err == nil {
		t.Errorf("processed %+v, want to be told that it is gone", done)
	}
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 0 {
		t.Errorf("%d entities of a removed episode", n)
	}
}

func TestLongSummariesAreShortenedInOneQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := livesIn("Paris", "")
	for len(long.Fact) <= engine.DefaultSummaryLimit {
		long.Fact += " and likes it"
	}
	asked := 0
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(long)
	w.analyst.summarise = func(in prompts.SummariseEntities) (prompts.EntitySummaries, error) {
		asked++
		return prompts.EntitySummaries{Summaries: []prompts.EntitySummary{{ID: 1, Summary: "Short."}, {ID: 2, Summary: "Short too."}}}, nil
	}
	w.says("2023-01-10", "Alice", "I live in Paris.")
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE summary LIKE 'Short%'`); asked != 1 || n != 2 {
		t.Errorf("asked %d times for %d summaries, want once for 2", asked, n)
	}
}
