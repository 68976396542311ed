package engine_test

import (
	"errors"
	"testing"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/summary"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

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

func facts(facts ...prompts.ExtractedFact) func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	return func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		return prompts.ExtractedFacts{Facts: facts}, nil
	}
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
	if want := (temporal.Interval{Start: date("2023-01-10"), End: date("2024-03-08")}); !paris.Valid.Interval.Equal(want) {
		t.Errorf("Paris holds %v, want %v", paris.Valid, want)
	}
	if paris.ExpiredAt.IsZero() {
		t.Error("Paris has no expired_at")
	}
	if want := (temporal.Interval{Start: date("2024-03-08")}); !lisbon.Valid.Interval.Equal(want) || !lisbon.ExpiredAt.IsZero() {
		t.Errorf("Lisbon holds %v, expired %v; want %v, never", lisbon.Valid, lisbon.ExpiredAt, want)
	}
	if lisbon.Predicate != "LIVES_IN" {
		t.Errorf("predicate %q", lisbon.Predicate)
	}
	if n := w.count(`SELECT count(*) FROM annals_internal.facts_history WHERE upper_inf(valid) AND fact LIKE '%Paris%' AND cardinality(evidence) = 1`); n != 1 {
		t.Errorf("%d superseded beliefs in the history, want 1", n)
	}
	if n := w.count(`SELECT count(*) FROM annals.fact_episodes WHERE role = 'ends'`); n != 1 {
		t.Errorf("%d episodes end a fact, want 1", n)
	}
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE name = 'Alice' AND summary = 'Alice lives in Lisbon (since 8 March 2024).'`); n != 1 {
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
	if got := w.facts()["Alice lives in Paris."]; !got.Valid.Interval.Equal(want) || got.ExpiredAt.IsZero() {
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
	if n := w.count(`SELECT count(*) FROM annals_internal.facts_history WHERE fact LIKE '%Paris%' AND cardinality(evidence) = 1`); n != 1 {
		t.Errorf("%d versions of Paris in the history, want 1", n)
	}
}

func TestAFactSupersededAtBirthGoesToTheHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.judge = contradictsAll
	w.analyst.entities, w.analyst.facts = names("Lisbon"), facts(livesIn("Lisbon", "2024-01-01"))
	w.says("2024-03-16", "Alice", "I moved to Lisbon on 1 January.")
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(livesIn("Paris", "2024-01-01"))
	w.says("2024-03-15", "Alice", "I moved to Paris on 1 January.") // it arrives late

	if _, ok := w.facts()["Alice lives in Paris."]; ok {
		t.Error("the fact is believed although another was told later")
	}
	if n := w.count(`SELECT count(*) FROM annals_internal.facts_history WHERE fact = 'Alice lives in Paris.' AND cardinality(evidence) = 1`); n != 1 {
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
	if n := w.count(`SELECT count(*) FROM annals_internal.facts_history`); n != 0 {
		t.Errorf("%d rows of history for a repetition", n)
	}
}

// A model's inventions are dropped, its correct facts kept.
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

// The graph changes while the pipeline works: it resolves again instead of overwriting.
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
	for len(long.Fact) <= summary.Limit {
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
