package offline_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

func TestResolveEntities(t *testing.T) {
	t.Parallel()
	person := func(name string, aliases ...string) prompts.EntityCandidate {
		return prompts.EntityCandidate{Name: name, Aliases: aliases, Labels: []string{"Person"}}
	}
	unknown := func(name string) prompts.EntityCandidate { return prompts.EntityCandidate{Name: name} }
	tests := []struct {
		name, label string
		candidates  []prompts.EntityCandidate
		want        int // the candidate; 0: new
		called      string
	}{
		{"Élodie", "", []prompts.EntityCandidate{unknown("elodie")}, 1, "Élodie"},
		{"Spider-Man", "", []prompts.EntityCandidate{unknown("spider man")}, 1, "Spider-Man"},
		{"Caroline", "Person", []prompts.EntityCandidate{unknown("Caroline Smith")}, 1, "Caroline Smith"},
		{"Caroline Smith", "", []prompts.EntityCandidate{person("Caroline")}, 1, "Caroline Smith"},
		{"Caroline", "Person", []prompts.EntityCandidate{person("Caroline Smith"), person("Caroline Jones")}, 0, ""},
		{"Caroline Jones", "Person", []prompts.EntityCandidate{person("Caroline Smith", "Caroline")}, 0, ""},
		{"Dr. Grant", "Person", []prompts.EntityCandidate{person("Alan Grant")}, 1, "Alan Grant"},
		{"Mel", "", []prompts.EntityCandidate{person("Melanie")}, 1, "Melanie"},
		{"Mel", "", []prompts.EntityCandidate{person("Melanie"), person("Melissa")}, 0, ""},
		{"Liz Taylor", "Person", []prompts.EntityCandidate{person("Elizabeth Taylor")}, 1, "Elizabeth Taylor"},
		{"Mike", "Person", []prompts.EntityCandidate{person("Michael Berg")}, 1, "Michael Berg"},
		{"Ann", "Person", []prompts.EntityCandidate{person("Anna")}, 0, ""},
		{"Paris", "Place", []prompts.EntityCandidate{person("Paris Hilton")}, 0, ""},
		{"York", "", []prompts.EntityCandidate{unknown("New York")}, 0, ""},
		{"Lisbon", "Place", []prompts.EntityCandidate{{Name: "University of Lisbon", Labels: []string{"Organization"}}}, 0, ""},
		{"Acme", "Organization", []prompts.EntityCandidate{unknown("Acme Corp.")}, 1, "Acme Corp."},
		{"Acme", "Organization", []prompts.EntityCandidate{unknown("Acme Rockets")}, 0, ""},
		{"printer", "Topic", []prompts.EntityCandidate{{Name: "laser printer", Labels: []string{"Topic"}}}, 0, ""},
		{"Anna", "Person", []prompts.EntityCandidate{person("anna"), person("Anna Berg")}, 1, "Anna"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for i := range tt.candidates {
				tt.candidates[i].ID = i + 1
			}
			got, err := offline.New().ResolveEntities(t.Context(), prompts.ResolveEntities{
				Entities: []prompts.UnresolvedEntity{{ID: 7, Name: tt.name, Label: tt.label, Candidates: tt.candidates}},
			})
			if err != nil {
				t.Fatal(err)
			}
			var want []prompts.EntityResolution
			if tt.want != 0 {
				want = []prompts.EntityResolution{{ID: 7, Candidate: tt.want, Name: tt.called}}
			}
			for i := range got.Resolutions {
				got.Resolutions[i].Reason = ""
			}
			if diff := cmp.Diff(want, got.Resolutions); diff != "" {
				t.Errorf("%s among %v (-want +got):\n%s", tt.name, tt.candidates, diff)
			}
		})
	}
}

