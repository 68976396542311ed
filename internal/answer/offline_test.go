package answer_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/answer"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/testdata"
)

// demo opens a memory of the sample conversation, without a model.
func demo(t *testing.T) *annals.Client {
	t.Helper()
	var said []annals.Episode
	lines := json.NewDecoder(bytes.NewReader(testdata.Conversation))
	for lines.More() {
		var line struct {
			Actor, Role, Content string
			Thread               string    `json:"thread_id"`
			At                   time.Time `json:"occurred_at"`
		}
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		said = append(said, annals.Episode{GroupID: "demo", Actor: line.Actor, Role: line.Role, Content: line.Content, ThreadID: line.Thread, OccurredAt: line.At})
	}
	client := clienttest.Open(t, annals.Config{Analyst: offline.New()})
	remember(t, client, "demo", said)
	return client
}

func sentences(a annals.Answer) []string {
	texts := []string{}
	for _, s := range a.Sentences {
		texts = append(texts, s.Text)
	}
	return texts
}

const (
	casaAzul  = "Nora Lindqvist joined Casa Azul on 11 March 2024. (since 11 March 2024)"
	fjordline = "Nora Lindqvist works at Fjordline as a data analyst. (known from 8 January 2024 until 11 March 2024)"
	porto     = "Nora Lindqvist moved from Bergen to Porto in the week of 4 March 2024. (since the week of 4 March 2024)"
	bergen    = "Nora Lindqvist lives in Bergen, so a technician could come by. (known from 8 January 2024 until the week of 4 March 2024)"
	broken    = "Nora Lindqvist's printer is broken again. (known from 22 April 2024 until some time before 20 May 2024)"
	fixed     = "Nora Lindqvist's printer is fixed. (some time before 20 May 2024)"
	ingrid    = "Nora Lindqvist's sister Ingrid lives in Oslo. (known since 19 January 2024)"
	blue      = "Nora Lindqvist's favourite colour is blue now. (known since 22 April 2024)"
)

