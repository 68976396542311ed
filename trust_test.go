package annals_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// wary opens a memory that withholds documents and assistants' messages.
func wary(t *testing.T) (*annals.Client, string) {
	t.Helper()
	client, url := clienttest.New(t)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	if err := service.New(client).SetTrustPolicy(t.Context(), "t", graph.TrustPolicy{Assistants: true, Documents: true}); err != nil {
		t.Fatal(err)
	}
	return client, url
}

// say adds a message, to the group t if the episode names none.
func say(t *testing.T, client *annals.Client, e annals.Episode) uuid.UUID {
	t.Helper()
	if e.GroupID == "" {
		e.GroupID = "t"
	}
	stored, err := client.Add(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), e.GroupID, nil); err != nil {
		t.Fatal(err)
	}
	return stored.ID
}

func sentences(t *testing.T, client *annals.Client, f annals.FactFilter) string {
	t.Helper()
	if f.GroupID == "" {
		f.GroupID = "t"
	}
	facts, err := client.Facts(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, fact := range facts {
		out = append(out, fact.Fact+" "+string(fact.Trust))
	}
	return strings.Join(out, "; ")
}

// A document in quarantine ends nothing, dates nothing, renames nobody, and is not shown unless it
// is asked for: in no list, search, context, answer, summary or walk.
func TestWhatIsWithheldChangesNothing(t *testing.T) {
	t.Parallel()
	client, url := wary(t)
	ctx := t.Context()
	say(t, client, annals.Episode{Actor: "Alice", Content: "I live in Lisbon.", OccurredAt: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)})
	document := say(t, client, annals.Episode{
		Source: graph.SourceText, ThreadID: "inbox", Content: "Alice moved to Porto. Alice knows Mallory.", OccurredAt: time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC),
	})
	if got := sentences(t, client, annals.FactFilter{}); got != "Alice lives in Lisbon. believed" {
		t.Errorf("believed: %s", got)
	}
	if got := sentences(t, client, annals.FactFilter{ValidAt: time.Now()}); got != "Alice lives in Lisbon. believed" {
		t.Errorf("Lisbon ended: %s", got)
	}
	if got := sentences(t, client, annals.FactFilter{Trust: graph.TrustCandidate}); !strings.Contains(got, "Porto") {
		t.Errorf("waiting: %s", got)
	}
	shown := func(where string) {
		t.Helper()
		for what, text := range everythingShown(t, client, url) {
			for _, word := range []string{"Porto", "Mallory"} {
				if strings.Contains(text, word) {
					t.Errorf("%s: %s shows %s: %s", where, what, word, text)
				}
			}
		}
	}
	shown("in quarantine")
	found, err := client.Search(ctx, annals.Query{GroupID: "t", Text: "Where does Alice live? Porto", Trust: graph.TrustCandidate, MinFit: -1})
	if err != nil || len(found.Facts) == 0 || len(found.Episodes) != 1 || found.Episodes[0].ID != document {
		t.Errorf("asked for candidates, a search finds %+v, %v", found, err)
	}
	if n, err := service.New(client).Release(ctx, "t", service.Release{ThreadID: "inbox"}); err != nil || n != 1 {
		t.Fatalf("released %d, %v", n, err)
	}
	if got := sentences(t, client, annals.FactFilter{}); !strings.Contains(got, "Porto") || !strings.Contains(got, "disputed") {
		t.Errorf("released, Porto is not disputed: %s", got)
	}
	if text := everythingShown(t, client, url)["search"]; !strings.Contains(text, "Porto") {
		t.Errorf("released, it is not found: %s", text)
	}
	if n, err := service.New(client).Release(ctx, "t", service.Release{EpisodeIDs: []uuid.UUID{document}, Hold: true}); err != nil || n != 1 {
		t.Fatalf("put back %d, %v", n, err)
	}
	shown("put back")
	if clienttest.Count(t, url, `SELECT count(*) FROM annals.edits WHERE action IN ('release', 'hold') AND kind = 'episode' AND subject_id = $1`, document) != 2 {
		t.Error("what was decided is not on record")
	}
	if clienttest.Count(t, url, `SELECT count(*) FROM annals.edits WHERE action = 'policy'`) != 1 {
		t.Error("the policy is not on record")
	}
}

