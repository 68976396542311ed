package annals_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// passed makes rows that are to expire expire now, so that tests need not wait. Nothing else of
// them changes.
func passed(t *testing.T, url string) {
	t.Helper()
	psql(t, url, `UPDATE annals.marks SET expires_at = clock_timestamp() WHERE expires_at > now()`)
}

// wordsRead returns everything that the reading methods show of a group.
func wordsRead(t *testing.T, client *annals.Client, url string, knownAt time.Time) string {
	t.Helper()
	ctx := t.Context()
	var b strings.Builder
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	q := annals.Query{GroupID: "t", Text: "Who lives in Porto and works at Initech? Alice, Bob", KnownAt: knownAt, Limit: 100, MinFit: -1, IncludeEnded: true}
	for _, methods := range [][]annals.Method{{"bm25"}, {"cosine"}, {"bm25", "cosine", "bfs"}} {
		q.Methods = methods
		q.Scopes = []graph.Kind{"fact", "entity", "episode", "community", "observation", "thread"}
		found, err := client.Search(ctx, q)
		must(err)
		for _, f := range found.Facts {
			b.WriteString(f.Fact.Fact + "\n")
		}
		for _, e := range found.Entities {
			b.WriteString(e.Name + " " + e.Summary + "\n")
		}
		for _, e := range found.Episodes {
			b.WriteString(e.Content + "\n")
		}
		for _, c := range found.Communities {
			b.WriteString(c.Summary + "\n")
		}
		for _, o := range found.Observations {
			b.WriteString(o.Text + "\n")
		}
		for _, h := range found.Threads {
			b.WriteString(h.ID + "\n")
		}
	}
	q.Methods, q.Scopes = nil, nil
	text, err := client.Context(ctx, q)
	must(err)
	b.WriteString(text + "\n")
	answered, err := client.Ask(ctx, annals.Question{Query: q})
	must(err)
	b.WriteString(answered.Text + "\n")
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "t", KnownAt: knownAt, Limit: 100})
	must(err)
	for _, f := range facts {
		b.WriteString(f.Fact + "\n")
	}
	entities, err := client.Entities(ctx, annals.EntityFilter{GroupID: "t", KnownAt: knownAt, Limit: 100})
	must(err)
	for _, e := range entities {
		b.WriteString(e.Name + " " + e.Summary + "\n")
	}
	changes, err := client.Timeline(ctx, annals.TimelineFilter{GroupID: "t", KnownAt: knownAt, Limit: 100})
	must(err)
	for _, c := range changes {
		b.WriteString(c.Words + "\n")
	}
	if knownAt.IsZero() {
		episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "t", Limit: 100})
		must(err)
		for _, e := range episodes {
			b.WriteString(e.Content + "\n")
		}
		observations, err := client.Observations(ctx, annals.ObservationFilter{GroupID: "t", Ended: true})
		must(err)
		for _, o := range observations {
			b.WriteString(o.Text + "\n")
		}
		for _, statement := range []string{
			`SELECT string_agg(content, ' ') FROM annals.search('t', 'Who lives in Porto and works at Initech?', include_ended => true)`,
			`SELECT annals.context('t', 'Who lives in Porto and works at Initech?')`,
			`SELECT string_agg(fact, ' ') FROM annals.facts_at('t')`, `SELECT string_agg(fact, ' ') FROM annals.facts_now('t')`,
			`SELECT string_agg(name || summary, ' ') FROM annals.entities_at('t')`, `SELECT string_agg(words, ' ') FROM annals.timeline WHERE group_id = 't'`,
			`SELECT string_agg(content, ' ') FROM annals.memory_stream WHERE group_id = 't'`,
			`SELECT string_agg(name || summary, ' ') FROM annals.entity_knowledge WHERE group_id = 't'`,
			`SELECT string_agg(summary, ' ') FROM annals.communities_at('t')`,
		} {
			b.WriteString(psql(t, url, statement) + "\n")
		}
	}
	return b.String()
}

// whatAliceSaid makes a memory of what Alice said, some of which is to expire.
func whatAliceSaid(t *testing.T, client *annals.Client) {
	t.Helper()
	for i, text := range []string{"I live in Porto.", "I work at Initech.", "I know Bob.", "Bob lives in Faro.", "I like tea."} {
		e := clienttest.Alice(text, "2024-03-1"+string(rune('0'+i)))
		e.ThreadID, e.ExternalID = "talk", text
		if strings.Contains(text, "Initech") {
			e.ExpiresAt = time.Now().Add(time.Hour)
		}
		clienttest.AddAndProcess(t, client, e)
	}
}

// marked marks things.
func marked(t *testing.T, client *annals.Client, mark graph.Mark, expires time.Time, ids ...uuid.UUID) []service.MarkedJSON {
	t.Helper()
	done, err := service.New(client).Mark(t.Context(), "t", service.MarkChange{IDs: ids, Mark: mark, ExpiresAt: expires})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func factSaying(t *testing.T, client *annals.Client, word string) annals.Fact {
	t.Helper()
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		if strings.Contains(f.Fact, word) {
			return f
		}
	}
	t.Fatalf("no fact says %s: %v", word, facts)
	return annals.Fact{}
}

