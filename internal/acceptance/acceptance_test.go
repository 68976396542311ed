package acceptance_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/slow"
)

// test is a test of the specification.
type test struct {
	id  string
	run func(t *testing.T, s *store, d door, group string)

	// once: what it does is the same at every door.
	once bool
}

// tests lists the tests of the specification, in its order.
var tests = []test{
	{id: "scope.cross_tenant_absent", run: crossTenantAbsent},
	{id: "scope.caller_cannot_widen", run: callerCannotWiden},
	{id: "scope.background_respects_boundary", run: backgroundRespectsBoundary},
	{id: "evidence.claim_resolves_to_source", run: claimResolvesToSource},
	{id: "evidence.source_delete_reaches_derived", run: sourceDeleteReachesDerived},
	{id: "evidence.rebuild_from_retained", run: rebuildFromRetained},
	{id: "gateway.no_bypass_path", run: noBypassPath, once: true},
	{id: "gateway.model_cannot_claim_human_authority", run: modelCannotClaimAuthority, once: true},
	{id: "tombstone.laundering_sequence", run: launderingSequence},
	{id: "tombstone.survives_ttl_and_prune", run: survivesPrune},
	{id: "tombstone.key_normalization_attack", run: normalizationAttack},
	{id: "tombstone.reextraction_stays_inactive", run: reextractionStaysInactive},
	{id: "tombstone.no_second_memory_unit", run: noSecondUnit},
	{id: "deletion.absent_after_reindex_and_restart", run: absentAfterRestart},
	{id: "correction.survives_reindex", run: correctionsSurvive},
	{id: "correction.retraction_without_replacement", run: retractionWithoutReplacement},
	{id: "deletion.absent_from_shared_copies", run: absentFromCopies},
	{id: "retrieval.k_is_an_upper_bound", run: kIsAnUpperBound},
	{id: "prompt.recall_is_fenced_as_data", run: recallIsFenced},
	{id: "prompt.model_ignores_embedded_instructions", run: modelIsNotMeasured, once: true},
}

// TestAcceptance runs every test at every door, offline and with the scripted model.
// Without -all it runs the offline tests at two doors.
func TestAcceptance(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for _, mode := range modes {
		if mode != "offline" && !*all {
			continue
		}
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := newStore(t, mode)
			for _, test := range tests {
				t.Run(test.id, func(t *testing.T) {
					for i, name := range doorNames {
						if test.once && i > 0 || !*all && name != "rest" && name != "sql" {
							continue
						}
						t.Run(name, func(t *testing.T) { test.at(t, s, name) })
					}
				})
			}
		})
	}
}

// at runs a test at a door and records the outcome.
func (test test) at(t *testing.T, s *store, name string) {
	c := cell{test.id, s.mode, name}
	record(c, fails)
	t.Cleanup(func() {
		if !t.Failed() {
			outcomes.Lock()
			defer outcomes.Unlock()
			if outcomes.marks[c] == fails {
				outcomes.marks[c] = passes
			}
		}
	})
	group := strings.NewReplacer(".", "-", "_", "-").Replace(test.id) + "-" + name
	test.run(t, s, s.doors(t)[name], group)
}

// plain returns a text as a reader sees it, without disguises.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Mn) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(lookalike.Replace(s)))
}

// holds reports whether a text contains a word, even disguised.
func holds(text, word string) bool { return strings.Contains(plain(text), plain(word)) }

// say adds a message at a door, which must accept it.
func say(t *testing.T, d door, m message) string {
	t.Helper()
	if m.speaker == "" {
		m.speaker = "Nora"
	}
	if m.role == "" && d.name() != "mcp" {
		m.role = "user"
	}
	id, err := d.say(t, m)
	if err != nil {
		t.Fatalf("%s does not take %q: %v", d.name(), m.text, err)
	}
	return id
}

