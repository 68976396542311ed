package acceptance_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals"
)

// rejected states where Nora lives and withdraws it, with the authority of a
// person.
func rejected(t *testing.T, s *store, d door, group, place string) annals.Fact {
	t.Helper()
	say(t, d, message{group: group, text: "I live in " + place + ".", day: "2024-03-01", thread: "talk"})
	f := s.fact(t, group, place)
	if !holds(d.recall(t, group, home), place) {
		t.Fatal("the control finds nothing")
	}
	var person door = cliDoor{s}
	if d.name() == "rest" {
		person = d // MCP's word is a model's, and psql has no word for it
	}
	s.withdraw(t, person, group, f)
	s.inactive(t, d, group, place, home)
	if s.rejections(t, group) != 1 {
		t.Fatalf("%d rejections stand, want one", s.rejections(t, group))
	}
	return f
}

// launder tries to bring a rejected value back by permitted operations.
func launder(t *testing.T, s *store, d door, group, place string) {
	t.Helper()
	say(t, d, message{group: group, text: "I live in Quorvik.", day: "2024-04-01", thread: "talk"})
	say(t, d, message{group: group, text: "I live in " + place + ".", day: "2024-05-01", thread: "talk"})
	say(t, d, message{group: group, speaker: "Tarquin", text: "Nora lives in " + place + ".", day: "2024-05-02", thread: "talk"})
	say(t, d, message{group: group, speaker: "", text: "Nora lives in " + place + ".", day: "2024-05-03", source: "text"})
	if err := d.state(t, group, "Nora", "LIVES_IN", place, "Nora lives in "+place+"."); err == nil {
		t.Errorf("a fact that was withdrawn is taken when it is stated by hand")
	}
	s.background(t, group)
	s.inactive(t, d, group, place, home)
	if s.rejections(t, group) != 1 {
		t.Errorf("%d rejections stand, want one", s.rejections(t, group))
	}
	if len(s.facts(t, group, "Quorvik")) == 0 {
		t.Error("what took its place is gone")
	}
}

func launderingSequence(t *testing.T, s *store, d door, group string) {
	rejected(t, s, d, group, "Velnor")
	launder(t, s, d, group, "Velnor")
}

// A rejection survives retention, pruning, new vectors and age.
func survivesPrune(t *testing.T, s *store, d door, group string) {
	rejected(t, s, d, group, "Velnor")
	if err := s.client.SetRetention(t.Context(), group, annals.Retention{MaxAge: 24 * time.Hour, MaxEpisodes: 1}); err != nil {
		t.Fatal(err)
	}
	say(t, d, message{group: group, text: "I work at Quuxwerk."})
	s.exec(t, `UPDATE annals.rejections SET rejected_at = rejected_at - interval '30 years' WHERE group_id = $1`, group)
	s.background(t, group)
	if n := s.count(t, `SELECT count(*) FROM annals.episodes WHERE group_id = $1`, group); n > 1 {
		t.Fatalf("retention left %d episodes", n)
	}
	if err := s.client.SetRetention(t.Context(), group, annals.Retention{}); err != nil {
		t.Fatal(err)
	}
	launder(t, s, d, group, "Velnor")
}

// disguises are the same text in other letters.
var disguises = map[string]string{
	"case":              "I LIVE IN VELNOR.",
	"white space":       "I  live\tin   Velnor .",
	"no full stop":      "I live in Velnor",
	"zero width space":  "I live in Vel\u200bnor.",
	"soft hyphen":       "I live in Vel\u00adnor.",
	"word joiner":       "I live in V\u2060e\u2060lnor.",
	"bidi marks":        "I live in \u202aVelnor\u202c.",
	"Cyrillic letters":  "I live in V\u0435lnor.",
	"Greek letters":     "I live in Veln\u03bfr.",
	"full width":        "I live in Ｖｅｌｎｏｒ.",
	"accents":           "I live in Vélnór.",
	"in a conversation": "Good morning! I live in Velnor. How are you?",
}

