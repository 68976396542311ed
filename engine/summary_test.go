package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/engine/summary"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// kim is a message of Kim's on a day.
func kim(day, text string) graph.Episode {
	return graph.Episode{Actor: "Kim", Role: "user", ThreadID: "one", Content: text, OccurredAt: date(day)}
}

// summaryOf returns the summary of an entity, or a note that there is no such entity.
func (m *memory) summaryOf(name string) string {
	m.t.Helper()
	return m.one("SELECT coalesce(max(summary), 'no such entity') FROM annals.entities WHERE group_id = 'g' AND name = $1", name)
}

func (m *memory) wantSummaries(after string, want map[string]string) {
	m.t.Helper()
	for name, told := range want {
		if got := m.summaryOf(name); got != told {
			m.t.Errorf("%s: the summary of %s is %q, want %q", after, name, got, told)
		}
	}
}

// Summaries tell the facts that hold, whatever the way to them.
func TestSummariesTellWhatHolds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said []graph.Episode
		want map[string]string
	}{
		{
			[]graph.Episode{kim("2024-01-01", "I live in Paris."), kim("2024-03-15", "I moved to Lisbon last week."), kim("2024-03-16", "I misspoke: I moved to Lisbon on 6 March.")},
			map[string]string{"Kim": "Kim moved to Lisbon on 6 March 2024.", "Lisbon": "Kim moved to Lisbon on 6 March 2024.", "Paris": ""},
		},
		{
			[]graph.Episode{kim("2024-01-01", "I am moving to Oslo in June."), kim("2024-02-01", "The move to Oslo is off.")},
			map[string]string{"Kim": "", "Oslo": ""},
		},
		{
			[]graph.Episode{kim("2024-01-01", "I am planning a trip to Iceland in June with my wife Ines."), kim("2024-02-01", "We had to cancel the trip to Iceland, Ines broke her leg.")},
			map[string]string{"Kim": "Ines is Kim's wife. Kim had to cancel the trip to Iceland, Ines broke her leg.", "Iceland": "", "Ines": "Ines is Kim's wife."},
		},
		{
			[]graph.Episode{kim("2024-01-01", "I work at Greenfield."), kim("2024-02-12", "I no longer work at Greenfield School.")},
			map[string]string{"Kim": "", "Greenfield School": ""},
		},
		{
			[]graph.Episode{kim("2024-01-01", "I weigh 71 kilos."), kim("2025-01-05", "I weigh 68 kilos.")},
			map[string]string{"Kim": "Kim weighs 68 kilos.", "71 kg": ""},
		},
		{
			[]graph.Episode{kim("2024-01-01", "I work at Acme. I like tea."), kim("2024-02-01", "I no longer work at Acme.")},
			map[string]string{"Kim": "Kim likes tea.", "Acme": ""},
		},
		{
			[]graph.Episode{kim("2024-01-02", "My sister Petra has been staying with me since yesterday.")},
			map[string]string{"Petra": "Petra is Kim's sister. Kim's sister Petra has been staying with Kim since 1 January 2024."},
		},
		{
			[]graph.Episode{kim("2024-01-01", "I like tea."), kim("2024-02-01", "I like tea."), kim("2024-02-02", "I like jazz.")},
			map[string]string{"Kim": "Kim likes jazz. Kim likes tea."},
		},
	} {
		t.Run(tt.said[0].Content, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			for _, e := range tt.said {
				m.hear("g", []graph.Episode{e})
			}
			m.wantSummaries("one by one", tt.want)
			again := newMemory(t) // all at once, in one window
			again.hear("g", tt.said)
			again.wantSummaries("together", tt.want)
		})
	}
}

