package annals_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/answer"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

var shownFact = regexp.MustCompile(`(?m)^(\d+): \([^)]*\) (\w+ \w+(?: in)? \w+\.)$`)

// repeating answers with all facts about the person that the question names, unchanged, and fills
// in where they live. It fails while told to.
func repeating(fails *atomic.Bool) script {
	return script{"answer_question": func(r modeltest.Request) modeltest.Reply {
		if fails.Load() {
			return modeltest.Reply{Status: 500}
		}
		_, question, _ := strings.Cut(r.User, "<question")
		question, _, _ = strings.Cut(question, "</question>")
		said := prompts.AnsweredQuestion{Reason: "So it is.", Sentences: []prompts.AnsweredSentence{}, Slots: []prompts.AnsweredSlot{}}
		for _, m := range shownFact.FindAllStringSubmatch(r.User, -1) {
			words := strings.Fields(strings.TrimSuffix(m[2], "."))
			if !strings.Contains(question, words[0]) || strings.Contains(m[2], "moved") {
				continue
			}
			n, _ := strconv.Atoi(m[1])
			said.Known = true
			said.Sentences = append(said.Sentences, prompts.AnsweredSentence{Text: m[2], Passages: []int{n}})
			if words[1] == "lives" && strings.Contains(r.User, "<slots>") {
				said.Slots = append(said.Slots, prompts.AnsweredSlot{Name: "city", Value: `"` + words[3] + `"`, Because: m[2], Passages: []int{n}})
			}
		}
		return modeltest.Reply{JSON: said}
	}}
}

func openRepeating(t *testing.T) (*annals.Client, *modeltest.Server, *atomic.Bool) {
	t.Helper()
	fails := &atomic.Bool{}
	server := modeltest.NewServer(t, repeating(fails).answer)
	return clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t), LLM: llmAt(t, server, "main"), Analyst: offline.New(), Window: 1}), server, fails
}