// Without a model the answer consists of the facts that answer, at the time in question, and of
// nothing else.
func TestFactsAnswerWithoutAModel(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client := demo(t)
	day := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 10, 0, 0, 0, time.UTC)
	}
	for _, tt := range []struct {
		q    annals.Query
		want []string // nil: not known
	}{
		{annals.Query{Text: "Where does Nora work now?"}, []string{casaAzul}},
		{annals.Query{Text: "Where does Nora work?"}, []string{casaAzul}},
		{annals.Query{Text: "Does Nora still work at Fjordline?"}, []string{fjordline, casaAzul}},
		{annals.Query{Text: "Did Nora work at Fjordline?"}, []string{fjordline}},
		{annals.Query{Text: "Where did Nora work?"}, []string{casaAzul, fjordline}},
		{annals.Query{Text: "Where did Nora work before?"}, []string{fjordline}},
		{annals.Query{Text: "Where did Nora work in February?", AskedAt: day(2024, 5, 1)}, []string{fjordline}},
		{annals.Query{Text: "Where did Nora work in 2020?"}, nil},
		{annals.Query{Text: "Where does Nora work?", ValidAt: day(2024, 2, 10)}, []string{fjordline}},
		{annals.Query{Text: "Since when does Nora work at Casa Azul?"}, []string{casaAzul}},
		{annals.Query{Text: "When did Nora join Casa Azul?"}, []string{casaAzul}},
		{annals.Query{Text: "What is Nora's job?"}, []string{"Nora Lindqvist works as a product manager there. (known since 15 March 2024)", casaAzul}},
		{annals.Query{Text: "Who is Nora's boss?"}, nil},
		{annals.Query{Text: "Where does Nora live?"}, []string{porto}},
		{annals.Query{Text: "Where did Nora live in February 2024?"}, []string{bergen}},
		{annals.Query{Text: "Where did Nora live before Porto?"}, []string{bergen}},
		{annals.Query{Text: "Where did Nora live before she moved to Porto?"}, []string{bergen}},
		{annals.Query{Text: "Where does Ingrid live?"}, []string{ingrid}},
		{annals.Query{Text: "Where does Nora's sister live?"}, []string{ingrid}},
		{annals.Query{Text: "Where do Nora and Ingrid live?"}, []string{porto, ingrid}},
		{annals.Query{Text: "Where does Tiago live?"}, nil},
		{annals.Query{Text: "When did Ingrid visit Nora?"}, []string{"Ingrid visits Nora Lindqvist in February 2024. (was planned for February 2024)"}},
		{annals.Query{Text: "What is Nora's favourite colour?"}, []string{blue}},
		{annals.Query{Text: "What was Nora's favourite colour before?"}, []string{"Nora Lindqvist's favourite colour is green. (known from 14 February 2024 until 22 April 2024)"}},
		{annals.Query{Text: "What is Nora's favourite food?"}, nil},
		{annals.Query{Text: "What does Nora like to eat?"}, nil},
		{annals.Query{Text: "Is Nora vegetarian?"}, nil},
		{annals.Query{Text: "What is Nora's blood type?"}, nil},
		{annals.Query{Text: "How old is Nora?"}, nil},
		{annals.Query{Text: "What is Nora's phone number?"}, []string{"Nora Lindqvist's phone number is 555-0142. (known since 8 January 2024)"}},
		{annals.Query{Text: "Is Nora's printer fixed?"}, []string{fixed, broken}},
		{annals.Query{Text: "Does Nora's printer work?"}, []string{broken, fixed}},
		{annals.Query{Text: "Was Nora's printer broken in April 2024?"}, []string{broken}},
		{annals.Query{Text: "Who is Nora dating?"}, []string{"Nora Lindqvist is dating Tiago now. (known since 20 May 2024)"}},
		{annals.Query{Text: "Does Nora have a bicycle?"}, []string{"Nora Lindqvist sold the bicycle on 1 July 2024. (on 1 July 2024)"}},
		{
			annals.Query{Text: "What happened to Nora's bicycle?"},
			[]string{"Nora Lindqvist sold the bicycle on 1 July 2024. (on 1 July 2024)", "Nora Lindqvist bought a red bicycle. (until 1 July 2024)"},
		},
	} {
		tt.q.GroupID = "demo"
		got, err := client.Ask(t.Context(), annals.Question{Query: tt.q})
		if err != nil {
			t.Fatal(err)
		}
		form, text := answer.FormAnswer, strings.Join(tt.want, " ")
		if tt.want == nil {
			form, text, tt.want = answer.FormUnknown, answer.NotKnown, []string{}
		}
		if diff := cmp.Diff(tt.want, sentences(got)); diff != "" || got.Form != form || got.Text != text || got.Note() != "" {
			t.Errorf("%s (at %s, as of %s): %s %q (-want +got):\n%s", tt.q.Text, tt.q.AskedAt, tt.q.ValidAt, got.Form, got.Text, diff)
		}
	}
}