// facts returns the current facts of a group that contain a word.
func (s *store) facts(t *testing.T, group, word string) []annals.Fact {
	t.Helper()
	list, err := s.client.Facts(t.Context(), annals.FactFilter{GroupID: group, Limit: annals.MaxRows})
	if err != nil {
		t.Fatal(err)
	}
	var out []annals.Fact
	for _, f := range list {
		if holds(f.Fact+" "+f.Source+" "+f.Target, word) {
			out = append(out, f)
		}
	}
	return out
}

// fact returns the only current fact that contains a word.
func (s *store) fact(t *testing.T, group, word string) annals.Fact {
	t.Helper()
	found := s.facts(t, group, word)
	if len(found) != 1 {
		t.Fatalf("%d facts hold %q in %s, want one: %+v", len(found), word, group, found)
	}
	return found[0]
}

// withdrawnNote matches the start of a context's line that was withdrawn, in whole or
// in part.
var withdrawnNote = regexp.MustCompile(`^- \([^)]*taken back`)

// unmarked returns the lines that make a statement with a word and are not marked as
// withdrawn. A line with only the name of an entity is no statement.
func unmarked(text, word string) (lines []string) {
	for line := range strings.Lines(text) {
		said := strings.TrimPrefix(strings.TrimSpace(plain(line)), "- ")
		if strings.Contains(said, plain(word)) && said != plain(word) && !withdrawnNote.MatchString(strings.TrimSpace(line)) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// inactive checks that no belief, and nothing derived from one, contains a word, and
// that no context shows it unmarked.
func (s *store) inactive(t *testing.T, d door, group, word, question string) {
	t.Helper()
	if found := s.facts(t, group, word); len(found) > 0 {
		t.Errorf("%q is believed again: %s", word, found[0].Fact)
	}
	if lines := unmarked(d.recall(t, group, question), word); len(lines) > 0 {
		t.Errorf("the context says %q", lines)
	}
	for kind, sql := range derived {
		if n := s.count(t, sql, group, "%"+word+"%"); n > 0 {
			t.Errorf("%d %s hold %q", n, kind, word)
		}
	}
}

// derived holds, by kind, the queries for texts derived from messages, as they are
// served.
var derived = map[string]string{
	"summaries of entities":       `SELECT count(*) FROM annals.entities WHERE group_id = $1 AND summary ILIKE $2`,
	"summaries of conversations":  `SELECT count(*) FROM annals.threads WHERE group_id = $1 AND summary ILIKE $2`,
	"communities":                 `SELECT count(*) FROM annals.search($1, $2, '{community}') c WHERE c.name || c.content ILIKE $2`,
	"blocks of agents":            `SELECT count(*) FROM annals.blocks WHERE group_id = $1 AND value ILIKE $2`,
	"vectors of facts with it":    `SELECT count(*) FROM annals_internal.fact_embeddings v JOIN annals.facts f USING (group_id) WHERE group_id = $1 AND f.id = v.fact_id AND f.fact ILIKE $2`,
	"hits of SQL among the facts": `SELECT count(*) FROM annals.search($1, $2, '{fact}', include_ended => true) s WHERE s.content ILIKE $2`,
}

// rejections counts the standing rejections of a group.
func (s *store) rejections(t *testing.T, group string) int {
	t.Helper()
	return s.count(t, `SELECT count(*) FROM annals.rejections WHERE group_id = $1 AND lifted_at IS NULL`, group)
}

// withdraw withdraws a fact at a door, or by the command if the door cannot.
func (s *store) withdraw(t *testing.T, d door, group string, f annals.Fact) {
	t.Helper()
	err := d.withdraw(t, group, f.ID.String())
	if errors.Is(err, errAbsent) {
		err = cliDoor{s}.withdraw(t, group, f.ID.String())
	}
	if err != nil {
		t.Fatalf("withdraw %q: %v", f.Fact, err)
	}
}

// erase erases an episode at a door, or by the command if the door cannot.
func (s *store) erase(t *testing.T, d door, group, episode string) {
	t.Helper()
	err := d.erase(t, group, episode)
	if errors.Is(err, errAbsent) {
		err = cliDoor{s}.erase(t, group, episode)
	}
	if err != nil {
		t.Fatalf("erase %s: %v", episode, err)
	}
}