func keep(t *testing.T, client *annals.Client, text, schema string) annals.StandingAnswer {
	t.Helper()
	kept, err := client.KeepAnswer(t.Context(), annals.Question{Query: annals.Query{GroupID: "t", Text: text}, Schema: json.RawMessage(schema)})
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// saysNow returns what an answer says as of and as known at two times, or "" while it waits.
func saysNow(t *testing.T, client *annals.Client, id uuid.UUID, validAt, knownAt time.Time) string {
	t.Helper()
	list, err := client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t", ID: id, ValidAt: validAt, KnownAt: knownAt})
	if err != nil || len(list) != 1 {
		t.Fatalf("there are %+v (%v)", list, err)
	}
	return list[0].Text()
}

// As many standing answers as a group may keep cost no call if nothing bears on them, and one call
// each if something does.
func TestStandingAnswersCostWhatBearsOnThem(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, server, _ := openRepeating(t)
	people := []string{"Anna", "Bela", "Cleo", "Dora", "Emil", "Fred", "Gerd", "Hans"}
	for i, name := range people {
		for k, text := range []string{"I live in Lisbon.", "I like opera.", "I like chess.", "I love tea.", "I know Karl."} {
			e := clienttest.Alice(text, fmt.Sprintf("2024-0%d-1%d", k+1, i))
			e.Actor = name
			clienttest.AddAndProcess(t, client, e)
		}
	}
	for i := range annals.MaxStanding {
		keep(t, client, fmt.Sprintf("%s does %s live?", strings.Repeat("Where ", i/len(people)+1), people[i%len(people)]), "")
	}
	_, err := client.KeepAnswer(t.Context(), annals.Question{Query: annals.Query{GroupID: "t", Text: "One more?"}})
	if annals.CodeOf(err) != annals.CodeInvalid || !strings.Contains(fmt.Sprint(err), "32") {
		t.Errorf("one too many: %v", err)
	}
	calls := server.Chats()
	if calls > annals.MaxStanding*answer.MaxCalls {
		t.Errorf("%d questions took %d calls", annals.MaxStanding, calls)
	}
	keep(t, client, "Where does Anna live?", "") // again
	e := clienttest.Alice("The printer jams.", "2024-09-01")
	e.Actor = "Zoe"
	clienttest.AddAndProcess(t, client, e)
	if made := server.Chats() - calls; made > 0 {
		t.Errorf("what bears on none of them took %d calls", made)
	}
	e.Actor, e.Content = "Cleo", "I moved to Porto."
	clienttest.AddAndProcess(t, client, e)
	if made := server.Chats() - calls; made < 4 || made > 12 {
		t.Errorf("what bears on 4 of them took %d calls", made)
	}
	usage, err := client.Usage(t.Context(), "t")
	if err != nil || len(usage) == 0 || usage[0].Prompt != "answer_question" || usage[0].Calls != server.Chats() {
		t.Errorf("the ledger has %+v (%v), of %d calls", usage, err, server.Chats())
	}
}

// A standing answer of a model follows its facts on both axes.
func TestAStandingAnswerOfAModel(t *testing.T) {
	t.Parallel()
	client, server, fails := openRepeating(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Lisbon.", "2024-02-01"))
	kept := keep(t, client, "  Where does\nAlice live? ", `{"type": "object", "required": ["city", "pet"], "properties": {"city": {"type": "string"}, "pet": {"type": "string"}}}`)
	const inLisbon, inPorto = "Alice lives in Lisbon.\n{\"city\":\"Lisbon\"}", "Alice lives in Porto.\n{\"city\":\"Porto\"}"
	if kept.Text() != inLisbon || kept.Answer.By != "openai:main" || kept.Question != "Where does Alice live?" || len(kept.Answer.Slots[0].Cites) != 1 ||
		fmt.Sprint(kept.Answer.Missing) != "[pet]" {
		t.Fatalf("kept is %+v", kept)
	}
	before := time.Now()
	time.Sleep(2 * time.Millisecond)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Porto.", "2024-06-01"))
	if got := saysNow(t, client, kept.ID, time.Time{}, time.Time{}); got != inPorto {
		t.Errorf("after she moved it says %q", got)
	}
	in := func(month time.Month) time.Time { return time.Date(2024, month, 10, 0, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		validAt, knownAt time.Time
		want             string
	}{
		{in(time.April), time.Time{}, "Lisbon"},
		{in(time.July), time.Time{}, inPorto},
		{time.Time{}, before, inLisbon},
		{in(time.July), before, inLisbon},
		{in(time.January), time.Time{}, answer.NotKnown},
	} {
		if got := saysNow(t, client, kept.ID, tt.validAt, tt.knownAt); !strings.Contains(got, tt.want) {
			t.Errorf("as of %s, known at %s it says %q, and not %q", tt.validAt, tt.knownAt, got, tt.want)
		}
	}
	// If the model is away, the answer stays hidden, and the model is not called repeatedly.
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	fails.Store(true)
	if _, err := client.UndoAll(t.Context(), annals.Undoing{GroupID: "t", EpisodeIDs: []uuid.UUID{episodes[0].ID}, AnyReader: true}); err != nil {
		t.Fatal(err)
	}
	if got := saysNow(t, client, kept.ID, time.Time{}, time.Time{}); got != "" {
		t.Errorf("right after the move was undone it says %q", got)
	}
	for range 3 {
		if err := client.Process(t.Context(), "t", nil); err != nil {
			t.Fatal(err)
		}
	}
	calls := server.Chats()
	if err := client.Process(t.Context(), "t", nil); err != nil || server.Chats() != calls {
		t.Errorf("a model that is away is asked again (%v)", err)
	}
	fails.Store(false)
	if again := keep(t, client, kept.Question, string(kept.Schema)); again.ID != kept.ID || again.Text() != inLisbon {
		t.Errorf("kept again it is %+v", again)
	}
	versions, err := client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t", ID: kept.ID, EveryVersion: true})
	if err != nil || len(versions) < 4 || versions[0].Answer != nil && versions[0].Text() != inLisbon || versions[len(versions)-1].KnownUntil != nil {
		t.Errorf("the versions are %+v (%v)", versions, err)
	}
	if err := client.DropAnswer(t.Context(), "t", kept.ID); err != nil {
		t.Fatal(err)
	}
	if err := client.DropAnswer(t.Context(), "t", kept.ID); annals.CodeOf(err) != annals.CodeNotFound {
		t.Errorf("dropped twice: %v", err)
	}
	if got := saysNow(t, client, kept.ID, time.Time{}, before); got != inLisbon {
		t.Errorf("dropped, it said before %q", got)
	}
}

// If SQL changes anything that an answer rests on, the answer is hidden at once.
func TestStandingAnswersFollowSQL(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	conn := clienttest.Dial(t, url)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Lisbon.", "2024-02-01"), clienttest.Alice("I like opera.", "2024-02-01"))
	kept := keep(t, client, "Where does Alice live?", "")
	for _, change := range []string{
		`UPDATE annals.facts SET fact = 'Alice lives in Rome.' WHERE predicate = 'LIVES_IN'`,
		`UPDATE annals.facts SET valid = tstzrange(lower(valid), '2025-01-01') WHERE predicate = 'LIVES_IN'`,
		`UPDATE annals.entities SET name = 'Alicia' WHERE name = 'Alice'`,
		`UPDATE annals.episodes SET content = 'I live in Rome.' WHERE content LIKE '%Lisbon%'`,
		`DELETE FROM annals.episodes WHERE content LIKE '%Rome%'`,
		`DELETE FROM annals.facts`,
	} {
		if got := saysNow(t, client, kept.ID, time.Time{}, time.Time{}); got == "" {
			t.Fatalf("it waits before %q", change)
		}
		if _, err := conn.Exec(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		if got := saysNow(t, client, kept.ID, time.Time{}, time.Time{}); got != "" {
			t.Errorf("after %q it says %q", change, got)
		}
		if err := client.Process(t.Context(), "t", nil); err != nil {
			t.Fatal(err)
		}
	}
}

// A fact that ends by itself ends the answer made from it: the answer then says until when that
// held.
func TestStandingAnswersKnowTheTime(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Lisbon.", "2024-02-01"))
	conn := clienttest.Dial(t, url)
	if _, err := conn.Exec(t.Context(), `UPDATE annals.facts SET valid = tstzrange(lower(valid), now() + interval '1 second')`); err != nil {
		t.Fatal(err)
	}
	kept := keep(t, client, "Where does Alice live?", "")
	time.Sleep(1100 * time.Millisecond)
	if got := saysNow(t, client, kept.ID, time.Time{}, time.Time{}); got != "" {
		t.Errorf("a second later it says %q", got)
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	list, err := client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t"})
	if err != nil || list[0].Answer == nil {
		t.Fatalf("asked again it is %+v (%v)", list, err)
	}
	for _, s := range list[0].Answer.Sentences {
		if s.Cites[0].Kind == graph.KindFact && !strings.Contains(s.Text, " until ") {
			t.Errorf("it still says %q", s.Text)
		}
	}
}

func TestQuestionsThatCannotBeKept(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	for name, q := range map[string]annals.Question{
		"empty":   {Query: annals.Query{GroupID: "t", Text: " \n"}},
		"long":    {Query: annals.Query{GroupID: "t", Text: strings.Repeat("x", annals.MaxQuestion+1)}},
		"ValidAt": {Query: annals.Query{GroupID: "t", Text: "x?", ValidAt: time.Now()}},
		"AlsoIn":  {Query: annals.Query{GroupID: "t", Text: "x?", AlsoIn: []string{"u"}}},
		"tokens":  {Query: annals.Query{GroupID: "t", Text: "x?"}, Tokens: 7},
		"schema":  {Query: annals.Query{GroupID: "t", Text: "x?"}, Schema: json.RawMessage(`{"type": "string"}`)},
		"group":   {Query: annals.Query{GroupID: "", Text: "x?"}},
		"a list":  {Query: annals.Query{GroupID: "t", Text: "x?"}, Schema: json.RawMessage(`[1]`)},
		"strung":  {Query: annals.Query{GroupID: "t", Text: "x?"}, Schema: json.RawMessage(`{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "strung"}}}}`)},
		"NUL":     {Query: annals.Query{GroupID: "t", Text: "x\x00?"}},
		"told_by": {Query: annals.Query{GroupID: "t", Text: "x?", Filter: annals.Filter{ToldBy: []string{"Sam"}}}},
	} {
		if _, err := client.KeepAnswer(t.Context(), q); annals.CodeOf(err) != annals.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for field, q := range map[string]annals.Query{
		"query": {Text: "x\x00?"}, "filter.told_by": {Text: "x?", Filter: annals.Filter{ToldBy: []string{""}}}, "filter.users": {Text: "x?", Filter: annals.Filter{Users: []string{""}}},
	} {
		q.GroupID = "t"
		if _, err := client.Ask(t.Context(), annals.Question{Query: q}); !strings.HasPrefix(fmt.Sprint(err), field+": ") {
			t.Errorf("%s: %v", field, err)
		}
	}
	list, err := client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t"})
	if err != nil || len(list) != 0 {
		t.Errorf("kept are %+v (%v)", list, err)
	}
	unknown := keep(t, client, "Where does Nobody live?", "")
	if unknown.Answer == nil || unknown.Answer.Form != answer.FormUnknown {
		t.Errorf("of an empty memory it says %+v", unknown.Answer)
	}
}

// Erasing leaves none of the content in any version of any answer, and answers again from the rest.
func TestErasingReachesStandingAnswers(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	conn := clienttest.Dial(t, url)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I like Zanzibar.", "2024-05-01"), clienttest.Alice("I like opera.", "2024-05-02"))
	kept := keep(t, client, "What does Alice like?", `{"type": "object", "properties": {"likes": {"type": "array", "items": {"type": "string"}}}}`)
	keep(t, client, "Who likes opera?", "")
	clienttest.AddAndProcess(t, client, clienttest.Alice("I like chess.", "2024-05-03"))
	list, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if strings.Contains(e.Content, "Zanzibar") {
			_, err = client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{e.ID}})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	count := func(word string) (n int) {
		err := conn.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM annals.answers a WHERE a::text ILIKE '%' || $1 || '%')
			+ (SELECT count(*) FROM annals_internal.answers_history h WHERE h::text ILIKE '%' || $1 || '%')`, word).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count("zanzibar"); n > 0 {
		t.Errorf("%d versions have what was erased", n)
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	if got := saysNow(t, client, kept.ID, time.Time{}, time.Time{}); !strings.Contains(got, "opera") || strings.Contains(got, "Zanzibar") {
		t.Errorf("what is left says %q", got)
	}
	entity, err := client.Entity(t.Context(), "t", "opera")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EntityID: entity.ID}); err != nil {
		t.Fatal(err)
	}
	if n := count("opera"); n > 0 {
		t.Errorf("%d versions have the name of what was erased", n)
	}
}

// A template shows them in full.
func TestContextsShowStandingAnswers(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I like opera.", "2024-05-02"))
	keep(t, client, "What does Alice like?", `{"type": "object", "properties": {"likes": {"type": "string"}}}`)
	text, err := client.ContextAs(t.Context(), annals.Query{GroupID: "t", Text: "Anything"}, annals.Construction{
		Template: `{{range .Answers}}{{.Question}} | {{.Answer}} | {{.Data}}{{end}}`, Tokens: 100,
	})
	if err != nil || !strings.HasPrefix(text, "What does Alice like? | Alice likes opera. (") || !strings.HasSuffix(text, `| {"likes":"opera"}`) {
		t.Errorf("the context is %q (%v)", text, err)
	}
}