// Editing a fact by hand, and undoing that, updates the summaries at both of its ends.
func TestSummariesFollowEdits(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{kim("2024-01-01", "I live in Paris. I like tea.")})
	lisbon := m.hear("g", []graph.Episode{kim("2024-03-15", "I moved to Lisbon on 6 March 2024.")})
	const moved, tea = "Kim moved to Lisbon on 6 March 2024.", "Kim likes tea."
	here := map[string]string{"Kim": moved + " " + tea, "Lisbon": moved, "Paris": ""}
	m.wantSummaries("at first", here)

	fact := m.withdraw("g", "%Lisbon%")
	there := map[string]string{"Kim": tea + " Kim lives in Paris.", "Paris": "Kim lives in Paris.", "Lisbon": ""}
	m.wantSummaries("withdrawn", there)
	if _, err := m.engine.RestoreFact(t.Context(), "g", fact); err != nil {
		t.Fatal(err)
	}
	m.wantSummaries("restored", here)
	ended := date("2024-05-01")
	edit := func(change graph.FactEdit) {
		t.Helper()
		if _, err := m.engine.EditFact(t.Context(), "g", fact, change); err != nil {
			t.Fatal(err)
		}
	}
	edit(graph.FactEdit{InvalidAt: &ended})
	m.wantSummaries("ended by hand", map[string]string{"Kim": tea, "Lisbon": "", "Paris": ""})
	edit(graph.FactEdit{InvalidAt: new(time.Time{}), Fact: new("Kim has a flat in Lisbon.")})
	m.wantSummaries("holds on, in other words", map[string]string{
		"Kim": "Kim has a flat in Lisbon (since 6 March 2024). " + tea, "Lisbon": "Kim has a flat in Lisbon (since 6 March 2024).",
	})
	if n := m.one("SELECT count(*)::text FROM annals.edits WHERE kind = 'entity'"); n != "0" {
		t.Errorf("%s edits of entities are on record, of which only summaries changed", n)
	}

	if err := m.engine.DeleteEntity(t.Context(), "g", m.entityID("Paris")); err != nil {
		t.Fatal(err)
	}
	if err := m.engine.DeleteEntity(t.Context(), "g", m.entityID("tea")); err != nil {
		t.Fatal(err)
	}
	m.wantSummaries("without tea", map[string]string{"Kim": "Kim has a flat in Lisbon (since 6 March 2024)."})
	m.undo("g", lisbon...)
	m.wantSummaries("undone", map[string]string{"Lisbon": "no such entity"})
	if told := m.summaryOf("Kim"); strings.Contains(told, "Lisbon") || strings.Contains(told, "tea") {
		t.Errorf("undone: the summary of Kim is %q", told)
	}
}

func (m *memory) entityID(name string) uuid.UUID {
	m.t.Helper()
	return uuid.MustParse(m.one("SELECT id::text FROM annals.entities WHERE group_id = 'g' AND name = $1", name))
}

// Undo brings an earlier home back into the summary, with its date and in its place.
func TestSummariesFollowUndo(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	ids := m.hear("g", []graph.Episode{kim("2024-01-01", "I have lived in Paris since May 2020.")})
	m.hear("g", []graph.Episode{kim("2024-02-01", "I like tea.")})
	ids = append(ids, m.hear("g", []graph.Episode{kim("2024-03-15", "I moved to Lisbon on 6 March 2024.")})...)
	ids = append(ids, m.hear("g", []graph.Episode{kim("2024-03-16", "I like jazz.")})...)
	m.undo("g", ids[1])
	m.wantSummaries("without Lisbon", map[string]string{
		"Kim": "Kim likes jazz. Kim likes tea. Kim has lived in Paris since May 2020.", "Paris": "Kim has lived in Paris since May 2020.",
	})
	m.undo("g", ids[0])
	m.wantSummaries("without Paris", map[string]string{"Kim": "Kim likes jazz. Kim likes tea."})
}

// A fact marked to expire leaves the summary, and returns once it is marked to be kept.
func TestSummariesFollowMarks(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{kim("2024-01-01", "I live in Paris. I like tea.")})
	tea := m.factID("g", "%tea%")
	mark := func(mark graph.Mark, at time.Time) {
		t.Helper()
		if _, err := m.engine.Mark(t.Context(), "g", []uuid.UUID{tea}, mark, at); err != nil {
			t.Fatal(err)
		}
	}
	const paris = "Kim lives in Paris."
	soon := time.Now().Add(time.Hour)
	mark(graph.MarkExpires, soon)
	m.wantSummaries("to expire", map[string]string{"Kim": paris, "tea": ""})
	m.hear("g", []graph.Episode{kim("2024-02-01", "I like jazz.")})
	m.wantSummaries("with what is new", map[string]string{"Kim": "Kim likes jazz. " + paris})
	mark(graph.MarkKeeps, time.Time{})
	m.wantSummaries("kept", map[string]string{"Kim": "Kim likes jazz. Kim likes tea. " + paris, "tea": "Kim likes tea."})
	mark(graph.MarkExpires, soon)
	m.exec("UPDATE annals.marks SET since = since - interval '2 hours', expires_at = now() - interval '1 hour' WHERE mark = 'expires' AND until IS NULL")
	if _, err := m.engine.Sweep(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	m.wantSummaries("swept", map[string]string{"Kim": "Kim likes jazz. " + paris})
}