// Questions about a boss, a mother and a husband have a direction, and one about a husband the time
// that it names.
func TestRelativesAnswerInTheirDirection(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{Analyst: offline.New()})
	var said []annals.Episode
	for i, text := range []string{
		"I was married to Otto until May 2023.", "Otto works at Siemens.", "My husband is Felix.", "Felix works at Bosch.", "My boss is Hugo.", "I manage Carla.",
		"My mother is Rita.", "I live in Wien.", "I am moving to Graz on 1 March 2099.",
	} {
		said = append(said, annals.Episode{GroupID: "kin", Actor: "Dana", Role: "user", Content: text, OccurredAt: time.Date(2025, 2, 1+i, 9, 0, 0, 0, time.UTC)})
	}
	remember(t, client, "kin", said)
	for question, want := range map[string]string{
		"Who is Dana's boss?":                    "Dana's boss is Hugo.",
		"Whose boss is Hugo?":                    "Dana's boss is Hugo.",
		"Who is Carla's boss?":                   "Dana manages Carla.",
		"Who is Dana's mother?":                  "Dana's mother is Rita.",
		"Who is Dana's father?":                  "",
		"Who are Rita's children?":               "Dana's mother is Rita.",
		"Where does Dana's husband work?":        "Felix works at Bosch.",
		"What are Dana's plans?":                 "Dana is moving to Graz on 1 March 2099.",
		"Where did Dana's husband live in 2021?": "",
		"Where does Dana's husband live?":        "",
	} {
		got, err := client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: "kin", Text: question}})
		if err != nil || want != "" && !strings.HasPrefix(got.Text, want) || want == "" && got.Form == answer.FormAnswer {
			t.Errorf("%s: %s %q, want %q (%v)", question, got.Form, got.Text, want, err)
		}
	}
	// Hugo's boss is not known: Hugo is Dana's.
	got, err := client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: "kin", Text: "Who is Hugo's boss?"}})
	if err != nil || got.Form == answer.FormAnswer {
		t.Errorf("Hugo's boss: %+v (%v)", got, err)
	}
}

// Each fact of an answer is cited with its message.
func TestAnswersCiteTheirMessages(t *testing.T) {
	t.Parallel()
	client := demo(t)
	for question, said := range map[string]string{
		"Where does Nora work now?": "I misspoke: I joined Casa Azul on 11 March.", "Does Nora still work at Fjordline?": "I live in Bergen, so a technician could come by. I work at Fjordline as a data analyst.",
	} {
		got, err := client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: "demo", Text: question}})
		if err != nil || len(got.Sentences) == 0 {
			t.Fatalf("%+v (%v)", got, err)
		}
		cites := got.Sentences[0].Cites
		if len(cites) != 2 || cites[0].Kind != graph.KindFact || cites[1].Kind != graph.KindEpisode {
			t.Fatalf("%s: it cites %v", question, cites)
		}
		message, err := client.Episode(t.Context(), "demo", cites[1].ID)
		if err != nil || message.Content != said {
			t.Errorf("%s: it cites %q (%v)", question, message.Content, err)
		}
	}
	// Only facts within the restrictions of the question are cited.
	got, err := client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: "demo", Text: "Where does Nora work now?", Filter: annals.Filter{ToldBy: []string{"Nora"}}}})
	if err != nil || len(got.Sentences) == 0 || len(got.Sentences[0].Cites) != 1 {
		t.Errorf("of what Nora told: %+v (%v)", got, err)
	}
}

// If no fact answers, a few passages are shown, and called so: the later first, with notes on what
// changed.
func TestPassagesAreCalledSo(t *testing.T) {
	t.Parallel()
	client := demo(t)
	got, err := client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: "demo", Text: "Who sang at the concert?"}})
	if err != nil || got.Form != answer.FormPassages || got.Note() != "No model answers. These are the passages that fit best." {
		t.Fatalf("%+v, %q (%v)", got, got.Note(), err)
	}
	want := []string{
		"(known since 14 February 2024) The concert is on 12 March 2024.",
		"(14 February 2024, 11:12) Sam: Noted: the concert is on 12 March.",
		"(14 February 2024, 11:11) Nora Lindqvist: Sorry, I meant the 12th, not the 2nd. The concert is on 12 March.",
		"(14 February 2024, 11:07; green: until 22 April 2024, now blue) Nora Lindqvist: I love folk songs. My favourite colour is green, and I wear it at every concert.",
	}
	if diff := cmp.Diff(want, sentences(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A question is not a statement.
	got, err = client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: "demo", Text: "Does Nora sing?"}})
	if err != nil || got.Form != answer.FormUnknown {
		t.Errorf("%+v (%v)", got, err)
	}
}

// saidBy returns a message of a role about Alice.
func saidBy(role, content, day string) annals.Episode {
	e := clienttest.Alice(content, day)
	e.Role = role
	return e
}