// "No longer works at" and "works at now" refer to the known employer.
func TestResolveWhatEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ said, name, known, summary, want string }{
		{"I don't work at Southmead anymore.", "Southmead", "Southmead Hospital", "Eva works at Southmead Hospital.", "Southmead Hospital"},
		{"I left Greenfield School.", "Greenfield School", "Greenfield", "Eva works at Greenfield.", "Greenfield School"},
		{"I work at Southmead.", "Southmead", "Southmead Hospital", "Eva works at Southmead Hospital.", "Southmead Hospital"},
		{"I don't work at Southmead anymore.", "Southmead", "Southmead Hospital", "Tom works at Southmead Hospital.", ""},
		{"I don't work at Southmead anymore.", "Southmead", "Southmead Hospital", "Evan works at Southmead Hospital.", ""},
		{"I like Southmead.", "Southmead", "Southmead Hospital", "Eva works at Southmead Hospital.", ""},
	} {
		got, err := offline.New().ResolveEntities(t.Context(), prompts.ResolveEntities{
			Episode: prompts.Episode{Source: "message", Speaker: "Eva", Content: tt.said, OccurredAt: said},
			Entities: []prompts.UnresolvedEntity{{ID: 7, Name: tt.name, Label: "Organization", Candidates: []prompts.EntityCandidate{
				{ID: 1, Name: tt.known, Labels: []string{"Organization"}, Summary: tt.summary},
			}}},
		})
		called := ""
		for _, r := range got.Resolutions {
			called = r.Name
		}
		if err != nil || called != tt.want {
			t.Errorf("%s: %q is %q, want %q (%v)", tt.said, tt.name, called, tt.want, err)
		}
	}
}