// A fact that becomes disputed leaves the summary.
func TestSummariesForgetWhatBecomesDisputed(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{{Actor: "Helper", Role: "assistant", Content: "Kim lives in Oslo.", OccurredAt: date("2024-02-01")}})
	m.wantSummaries("as the helper says", map[string]string{"Kim": "Kim lives in Oslo."})
	m.hear("g", []graph.Episode{kim("2024-01-01", "I live in Rome.")})
	m.wantSummaries("as Kim says", map[string]string{"Kim": "Kim lives in Rome.", "Oslo": "", "Rome": "Kim lives in Rome."})
	if _, err := m.engine.Confirm(t.Context(), "g", []uuid.UUID{m.factID("g", "%Oslo%")}, false); err != nil {
		t.Fatal(err)
	}
	if told := m.summaryOf("Oslo"); told != "Kim lives in Oslo." {
		t.Errorf("once a person confirms it, Oslo's summary is %q", told)
	}
}

func TestSummariesOfMergedAndSplitEntities(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.hear("g", []graph.Episode{kim("2024-01-01", "I like tea. Bob likes jazz. Bob lives in Rome. Robert Brown lives in Oslo.")})
	merged, err := m.engine.MergeEntities(t.Context(), "g", m.entityID("Bob"), m.entityID("Robert Brown"))
	if err != nil {
		t.Fatal(err)
	}
	for _, told := range []string{merged.Summary, m.summaryOf("Robert Brown")} {
		if !strings.Contains(told, "jazz") || !strings.Contains(told, "Oslo") || strings.Count(told, "Rome") != 1 {
			t.Errorf("the summary of both is %q", told)
		}
	}
	part, err := m.engine.SplitEntity(t.Context(), "g", merged.ID, "Bob", []uuid.UUID{m.factID("g", "%jazz%")})
	if err != nil {
		t.Fatal(err)
	}
	if part.Summary != "Bob likes jazz." || strings.Contains(m.summaryOf("Robert Brown"), "jazz") {
		t.Errorf("split off, it is told %q, and of the other %q", part.Summary, m.summaryOf("Robert Brown"))
	}
}

// A summary over the limit keeps its newest statements whole.
func TestLongSummariesKeepTheNewest(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	things := strings.Fields("snow opera golf yoga soup jazz chess tennis hiking coffee cheese pasta bread wine beer painting poetry dancing swimming skiing sailing cycling")
	for i, thing := range append(things, "sushi", "pizza", "cider", "pepper", "garlic", "salad", "honey") {
		m.hear("g", []graph.Episode{kim(date("2024-01-01").AddDate(0, 0, i).Format(time.DateOnly), "I like "+thing+".")})
	}
	told := m.summaryOf("Kim")
	said := m.texts("SELECT fact FROM annals.facts WHERE group_id = 'g' AND source_id = '" + m.entityID("Kim").String() + "' ORDER BY id DESC")
	if len(told) > summary.Limit || len(told) < summary.Limit/2 || !strings.HasPrefix(strings.Join(said, " ")+" ", told+" ") {
		t.Errorf("of %q the summary tells %q", said, told)
	}
}

// Text written by hand, whichever way it was stored, stays at the front, until a fact goes that the
// text may tell of.
func TestWhatIsWrittenByHandStays(t *testing.T) {
	t.Parallel()
	const words = "A friend from Rome."
	for name, write := range map[string]func(*memory) error{
		"edited": func(m *memory) error {
			_, err := m.engine.EditEntity(m.t.Context(), "g", m.entityID("Kim"), edit.EntityEdit{Summary: new(words)})
			return err
		},
		"added": func(m *memory) error {
			_, err := m.engine.AddEntities(m.t.Context(), "g", []graph.Entity{{Name: "Kim", Summary: words}})
			return err
		},
		"by SQL": func(m *memory) error {
			_, err := m.pool.Exec(m.t.Context(), "UPDATE annals.entities SET summary = $1 WHERE name = 'Kim'", words)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMemory(t)
			m.hear("g", []graph.Episode{kim("2024-01-01", "I live in Rome.")})
			if err := write(m); err != nil {
				t.Fatal(err)
			}
			m.wantSummaries("written", map[string]string{"Kim": words})
			jazz := m.hear("g", []graph.Episode{kim("2024-02-01", "I like jazz.")})
			m.wantSummaries("with what is new", map[string]string{"Kim": words + " Kim likes jazz. Kim lives in Rome."})
			m.undo("g", jazz...)
			m.wantSummaries("as it was", map[string]string{"Kim": words})
			m.hear("g", []graph.Episode{kim("2024-03-01", "I moved to Oslo on 1 March 2024.")})
			m.wantSummaries("when it does not hold", map[string]string{"Kim": "Kim moved to Oslo on 1 March 2024."})
		})
	}
}