// everythingShown returns what is shown by default.
func everythingShown(t *testing.T, client *annals.Client, url string) map[string]string {
	t.Helper()
	ctx, out := t.Context(), map[string]string{}
	for name, q := range map[string]annals.Query{
		"search":   {Text: "Where does Alice live? Porto Mallory"},
		"walk":     {Text: "Alice", Methods: []annals.Method{"bfs", "bm25"}},
		"graph":    {Text: "Alice", Methods: []annals.Method{"bfs"}, Scopes: []graph.Kind{graph.KindFact, graph.KindEntity}, SeedRecent: 5},
		"observed": {Text: "Alice Porto", Scopes: []graph.Kind{graph.KindObservation, graph.KindThread, graph.KindCommunity}},
		"quoted":   {Text: "\"Porto\" Mallory"},
		"known":    {Text: "Alice Porto Mallory", KnownAt: time.Now()},
	} {
		q.GroupID, q.MinFit = "t", -1
		found, err := client.Search(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		found.Asked = ""
		out[name] = words(found, nil)
	}
	text, err := client.Context(ctx, annals.Query{GroupID: "t", Text: "Where does Alice live? Is it Porto?"})
	if err != nil {
		t.Fatal(err)
	}
	out["context"] = strings.ReplaceAll(text, "Is it Porto?", "")
	asked, err := client.Ask(ctx, annals.Question{Query: annals.Query{GroupID: "t", Text: "Whom does Alice know, and where does she live?"}})
	if err != nil {
		t.Fatal(err)
	}
	out["ask"] = asked.Text
	entities, err := client.Entities(ctx, annals.EntityFilter{GroupID: "t", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entities {
		out["summary of "+e.ID.String()] = e.Summary + " " + strings.Join(e.Aliases, " ")
	}
	conn := clienttest.Dial(t, url)
	for name, query := range map[string]string{
		"facts_at": `SELECT coalesce(string_agg(f.fact, ' '), '') FROM annals.facts_at('t') f`,
		"timeline": `SELECT coalesce(string_agg(c.words, ' '), '') FROM annals.timeline c`,
		"sql":      `SELECT coalesce(string_agg(s.name || s.content, ' '), '') FROM annals.search('t', 'Alice lives Porto Mallory') s`,
		"sql past": `SELECT coalesce(string_agg(s.name || s.content, ' '), '') FROM annals.search('t', 'Alice lives Porto', known_at => now()) s WHERE s.kind = 'fact'`,
		"sql vectors": `SELECT coalesce(string_agg(s.name || s.content, ' '), '') FROM annals.vectors v
			CROSS JOIN LATERAL annals.search('t', '', query_vector => v.embedding::vector) s WHERE v.group_id = 't'`,
		"near": `SELECT coalesce(string_agg(e.name, ' '), '') FROM annals.entities a
			CROSS JOIN LATERAL annals.neighborhood('t', ARRAY[a.id], 2) n JOIN annals.entities e ON e.id = n.entity_id WHERE a.name = 'Alice'`,
	} {
		var text string
		if err := conn.QueryRow(ctx, query).Scan(&text); err != nil {
			t.Fatal(err)
		}
		out[name] = text
	}
	for name := range out {
		out[name] = strings.ReplaceAll(strings.ReplaceAll(out[name], "porto", "Porto"), "mallory", "Mallory")
	}
	return out
}

// A user who says the same confirms an assistant's statement. Undoing the user's message takes the
// confirmation back, and what was known meanwhile stays known.
func TestSayingItAgainConfirms(t *testing.T) {
	t.Parallel()
	client, _ := wary(t)
	say(t, client, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice likes opera."})
	before := time.Now()
	time.Sleep(2 * time.Millisecond)
	again := say(t, client, annals.Episode{Actor: "Sam", Role: "user", Content: "Alice likes opera."})
	time.Sleep(2 * time.Millisecond)
	between := time.Now()
	if got := sentences(t, client, annals.FactFilter{}); got != "Alice likes opera. believed" {
		t.Errorf("said again: %s", got)
	}
	alice, err := client.Entity(t.Context(), "t", "Alice")
	if err != nil || !strings.Contains(alice.Summary, "opera") {
		t.Errorf("the summary is %q, %v", alice.Summary, err)
	}
	if _, err := client.Undo(t.Context(), "t", again); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Time]string{{}: "", before: "", between: "Alice likes opera. believed"} {
		if got := sentences(t, client, annals.FactFilter{KnownAt: at}); got != want {
			t.Errorf("known at %s: %q, want %q", at, got, want)
		}
	}
	if alice, err = client.Entity(t.Context(), "t", "Alice"); err != nil || strings.Contains(alice.Summary, "opera") {
		t.Errorf("after undoing, the summary is %q, %v", alice.Summary, err)
	}
}

// A model cannot set the trust policy or confirm facts, nor can a user take back what a person
// confirmed. Errors name the invalid field.
func TestWhoMaySayWhatIsBelieved(t *testing.T) {
	t.Parallel()
	client, _ := wary(t)
	s := service.New(client)
	document := say(t, client, annals.Episode{Source: graph.SourceText, Content: "Alice likes chess."})
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Trust: graph.TrustCandidate})
	if err != nil || len(facts) != 1 {
		t.Fatalf("%v, %v", facts, err)
	}
	ids := []uuid.UUID{facts[0].ID}
	for _, of := range []graph.Authority{graph.AuthorityAssistant, graph.AuthorityDocument} {
		as := annals.WithOrigin(t.Context(), annals.Origin{Cap: of})
		_, confirm := s.Confirm(as, "t", ids, true)
		_, release := s.Release(as, "t", service.Release{EpisodeIDs: []uuid.UUID{document}})
		for what, err := range map[string]error{"confirm": confirm, "release": release, "policy": s.SetTrustPolicy(as, "t", service.TrustPolicy{})} {
			if graph.CodeOf(err) != graph.CodeForbidden {
				t.Errorf("%s by %s: %v", what, of, err)
			}
		}
	}
	if _, err := s.Confirm(t.Context(), "t", append(ids, ids...), true); err != nil {
		t.Fatal(err)
	}
	user := annals.WithOrigin(t.Context(), annals.Origin{Cap: graph.AuthorityUser})
	if _, err := s.Confirm(user, "t", ids, false); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("a user takes back what a person confirmed: %v", err)
	}
	ctx := context.Background()
	_, none := s.Confirm(ctx, "t", nil, true)
	_, gone := s.Confirm(ctx, "t", []uuid.UUID{uuid.New()}, true)
	_, nothing := s.Release(ctx, "t", service.Release{})
	_, both := s.Release(ctx, "t", service.Release{All: true, ThreadID: "x"})
	_, lost := s.Release(ctx, "t", service.Release{EpisodeIDs: []uuid.UUID{uuid.New()}})
	_, word := client.Facts(ctx, annals.FactFilter{GroupID: "t", Trust: "rejected"})
	_, asked := client.Search(ctx, annals.Query{GroupID: "t", Text: "x", Trust: "perhaps"})
	for what, c := range map[string]struct {
		err  error
		code graph.Code
	}{
		"no facts": {none, graph.CodeInvalid}, "a fact that is gone": {gone, graph.CodeNotFound}, "nothing named": {nothing, graph.CodeInvalid},
		"two named": {both, graph.CodeInvalid}, "an episode that is gone": {lost, graph.CodeNotFound}, "rejected": {word, graph.CodeInvalid},
		"no trust": {asked, graph.CodeInvalid}, "an empty thread": {s.SetTrustPolicy(ctx, "t", service.TrustPolicy{Threads: []string{""}}), graph.CodeInvalid},
	} {
		if graph.CodeOf(c.err) != c.code {
			t.Errorf("%s: %v, want %s", what, c.err, c.code)
		}
	}
}

