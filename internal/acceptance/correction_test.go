package acceptance_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
)

// shape is a form of correction.
type shape struct {
	name     string
	said     []string
	question string
	now      []string // words of facts that hold
	gone     []string // words of facts that hold no longer, or never did
	stale    string   // what no line of a context says without its end
	history  string   // a word that the history keeps; empty: it never held
}

var shapes = []shape{
	{"replacement", []string{"I live in Velnor.", "I moved to Quorvik."}, home, []string{"Quorvik"}, []string{"Velnor"}, "Nora lives in Velnor", "Velnor"},
	{"polarity flip", []string{"I love coriander.", "I can't stand coriander now."}, "Does Nora like coriander?", []string{"DISLIKES coriander"}, []string{" LIKES coriander"}, "Nora loves coriander", " LIKES coriander"},
	{"retraction", []string{"My sister is a doctor.", "I misspoke, I don't have a sister."}, "What does Nora's sister do?", nil, []string{"doctor"}, "sister is a doctor", ""},
	{"partial supersession", []string{"I am an engineer at Quuxwerk.", "I was promoted to manager."}, "What does Nora do?", []string{"manager", "Quuxwerk"}, []string{"engineer"}, "works as an engineer", "engineer"},
	{"bounded validity", []string{"I have been vegetarian for ten years.", "I stopped being vegetarian in 2024."}, "Is Nora vegetarian?", nil, []string{" IS vegetarian"}, "has been vegetarian for ten years", " IS vegetarian"},
}

// correct adds the messages of a shape, a month apart.
func correct(t *testing.T, s *store, d door, group string, shape shape) {
	t.Helper()
	for i, text := range shape.said {
		say(t, d, message{group: group, text: text, day: []string{"2024-03-01", "2024-04-01"}[i], thread: "talk"})
		if i == 0 && len(shape.gone) > 0 && !holds(s.holding(t, group, time.Time{}), shape.gone[0]) {
			t.Fatalf("%s: the control finds nothing", shape.name)
		}
	}
}

// A correction holds in the answer, in the context, after background jobs and
// after a rebuild of the index, and the history keeps the former belief.
func correctionsSurvive(t *testing.T, s *store, d door, group string) {
	for i, shape := range shapes {
		t.Run(strings.ReplaceAll(shape.name, " ", "-"), func(t *testing.T) {
			group := group + "-" + string(rune('a'+i))
			d := s.doors(t)[d.name()] // with a session of its own
			correct(t, s, d, group, shape)
			check := func(when string) {
				t.Helper()
				holding := s.holding(t, group, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
				for _, word := range shape.now {
					if !holds(holding, word) {
						t.Errorf("%s: %q does not hold: %s", when, word, holding)
					}
				}
				for _, word := range shape.gone {
					if holds(holding, word) {
						t.Errorf("%s: %q holds still: %s", when, word, holding)
					}
				}
				for line := range strings.Lines(d.recall(t, group, shape.question)) {
					ended := strings.Contains(line, "until") || strings.Contains(line, "from ") || withdrawnNote.MatchString(line)
					if strings.HasPrefix(line, "- ") && holds(line, shape.stale) && !ended {
						t.Errorf("%s: the context says without an end: %s", when, line)
					}
				}
				past := s.holding(t, group, time.Date(2024, 3, 15, 0, 0, 0, 0, time.UTC))
				if shape.name == "bounded validity" {
					past = s.holding(t, group, time.Date(2022, 6, 1, 0, 0, 0, 0, time.UTC))
				}
				if shape.history != "" && !holds(past, shape.history) {
					t.Errorf("%s: the past does not tell of %q: %s", when, shape.history, past)
				}
				if shape.history == "" && len(shape.gone) > 0 && holds(past, shape.gone[0]) {
					t.Errorf("%s: the past tells of what never was: %s", when, past)
				}
			}
			check("at once")
			s.background(t, group)
			check("after background jobs")
			s.rebuild(t, group)
			check("after a rebuild")
		})
	}
}

// holding returns the relations that hold at a time, as known now.
func (s *store) holding(t *testing.T, group string, at time.Time) string {
	t.Helper()
	list, err := s.client.Facts(t.Context(), annals.FactFilter{GroupID: group, ValidAt: at})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range list {
		b.WriteString(f.Source + " " + f.Predicate + " " + f.Target + "\n")
	}
	return b.String()
}

// A fact that is taken back without a replacement stays away when its source is
// added again.
func retractionWithoutReplacement(t *testing.T, s *store, d door, group string) {
	shape := shapes[2]
	correct(t, s, d, group, shape)
	s.inactive(t, d, group, "doctor", shape.question)
	before := len(s.facts(t, group, ""))
	m := message{group: group, speaker: "Nora", role: "user", text: shape.said[0], day: "2024-03-01", thread: "talk"}
	if _, err := d.say(t, m); err != nil {
		t.Errorf("the source is not stored as evidence: %v", err)
	}
	s.inactive(t, d, group, "doctor", shape.question)
	s.background(t, group)
	s.inactive(t, d, group, "doctor", shape.question)
	if after := len(s.facts(t, group, "")); after != before {
		t.Errorf("%d facts became %d: no newer one was needed", before, after)
	}
}