// A summarising model is given the facts that hold, with their times, and those that do not. Its
// text goes at once when a fact in it goes.
func TestSummariesByAModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.judge = contradictsAll
	long := strings.Repeat("a very long way from the sea and ", 20) + "from the hills"
	paris, lisbon := livesIn("Paris", "2023-01-10"), livesIn("Lisbon", "2024-03-08")
	paris.Fact = "Alice lives in Paris, " + long + "."
	likes := prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "LIKES", Fact: "Alice likes tea, " + long + "."}
	var asked []prompts.EntityToSummarise
	w.analyst.summarise = func(in prompts.SummariseEntities) (out prompts.EntitySummaries, _ error) {
		for _, e := range in.Entities {
			asked = append(asked, e)
			out.Summaries = append(out.Summaries, prompts.EntitySummary{ID: e.ID, Summary: "It is about " + e.Name + ", as she resides in Paris."})
		}
		return out, nil
	}
	hear := func(day, place string, fact prompts.ExtractedFact) prompts.EntityToSummarise {
		t.Helper()
		asked = nil
		w.analyst.entities, w.analyst.facts = names(place), facts(fact)
		w.says(day, "Alice", "It is about "+place+".")
		i := slices.IndexFunc(asked, func(e prompts.EntityToSummarise) bool { return e.Name == "Alice" })
		if i < 0 {
			return prompts.EntityToSummarise{}
		}
		return asked[i]
	}
	first := hear("2023-01-20", "Paris", paris)
	if len(first.Facts) != 1 || first.Facts[0] != (prompts.TimedFact{Fact: paris.Fact, When: "since 10 January 2023"}) || first.Gone != nil || first.Summary != "" {
		t.Errorf("first asked about %+v", first)
	}
	w.analyst.judge = nil
	second := hear("2023-02-01", "tea", likes)
	if len(second.Facts) != 2 || second.Facts[0].When != "known since 1 February 2023" || second.Summary != "It is about Alice, as she resides in Paris." {
		t.Errorf("while all holds, asked about %+v", second)
	}
	jazz := prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "LIKES", Fact: "Alice likes jazz."}
	if third := hear("2023-03-01", "jazz", jazz); third.ID != 0 || w.entity("Alice").Summary != "Alice likes jazz. "+second.Summary {
		t.Errorf("with room for what is new, asked about %+v; the summary is %q", third, w.entity("Alice").Summary)
	}
	w.analyst.judge = func(in prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
		for _, k := range in.Existing {
			if k.Pairs[0].Target == "Paris" {
				return prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{{ID: in.Facts[0].ID, Contradicts: []int{k.ID}}}}, nil
			}
		}
		return prompts.ResolvedFacts{}, nil
	}
	last := hear("2024-03-15", "Lisbon", lisbon)
	gone := prompts.TimedFact{Fact: paris.Fact, When: "from 10 January 2023 until 8 March 2024"}
	if last.Summary != "" || len(last.Facts) != 3 || len(last.Gone) != 1 || last.Gone[0] != gone {
		t.Errorf("when a home has ended, asked about %+v", last)
	}

	// An edit by hand asks no model: the rules write the summary.
	summary := func() string { return w.entity("Alice").Summary }
	if !strings.Contains(summary(), "Paris") {
		t.Fatalf("the model's words are not kept: %q", summary())
	}
	if err := w.engine.WithdrawFact(t.Context(), "g", w.facts()[likes.Fact].ID); err != nil {
		t.Fatal(err)
	}
	if got := summary(); got != "Alice lives in Lisbon (since 8 March 2024). Alice likes jazz." {
		t.Errorf("after a fact was withdrawn the summary is %q", got)
	}
}