// Other spellings of a rejected value, and of an erased text, are refused.
func normalizationAttack(t *testing.T, s *store, d door, group string) {
	rejected(t, s, d, group, "Velnor")
	units := s.units(t, group, "Velnor")
	for name, text := range disguises {
		if _, err := d.say(t, message{group: group, speaker: "Nora", text: text, day: "2024-05-01", role: "user"}); err != nil {
			t.Errorf("%s: what was only withdrawn is stored as evidence: %v", name, err)
		}
		if found := s.facts(t, group, "Velnor"); len(found) > 0 {
			t.Errorf("%s gets past the rejection: %s", name, found[0].Fact)
			s.withdraw(t, d, group, found[0])
		}
	}
	if after := s.units(t, group, "Velnor"); after != units {
		note("tombstone.key_normalization_attack", "%d units before, %d after", units, after)
	}
	erased := group + "-erased"
	id := say(t, d, message{group: erased, text: "The locker of Nora has the code nine four one seven.", day: "2024-03-01"})
	s.erase(t, d, erased, id)
	for name, text := range map[string]string{
		"as it was": "The locker of Nora has the code nine four one seven.", "case": "THE LOCKER OF NORA HAS THE CODE NINE FOUR ONE SEVEN.",
		"white space": " The  locker of Nora has\tthe code nine four one seven . ", "no full stop": "The locker of Nora has the code nine four one seven",
		"zero width space": "The loc\u200bker of Nora has the code nine four one seven.", "soft hyphen": "The locker of Nora has the c\u00adode nine four one seven.",
		"bidi marks": "\u202aThe locker of Nora has the code nine four one seven.\u202c", "Cyrillic letters": "The l\u043ecker of Nora has the code nine four one seven.",
		"Greek letters": "The locker \u03bff Nora has the code nine four one seven.", "in a transcript": "Hello.\nThe locker of Nora has the code nine four one seven.\nBye.",
	} {
		if _, err := d.say(t, message{group: erased, speaker: "Nora", text: text, day: "2024-05-01", role: "user"}); err == nil {
			t.Errorf("%s gets past the tombstone", name)
		}
	}
	paraphrase := "Nora's locker opens with 9417, I was told."
	_, err := d.say(t, message{group: erased, speaker: "Nora", text: paraphrase, day: "2024-05-01", role: "user"})
	side := "is refused"
	if err == nil {
		side = "passes, as the specification expects: no test of meaning is made"
	}
	note("tombstone.key_normalization_attack", "a paraphrase of an erased text %s", side)
}

// units counts the facts, past and present, that contain a word.
func (s *store) units(t *testing.T, group, word string) int {
	t.Helper()
	return s.count(t, `SELECT count(DISTINCT id) FROM annals.fact_versions WHERE group_id = $1 AND annals_internal.fold_text(fact) LIKE '%' || annals_internal.fold_text($2) || '%'`, group, word)
}

// A rejected value that is stated again is not believed again.
func reextractionStaysInactive(t *testing.T, s *store, d door, group string) {
	rejected(t, s, d, group, "Velnor")
	for _, m := range []message{
		{text: "I live in Velnor.", day: "2024-03-01", thread: "talk"}, // fed again
		{text: "I live in Velnor.", day: "2025-01-01", thread: "other"},
		{text: "Nora: I live in Velnor.\nTarquin: Good for you!", day: "2025-01-02", source: "text"},
	} {
		m.group, m.speaker, m.role = group, "Nora", "user"
		if m.source == "text" {
			m.speaker, m.role = "", ""
		}
		if _, err := d.say(t, m); err != nil {
			t.Errorf("%q is not stored as evidence: %v", m.text, err)
		}
		s.inactive(t, d, group, "Velnor", home)
	}
	s.background(t, group)
	s.inactive(t, d, group, "Velnor", home)
}

// A refused value creates no second fact, and the refusal is recorded.
func noSecondUnit(t *testing.T, s *store, d door, group string) {
	rejected(t, s, d, group, "Velnor")
	before := s.units(t, group, "Velnor")
	id := say(t, d, message{group: group, text: "I live in Velnor.", day: "2025-01-01"})
	if after := s.units(t, group, "Velnor"); after != before {
		t.Errorf("%d units became %d", before, after)
	}
	if n := s.count(t, `SELECT count(*) FROM annals.traces WHERE group_id = $1 AND episode_id = $2 AND (decision::text ILIKE '%refused%' OR reason ILIKE '%refused%')`, group, id); n == 0 {
		t.Error("its trace does not tell that it was refused")
	}
	if n := s.count(t, `SELECT count(*) FROM annals.episodes WHERE group_id = $1 AND id = $2`, group, id); n != 1 {
		t.Error("the evidence is gone")
	}
	note("tombstone.no_second_memory_unit", "the rejection is consulted: nothing is written")
}