// Expired rows are hidden by every reading method from that moment on, with what only they support,
// before and after they are swept. As known before, they are shown.
func TestWhatExpiresIsHiddenAtEveryReader(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	whatAliceSaid(t, client)
	if err := client.Observe(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	porto := factSaying(t, client, "Porto")
	marked(t, client, graph.MarkExpires, time.Now().Add(time.Hour), porto.ID)
	if _, err := client.BuildCommunities(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	if _, err := client.SummariseThread(t.Context(), "t", "talk"); err != nil {
		t.Fatal(err)
	}
	before := wordsRead(t, client, url, time.Time{})
	for _, word := range []string{"lives in Porto", "Initech", "Faro", "tea"} {
		if !strings.Contains(before, word) {
			t.Errorf("before it expires, %q does not show", word)
		}
	}
	entity, err := client.Entity(t.Context(), "t", "Alice")
	if err != nil || strings.Contains(entity.Summary, "Porto") || strings.Contains(entity.Summary, "Initech") {
		t.Errorf("the summary tells what is to expire: %q, %v", entity.Summary, err)
	}
	knownAt := time.Now()
	passed(t, url)
	look := func(when string) {
		t.Helper()
		shown := wordsRead(t, client, url, time.Time{})
		for _, word := range []string{"lives in Porto", "Initech"} {
			if i := strings.Index(shown, word); i >= 0 {
				t.Errorf("%s, %q shows: …%s", when, word, shown[max(0, i-200):min(len(shown), i+100)])
			}
		}
		for _, word := range []string{"Faro", "tea"} {
			if !strings.Contains(shown, word) {
				t.Errorf("%s, %q does not show", when, word)
			}
		}
		if past := wordsRead(t, client, url, knownAt); !strings.Contains(past, "lives in Porto") || !strings.Contains(past, "works at Initech") {
			t.Errorf("%s, what was known before does not show", when)
		}
	}
	look("when it has expired")
	if _, err := client.Fact(t.Context(), "t", porto.ID); annals.CodeOf(err) != annals.CodeNotFound {
		t.Errorf("the fact by its id: %v", err)
	}
	done, err := client.ApplyRetention(t.Context(), "t", false)
	if err != nil || done.Episodes != 1 {
		t.Fatalf("taken out: %+v, %v", done, err)
	}
	look("when it is taken out")
	if n := clienttest.Count(t, url, `SELECT count(*) FROM annals.facts WHERE fact LIKE '%Porto%' OR fact LIKE '%Initech%'`); n != 0 {
		t.Errorf("%d facts are still there", n)
	}
	versions, err := client.History(t.Context(), "t", porto.ID)
	if err != nil || len(versions) == 0 || versions[len(versions)-1].Current {
		t.Errorf("the history: %v, %v", versions, err)
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Porto.", "2024-05-01"))
	factSaying(t, client, "Porto") // nothing is rejected: it can be said again
}

// Pinned rows come first in a context, whatever the question, within a quarter of the budget, and
// are marked as pinned; unpinned ones do not.
func TestPinnedComesFirstInContexts(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	whatAliceSaid(t, client)
	tea := factSaying(t, client, "tea")
	q := annals.Query{GroupID: "t", Text: "Where does Bob live?"}
	show := func(c annals.Construction) string {
		t.Helper()
		text, err := client.ContextAs(t.Context(), q, c)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	unpinned := show(annals.Construction{Tokens: 400})
	if strings.Contains(unpinned, "pinned") {
		t.Fatalf("nothing is pinned: %s", unpinned)
	}
	knownAt := time.Now()
	bob, err := client.Entity(t.Context(), "t", "Bob")
	if err != nil {
		t.Fatal(err)
	}
	marked(t, client, graph.MarkPinned, time.Time{}, tea.ID, bob.ID)
	for _, c := range []annals.Construction{{Tokens: 400}, {}, {Hits: 8}} {
		text := show(c)
		_, facts, _ := strings.Cut(text, "<FACTS>\n")
		if first, _, _ := strings.Cut(facts, "\n"); !strings.Contains(first, "tea") || !strings.Contains(first, "; pinned) ") {
			t.Errorf("%+v: the first fact is %q in %s", c, first, text)
		}
		if !strings.Contains(text, "(pinned)") || !strings.Contains(text, "Faro") {
			t.Errorf("%+v: %s", c, text)
		}
	}
	q.Text = "zzzqqq"
	if text := show(annals.Construction{}); !strings.Contains(text, "tea") {
		t.Errorf("of what is not known, the pinned is not shown: %s", text)
	}
	q.Text, q.KnownAt = "Where does Bob live?", knownAt
	if text := show(annals.Construction{}); strings.Contains(text, "pinned") {
		t.Errorf("known before it was pinned: %s", text)
	}
	q.KnownAt = time.Time{}
	marked(t, client, graph.MarkUnpinned, time.Time{}, tea.ID, bob.ID)
	if text := show(annals.Construction{Tokens: 400}); text != unpinned {
		t.Errorf("unpinned: %s\nwant %s", text, unpinned)
	}
}

// Pinned rows take at most a quarter of a budget before all others, however many there are.
func TestPinnedTakeAShareOfTheBudget(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	var episodes []annals.Episode
	for _, thing := range strings.Fields("tea jazz chess snow maths opera golf yoga soup cake milk rice figs plums dates kiwis") {
		episodes = append(episodes, clienttest.Alice("I like "+thing+".", "2024-03-01"))
	}
	clienttest.AddAndProcess(t, client, append(episodes, clienttest.Alice("Bob lives in Faro.", "2024-03-02"))...)
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var ids []uuid.UUID
	for _, f := range facts {
		if strings.Contains(f.Fact, "likes") {
			ids = append(ids, f.ID)
		}
	}
	marked(t, client, graph.MarkPinned, time.Time{}, ids...)
	text, err := client.ContextAs(t.Context(), annals.Query{GroupID: "t", Text: "Where does Bob live?"}, annals.Construction{Tokens: 90})
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(text, "Faro")
	if n := strings.Count(before, "pinned)"); !ok || n == 0 || n > 4 {
		t.Errorf("%d pinned facts before the answer: %s", n, text)
	}
}

// Feedback changes scores by a fifth at most, is as of a time, and can be taken back; without any,
// scores are unchanged.
func TestFeedbackMovesRanksWithinBounds(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I like tea.", "2024-03-01"), clienttest.Alice("I like jazz.", "2024-03-02"), clienttest.Alice("I like snow.", "2024-03-03"))
	scores := func(knownAt, asOf time.Time) map[string]float64 {
		t.Helper()
		found, err := client.Search(t.Context(), annals.Query{GroupID: "t", Text: "What does Alice like?", Scopes: []graph.Kind{"fact", "episode"}, KnownAt: knownAt, ValidAt: asOf})
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]float64{}
		for _, h := range found.Facts {
			out[h.Fact.Fact] = h.Score
		}
		for _, h := range found.Episodes {
			out[h.Content] = h.Score
		}
		return out
	}
	asOf := time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)
	before, then := scores(time.Time{}, time.Time{}), scores(time.Time{}, asOf)
	knownAt := time.Now()
	tea, jazz := factSaying(t, client, "tea"), factSaying(t, client, "jazz")
	near := func(got, want float64) bool { return got > want*0.999999 && got < want*1.000001 }
	marked(t, client, graph.MarkUseful, time.Time{}, tea.ID, tea.Episodes[0])
	if offered := marked(t, client, graph.MarkWrong, time.Time{}, jazz.ID); offered[0].Offer != "withdraw" {
		t.Errorf("what was found wrong offers %+v", offered)
	}
	marked(t, client, graph.MarkOutdated, time.Time{}, jazz.Episodes[0])
	for i := range 9 { // others agree
		psql(t, url, `BEGIN; SET LOCAL annals.origin = '{"written_by": "reader-`+string(rune('a'+i))+`"}'; SELECT annals.mark('t', ARRAY['`+tea.ID.String()+`']::uuid[], 'useful'); COMMIT`)
	}
	after := scores(time.Time{}, time.Time{})
	for text, factor := range map[string]float64{"Alice likes tea.": 1 + 0.2*10/11, "I like tea.": 1.1, "Alice likes jazz.": 0.9, "I like jazz.": 0.9, "Alice likes snow.": 1, "I like snow.": 1} {
		if !near(after[text], before[text]*factor) {
			t.Errorf("%s scores %v, want %v of %v", text, after[text], factor, before[text])
		}
		if f := after[text] / before[text]; f < 0.8 || f > 1.2 {
			t.Errorf("%s is moved by %v", text, f)
		}
	}
	if got := psql(t, url, `SELECT score FROM annals.search('t', 'What does Alice like?', '{fact}') WHERE content = 'Alice likes tea.'`); got == "" {
		t.Error("SQL finds nothing")
	}
	if got := scores(time.Time{}, asOf)["I like jazz."]; !near(got, then["I like jazz."]) {
		t.Errorf("as of a time, what is outdated scores %v, want %v", got, then["I like jazz."])
	}
	if got := scores(knownAt, time.Time{}); got["Alice likes tea."] == 0 || near(got["Alice likes tea."], after["Alice likes tea."]) {
		t.Errorf("known before, feedback counts: %v", got)
	}
	for i := range 9 {
		psql(t, url, `BEGIN; SET LOCAL annals.origin = '{"written_by": "reader-`+string(rune('a'+i))+`"}'; SELECT annals.mark('t', ARRAY['`+tea.ID.String()+`']::uuid[], 'unjudged'); COMMIT`)
	}
	marked(t, client, graph.MarkUnjudged, time.Time{}, tea.ID, tea.Episodes[0], jazz.ID, jazz.Episodes[0])
	for text, score := range scores(time.Time{}, time.Time{}) {
		if score != before[text] {
			t.Errorf("taken back, %s scores %v, want %v", text, score, before[text])
		}
	}
}