// A thing with a new date is the known thing with a future date that fits its words.
func TestResolveThings(t *testing.T) {
	t.Parallel()
	const flight, dentist, meeting = "Eva's flight to Boston", "Eva's dentist appointment", "Eva's team meeting"
	for _, tt := range []struct {
		said, name string
		known      []string // each is on 20 July 2024
		want       string
	}{
		{"No wait, the flight is on the 21st.", "flight", []string{flight, dentist}, flight},
		{"The dentist moved my appointment to 10 August.", "Eva's appointment", []string{dentist, meeting}, dentist},
		{"The team meeting has been moved to 18 July.", "team meeting", []string{meeting}, meeting},
		{"The meeting is on 18 July.", "meeting", []string{meeting, dentist}, meeting},
		{"The wedding is postponed.", "wedding", []string{"Eva's wedding"}, "Eva's wedding"},
		{"The flight is on the 21st.", "flight", []string{flight, "Eva's flight to Rome"}, ""},
		{"The flight is on the 21st.", "flight", []string{"Tom's flight to Rome"}, ""},
		{"The meeting has been moved to 18 July.", "meeting", []string{"Tom's team meeting"}, "Tom's team meeting"},
		{"Db-7 is back up.", "db-7", []string{"Server db-7", "Server db-8"}, "Server db-7"},
		{"Server db-7 is back up.", "Server db-7", []string{"db-7"}, "Server db-7"},
		{"Db-7 is back up.", "db-7", []string{"Server db-7", "Printer db-7"}, ""},
		{"The flight was long.", "flight", []string{flight}, ""},
		{"The flight is on 21 August.", "flight", []string{flight}, flight},
		{"The bus is on the 21st.", "bus", []string{flight}, ""},
	} {
		e := prompts.Episode{Source: "message", Speaker: "Eva", Content: tt.said, OccurredAt: time.Date(2024, 7, 10, 9, 0, 0, 0, time.UTC)}
		if strings.Contains(tt.said, "August") && tt.name == "flight" { // after the known one
			e.OccurredAt, tt.want = time.Date(2024, 8, 1, 9, 0, 0, 0, time.UTC), ""
		}
		u := prompts.UnresolvedEntity{ID: 1, Name: tt.name, Label: "Topic"}
		for i, name := range tt.known {
			u.Candidates = append(u.Candidates, prompts.EntityCandidate{ID: i + 1, Name: name, Labels: []string{"Topic"}, Summary: name + " is on 20 July 2024 at 7am."})
		}
		answer, err := offline.New().ResolveEntities(t.Context(), prompts.ResolveEntities{Episode: e, Entities: []prompts.UnresolvedEntity{u}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range answer.Resolutions {
			got = r.Name
		}
		if got != tt.want {
			t.Errorf("%q: means %q, want %q", tt.said, got, tt.want)
		}
	}
}

func TestResolveFacts(t *testing.T) {
	t.Parallel()
	fact := func(source, predicate, target, sentence string, day string) prompts.KnownFact {
		f := prompts.KnownFact{Pairs: []prompts.Pair{{Source: source, Predicate: predicate, Target: target}}, Fact: sentence}
		if at, err := time.Parse(time.DateOnly, day); err == nil {
			f.Valid = temporal.Validity{Interval: temporal.Interval{Start: at}, From: temporal.Bound{Basis: temporal.Stated, Precision: temporal.ToTheDay}}
		}
		return f
	}
	paris := fact("Alice", "LIVES_IN", "Paris", "Alice lives in Paris.", "2023-01-10")
	tests := []struct {
		about       string
		f, known    prompts.KnownFact
		duplicate   bool
		contradicts bool
	}{
		{"a move", fact("Alice", "LIVES_IN", "Lisbon", "Alice moved to Lisbon last week.", "2024-03-08"), paris, false, true},
		{"somebody else's move", fact("Bob", "LIVES_IN", "Lisbon", "Bob lives in Lisbon.", ""), paris, false, false},
		{"the same home in other words", fact("Alice", "LIVES_IN", "Paris", "Alice is based in Paris.", "2024-01-01"), paris, true, false},
		{"the same home, since earlier", fact("Alice", "LIVES_IN", "Paris", "Alice has lived in Paris since 2016.", "2016-01-01"), paris, false, false},
		{"an end", fact("Alice", "NO_LONGER_LIVES_IN", "Paris", "Alice left Paris.", "2024-01-01"), paris, false, true},
		{"the end of another home", fact("Alice", "NO_LONGER_LIVES_IN", "Rome", "Alice used to live in Rome.", ""), paris, false, false},
		{"a beginning after an end", paris, fact("Alice", "NO_LONGER_LIVES_IN", "Paris", "Alice used to live in Paris.", "2020-01-01"), false, true},
		{
			"the end of a job that is not named",
			fact("Alice", "NO_LONGER_WORKS_AT", "job", "Alice quit Alice's job.", ""),
			fact("Alice", "WORKS_AT", "Acme", "Alice works at Acme.", "2020-01-01"), false, true,
		},
		{
			"a new favourite",
			fact("Alice", "FAVORITE_COLOR", "blue", "Alice's favorite color is blue.", ""),
			fact("Alice", "FAVORITE_COLOR", "green", "Alice's favourite colour is green.", ""), false, true,
		},
		{"another weight", fact("Alice", "WEIGHS", "68 kilos", "Alice weighs 68 kilos.", ""), fact("Alice", "WEIGHS", "71 kilos", "Alice weighs 71 kilos.", ""), false, true},
		{"what is weighed", fact("Alice", "WEIGHS", "options", "Alice weighs her options.", ""), fact("Alice", "WEIGHS", "71 kilos", "Alice weighs 71 kilos.", ""), false, false},
		{
			"one more thing that is liked",
			fact("Alice", "LIKES", "sushi", "Alice likes sushi.", ""), fact("Alice", "LIKES", "pizza", "Alice likes pizza.", ""), false, false,
		},
		{
			"a like again",
			fact("Alice", "LIKES", "pizza", "Alice really loves pizza.", "2024-01-01"), fact("Alice", "LIKES", "pizza", "Alice likes pizza.", "2023-01-01"), true, false,
		},
		{
			"an event at another time",
			fact("Alice", "VISITS", "Rome", "Alice visited Rome yesterday.", "2024-03-14"),
			fact("Alice", "VISITS", "Rome", "Alice visited Rome last year.", "2023-03-01"), false, false,
		},
		{
			"an event in another order of words",
			fact("Alice", "VISITS", "Rome", "Yesterday Alice visited Rome with friends.", "2024-03-14"),
			fact("Alice", "VISITS", "Rome", "Alice visited Rome with friends yesterday.", "2024-03-14"), true, false,
		},
		{
			"more about an event",
			fact("Alice", "VISITS", "Rome", "Alice visited Rome and saw seven ancient temples there.", "2024-03-14"),
			fact("Alice", "VISITS", "Rome", "Alice visited Rome.", "2024-03-14"), false, false,
		},
		{
			"the end of a thing that is named less fully",
			fact("Alice", "NO_LONGER_HAS", "bicycle", "Alice sold the bicycle.", ""),
			fact("Alice", "HAS", "red bicycle", "Alice bought a red bicycle.", ""), false, true,
		},
		{
			"the end of something else",
			fact("Alice", "NO_LONGER_HAS", "bicycle", "Alice sold the bicycle.", ""), fact("Alice", "HAS", "cycle", "Alice has a cycle.", ""), false, false,
		},
		{
			"another purchase",
			fact("Alice", "HAS", "lamp", "Alice bought a lamp last week.", "2024-03-08"),
			fact("Alice", "HAS", "lamp", "Alice bought a lamp in 2020.", "2020-01-01"), false, false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) {
			t.Parallel()
			tt.known.ID = 1
			tt.f.ID = 5
			ask := prompts.UnresolvedFact{KnownFact: tt.f, Rivals: []int{1}}
			if tt.f.Pairs[0].Target == tt.known.Pairs[0].Target && tt.f.Pairs[0].Source == tt.known.Pairs[0].Source {
				ask.SamePair, ask.Rivals = []int{1}, nil
			}
			r := judge(t, ask, tt.known)
			if r.DuplicateOf == 1 != tt.duplicate || (len(r.Contradicts) > 0) != tt.contradicts {
				t.Errorf("duplicate of %d, contradicts %v", r.DuplicateOf, r.Contradicts)
			}
		})
	}
}

func judge(t *testing.T, f prompts.UnresolvedFact, known ...prompts.KnownFact) prompts.FactResolution {
	t.Helper()
	got, err := offline.New().ResolveFacts(t.Context(), prompts.ResolveFacts{
		Episode: prompts.Episode{OccurredAt: said}, Facts: []prompts.UnresolvedFact{f}, Existing: known,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Resolutions) == 0 {
		return prompts.FactResolution{}
	}
	return got.Resolutions[0]
}

// "The problem is solved" ends the only known problem, and none where there are two.
func TestUnnamedProblem(t *testing.T) {
	t.Parallel()
	solved := prompts.UnresolvedFact{
		KnownFact: prompts.KnownFact{ID: 1, Pairs: []prompts.Pair{{Source: "Alice", Predicate: "NO_LONGER_HAS_PROBLEM_WITH", Target: "problem"}}}, Ends: true, Rivals: []int{1, 2},
	}
	printer := prompts.KnownFact{ID: 1, Pairs: []prompts.Pair{{Source: "Alice", Predicate: "HAS_PROBLEM_WITH", Target: "printer"}}}
	other := prompts.KnownFact{ID: 2, Pairs: []prompts.Pair{{Source: "Alice", Predicate: "LIKES", Target: "tea"}}}
	if diff := cmp.Diff([]int{1}, judge(t, solved, printer, other).Contradicts); diff != "" {
		t.Errorf("one problem (-want +got):\n%s", diff)
	}
	other.Pairs[0].Predicate = "HAS_PROBLEM_WITH"
	if got := judge(t, solved, printer, other).Contradicts; got != nil {
		t.Errorf("two problems: ended %v", got)
	}
}

// Unknown ids are skipped.
func TestResolveFactsWithUnknownIDs(t *testing.T) {
	t.Parallel()
	f := prompts.UnresolvedFact{KnownFact: prompts.KnownFact{ID: 1, Pairs: []prompts.Pair{{Source: "A", Predicate: "LIKES", Target: "B"}}}, SamePair: []int{0, 9}, Rivals: []int{-1}}
	if r := judge(t, f); r.DuplicateOf != 0 || r.Contradicts != nil {
		t.Errorf("got %+v", r)
	}
}