// An export has what is withheld, confirmed and released: the copy is the same, byte for byte, and
// so is a clone.
func TestTrustMovesAlong(t *testing.T) {
	t.Parallel()
	client, url := wary(t)
	s := service.New(client)
	say(t, client, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice likes opera."})
	say(t, client, annals.Episode{Actor: "Helper", Role: "assistant", Content: "Alice likes chess."})
	released := say(t, client, annals.Episode{Source: graph.SourceText, Content: "Alice likes tea."})
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Trust: graph.TrustCandidate})
	if err != nil || len(facts) != 3 {
		t.Fatalf("%v, %v", facts, err)
	}
	if _, err := s.Confirm(t.Context(), "t", []uuid.UUID{facts[0].ID}, true); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Release(t.Context(), "t", service.Release{EpisodeIDs: []uuid.UUID{released}}); err != nil {
		t.Fatal(err)
	}
	export := func(group string) string {
		var out bytes.Buffer
		if _, err := client.Export(t.Context(), group, &out, annals.ExportOptions{}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first := export("t")
	if _, err := client.Import(t.Context(), strings.NewReader(first), annals.ImportOptions{GroupID: "copy"}); err != nil {
		t.Fatal(err)
	}
	rows := func(archive string) []string { // without the header, and the hash that has it
		lines := strings.Split(strings.TrimSpace(archive), "\n")
		return lines[1 : len(lines)-1]
	}
	if diff := cmp.Diff(rows(first), rows(export("copy"))); diff != "" {
		t.Errorf("the copy is not the same:\n%s", diff)
	}
	if err := client.Clone(t.Context(), "t", "clone"); err != nil {
		t.Fatal(err)
	}
	for _, group := range []string{"t", "copy", "clone"} {
		if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.facts WHERE group_id = $1 AND trust = 'candidate'`, group); n != 1 {
			t.Errorf("%s has %d candidates, want one", group, n)
		}
		if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.facts WHERE group_id = $1 AND trust <> annals_internal.fact_trust(group_id, id)`, group); n != 0 {
			t.Errorf("%s has %d facts that are not believed as they should", group, n)
		}
	}
}

// The summary of a thread has nothing of a tool's message while that is in quarantine.
func TestThreadsLeaveOutWhatIsInQuarantine(t *testing.T) {
	t.Parallel()
	client, _ := wary(t)
	say(t, client, annals.Episode{Actor: "Alice", ThreadID: "chat", Content: "I like opera."})
	say(t, client, annals.Episode{Actor: "Search", Role: "tool", ThreadID: "chat", Content: "Alice likes chess."})
	summary := func() string {
		t.Helper()
		text, err := client.SummariseThread(t.Context(), "t", "chat")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := summary(); !strings.Contains(got, "opera") || strings.Contains(got, "chess") {
		t.Errorf("in quarantine: %q", got)
	}
	if _, err := service.New(client).Release(t.Context(), "t", service.Release{ThreadID: "chat"}); err != nil {
		t.Fatal(err)
	}
	if got := summary(); !strings.Contains(got, "chess") {
		t.Errorf("released: %q", got)
	}
}