// With no question left, no ended fact stays in a summary that a model wrote.
func TestSummariesWithoutAQuestionLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("a very long way from the sea and ", 20) + "from the hills"
	home := livesIn("Paris", "2023-01-10")
	home.Fact = "Alice lives in Paris, " + long + "."
	asked := 0
	w.analyst.summarise = func(in prompts.SummariseEntities) (out prompts.EntitySummaries, _ error) {
		asked++
		for _, e := range in.Entities {
			out.Summaries = append(out.Summaries, prompts.EntitySummary{ID: e.ID, Summary: "She resides in Paris."})
		}
		return out, nil
	}
	w.analyst.entities, w.analyst.facts = names("Paris"), facts(home)
	w.says("2023-01-20", "Alice", "I live in Paris.")
	w.analyst.judge = contradictsAll
	w.analyst.resolve = func(in prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
		return prompts.ResolvedEntities{}, nil
	}
	// The similar name and the contradiction take all questions that may be asked.
	move := prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "LIVES_IN", Fact: "Alice lives in Lisbon, " + long + ".", ValidAt: "2024-03-08"}
	w.analyst.entities, w.analyst.facts = names("Lisbon", "Paris Hilton"), facts(move)
	w.says("2024-03-15", "Alice", "I moved to Lisbon, and met Paris Hilton.")
	if got := w.entity("Alice").Summary; asked != 1 || got != strings.TrimSuffix(move.Fact, ".")+" (since 8 March 2024)." {
		t.Errorf("asked %d times, and the summary is %q", asked, got)
	}
}

// A fact that is withdrawn while a model summarises is in none of its summaries.
func TestNoSummaryTellsWhatIsWithdrawnMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("a very long way from the sea and ", 20) + "from the hills"
	tell := func(day, thing string) {
		t.Helper()
		w.relates([]string{thing}, prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "LIKES", Fact: "Alice likes " + thing + ", " + long + "."})
		w.says(day, "Alice", "I like "+thing+".")
	}
	tell("2024-01-01", "tea")
	tell("2024-01-02", "jazz") // takes the room of tea
	asked := 0
	w.analyst.summarise = func(in prompts.SummariseEntities) (out prompts.EntitySummaries, _ error) {
		if asked++; asked == 1 {
			for sentence, f := range w.facts() {
				if strings.Contains(sentence, "tea") {
					if err := w.engine.WithdrawFact(t.Context(), "g", f.ID); err != nil {
						t.Error(err)
					}
				}
			}
		}
		for _, e := range in.Entities {
			told := "Of " + e.Name
			for _, f := range e.Facts {
				told += ": " + f.Fact[:20]
			}
			out.Summaries = append(out.Summaries, prompts.EntitySummary{ID: e.ID, Summary: told})
		}
		return out, nil
	}
	tell("2024-01-03", "chess")
	if got := w.entity("Alice").Summary; asked != 2 || strings.Contains(got, "tea") || !strings.Contains(got, "chess") {
		t.Errorf("asked %d times, want again after the withdrawal; the summary is %q", asked, got)
	}
}

// A booked flight that is called off leaves the summary.
func TestACalledOffFlightIsNotTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.relates([]string{"Lisbon"}, prompts.ExtractedFact{Source: 1, Target: 2, Predicate: "HAS_FLIGHT_TO", Fact: "Her flight to Lisbon is booked."})
	w.says("2024-01-01", "Alice", "My flight to Lisbon is booked.")
	if got := w.entity("Alice").Summary; got != "Her flight to Lisbon is booked." {
		t.Fatalf("the summary is %q", got)
	}
	w.analyst.facts = func(prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
		return prompts.ExtractedFacts{TakesBack: true}, nil
	}
	w.analyst.judge = func(in prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
		return prompts.ResolvedFacts{Resolutions: []prompts.FactResolution{{Retracts: []int{in.Existing[0].ID}}}}, nil
	}
	w.says("2024-02-01", "Alice", "I called the flight to Lisbon off.")
	for _, name := range []string{"Alice", "Lisbon"} {
		if got := w.entity(name).Summary; got != "" {
			t.Errorf("called off, the summary of %s is %q", name, got)
		}
	}
}