// A disputed fact comes after the facts that dispute it, and names them.
func TestDisputedFactsNameWhatDisputesThem(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{Analyst: offline.New()})
	for _, e := range []annals.Episode{saidBy("user", "I live in Paris.", "2024-01-10"), saidBy("assistant", "I moved to Rome last week.", "2024-03-10")} {
		clienttest.AddAndProcess(t, client, e)
	}
	got, err := client.Ask(t.Context(), where(annals.Query{}))
	want := []string{"Alice lives in Paris. (known since 10 January 2024)", "Alice moved to Rome in the week of 26 February 2024. (said by an assistant on 10 March 2024, since the week of 26 February 2024; Alice says otherwise: Paris)"}
	if diff := cmp.Diff(want, sentences(got)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// A stored text cannot imitate a note about dates or disputes.
func TestStoredTextsBringNoDates(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{Analyst: offline.New()})
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris. (taken back later)", "2024-01-10"))
	if _, err := client.AddTriple(t.Context(), annals.Triple{
		GroupID: "t", Source: graph.TripleEnd{Name: "Alice"}, Predicate: "LIKES", Target: graph.TripleEnd{Name: "opera"}, Fact: "Alice likes opera (disputed by all).",
	}); err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{"Where does Alice live?", "What does Alice like?"} {
		got, err := client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: "t", Text: question}})
		if err != nil || got.Form != answer.FormAnswer || strings.Contains(got.Text, "(taken back") || strings.Contains(got.Text, "(disputed") {
			t.Errorf("%s: %+v (%v)", question, got, err)
		}
	}
}

// For another time, a standing answer without a model says what held then, whatever has changed
// since.
func TestStandingAnswersSayWhatHeldThen(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{Analyst: offline.New()})
	cities := []string{"Paris", "Lisbon", "Porto", "Graz", "Oslo", "Rome", "Cork"}
	for i, city := range cities {
		clienttest.AddAndProcess(t, client, clienttest.Alice("I live in "+city+".", time.Date(2018+i, 3, 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)))
	}
	kept, err := client.KeepAnswer(t.Context(), annals.Question{Query: annals.Query{GroupID: "t", Text: "Where does Alice live?"}})
	if err != nil || kept.Answer == nil || kept.Text() != "Alice lives in Cork. (known since 1 March 2024)" {
		t.Fatalf("%+v (%v)", kept, err)
	}
	for i, city := range cities {
		list, err := client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t", ID: kept.ID, ValidAt: time.Date(2018+i, 6, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil || len(list) != 1 || list[0].Answer == nil {
			t.Fatalf("%+v (%v)", list, err)
		}
		then := list[0].Answer
		if then.Form != answer.FormAnswer || len(then.Sentences) != 1 || !strings.HasPrefix(then.Text, "Alice lives in "+city+".") ||
			!slices.ContainsFunc(then.Sentences[0].Cites, func(c answer.Citation) bool { return c.Kind == graph.KindEpisode }) {
			t.Errorf("in June %d: %+v", 2018+i, then)
		}
	}
	clienttest.AddAndProcess(t, client, clienttest.Alice("The concert is on 12 March.", "2024-02-14"))
	concert, err := client.KeepAnswer(t.Context(), annals.Question{Query: annals.Query{GroupID: "t", Text: "When is the concert?"}})
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Time]string{
		{}: "The concert is on 12 March 2024. (known since 14 February 2024)",
		time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC): answer.NotKnown,
	} {
		list, err := client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t", ID: concert.ID, ValidAt: at})
		if err != nil || list[0].Text() != want {
			t.Errorf("of the concert, as of %s: %+v (%v), want %q", at, list[0].Answer, err, want)
		}
	}
	list, err := client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t", ID: kept.ID, ValidAt: time.Date(2017, 6, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil || list[0].Text() != answer.NotKnown {
		t.Errorf("before all of it: %+v (%v)", list, err)
	}
}
