package answer_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/answer"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/model/tokens"
	"github.com/annalsdb/annals/prompts"
)

// asked opens a memory of Alice's moves, read by rules. A script answers for the model.
func asked(t *testing.T, script func(modeltest.Request) modeltest.Reply) (*annals.Client, *modeltest.Server) {
	t.Helper()
	server := modeltest.NewServer(t, script)
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: server.URL, APIKey: "secret", Backoff: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	client := clienttest.Open(t, annals.Config{LLM: llm, Analyst: offline.New(), Window: 1})
	for _, said := range [][2]string{{"I live in Paris.", "2023-01-10"}, {"I moved to Lisbon.", "2024-03-15"}, {"I like opera.", "2024-04-01"}} {
		if _, err := client.Add(t.Context(), clienttest.Alice(said[0], said[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	return client, server
}

func where(q annals.Query) annals.Question {
	q.GroupID, q.Text = "t", "Where does Alice live?"
	return annals.Question{Query: q}
}

// passage returns the number of the first passage with this beginning after its note.
func passage(r modeltest.Request, start string) int {
	_, shown, _ := strings.Cut(r.User, "<passages>")
	for _, m := range numbered.FindAllStringSubmatch(shown, -1) {
		if strings.HasPrefix(withoutNote(m[2]), start) {
			var n int
			_, _ = fmt.Sscan(m[1], &n)
			return n
		}
	}
	return 0
}

func says(text string, passages ...int) prompts.AnsweredQuestion {
	return prompts.AnsweredQuestion{Reason: "r", Known: true, Slots: []prompts.AnsweredSlot{}, Sentences: []prompts.AnsweredSentence{{Text: text, Passages: passages}}}
}

// Passages show the world as of a time, and as it was known at a time.
func TestAnswersOfAnotherTime(t *testing.T) {
	t.Parallel()
	var shown string
	client, _ := asked(t, func(r modeltest.Request) modeltest.Reply {
		_, shown, _ = strings.Cut(r.User, "<passages>")
		if n := passage(r, "Alice moved to Lisbon."); n > 0 {
			return modeltest.Reply{JSON: says("Alice moved to Lisbon.", n)}
		}
		return modeltest.Reply{JSON: says("Alice lives in Paris.", passage(r, "Alice lives in Paris."))}
	})
	now, err := client.Ask(t.Context(), where(annals.Query{}))
	if err != nil || now.Form != answer.FormAnswer || now.Text != "Alice moved to Lisbon." {
		t.Errorf("now: %+v (%v)", now, err)
	}
	then, err := client.Ask(t.Context(), where(annals.Query{ValidAt: time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC)}))
	if err != nil || then.Text != "Alice lives in Paris." || strings.Contains(shown, "since 15 March 2024") {
		t.Errorf("in June 2023: %+v (%v) from %s", then, err, shown)
	}
	before, err := client.Ask(t.Context(), where(annals.Query{KnownAt: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}))
	if err != nil || before.Form != answer.FormUnknown || before.Text != answer.NotKnown {
		t.Errorf("as known in 2020: %+v (%v)", before, err)
	}
}

// At most three calls are made, and none if the memory has nothing on the question. A valid answer
// is not paid for twice.
func TestCallsAreBounded(t *testing.T) {
	t.Parallel()
	replies := map[string]func(r modeltest.Request) modeltest.Reply{
		"no JSON":   func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Text: "Lisbon!"} },
		"empty":     func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Text: ""} },
		"cut off":   func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Text: "{", FinishReason: "length"} },
		"a lie":     func(modeltest.Request) modeltest.Reply { return modeltest.Reply{JSON: says("Alice lives in Rome.", 1)} },
		"put right": putRight,
		"the truth": func(r modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: says("Alice likes opera.", passage(r, "Alice likes opera"))}
		},
		"knows not": func(modeltest.Request) modeltest.Reply {
			return modeltest.Reply{JSON: prompts.AnsweredQuestion{Sentences: []prompts.AnsweredSentence{}, Slots: []prompts.AnsweredSlot{}}}
		},
		"says by not": func(modeltest.Request) modeltest.Reply {
			a := says("Alice likes opera.", 1)
			a.Known = false
			return modeltest.Reply{JSON: a}
		},
	}
	for name, want := range map[string]struct {
		form  string
		calls int
	}{
		"no JSON": {answer.FormPassages, 2}, "cut off": {answer.FormPassages, 3}, "a lie": {answer.FormPassages, 2}, "put right": {answer.FormAnswer, 2},
		"the truth": {answer.FormAnswer, 1}, "knows not": {answer.FormUnknown, 1}, "says by not": {answer.FormUnknown, 1}, "empty": {answer.FormPassages, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, server := asked(t, replies[name])
			got, err := client.Ask(t.Context(), where(annals.Query{}))
			if got.Form != want.form || server.Chats() != want.calls || (err != nil) != (want.form == "") {
				t.Errorf("%+v (%v) in %d calls, want %v", got, err, server.Chats(), want)
			}
			if again, err := client.Ask(t.Context(), where(annals.Query{})); want.form == answer.FormAnswer && (err != nil || again.Text != got.Text || server.Chats() != want.calls) {
				t.Errorf("again: %+v (%v) in %d calls", again, err, server.Chats())
			}
			nothing := where(annals.Query{})
			nothing.Text = "quantum chromodynamics"
			before := server.Chats()
			if got, err := client.Ask(t.Context(), nothing); err != nil || got.Form != answer.FormUnknown || server.Chats() != before {
				t.Errorf("of what it knows nothing: %+v (%v)", got, err)
			}
		})
	}
}

// putRight says something unsupported, and corrects it when it is told so.
func putRight(r modeltest.Request) modeltest.Reply {
	if strings.Contains(r.Repair, "rome") {
		return modeltest.Reply{JSON: says("Alice moved to Lisbon.", passage(r, "Alice moved to Lisbon."))}
	}
	return modeltest.Reply{JSON: says("Alice lives in Rome.", 1)}
}

// The passages shown to a model fit the budget.
func TestPassagesKeepToTheBudget(t *testing.T) {
	t.Parallel()
	var shown string
	client, _ := asked(t, func(r modeltest.Request) modeltest.Reply {
		_, rest, _ := strings.Cut(r.User, "<passages>\n")
		shown, _, _ = strings.Cut(rest, "</passages>")
		return modeltest.Reply{JSON: says("Alice likes opera.", 1)}
	})
	for i := range 40 {
		if _, err := client.Add(t.Context(), clienttest.Alice(fmt.Sprintf("I live near the house number %d of a long street where many live. %s", i, strings.Repeat("It rains there. ", i)), "2024-05-01")); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Process(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	for _, budget := range []int{answer.LeastTokens, 300, 1000} {
		q := where(annals.Query{})
		q.Tokens = budget
		got, err := client.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if n := tokens.O200k().Count(shown); n > budget || n < budget/3 || got.Shown == 0 {
			t.Errorf("%d passages have %d tokens of %d:\n%s", got.Shown, n, budget, shown)
		}
	}
}

// Values have the type of the schema and occur in what they cite, or are missing.
func TestValuesBySchema(t *testing.T) {
	t.Parallel()
	client, _ := asked(t, func(r modeltest.Request) modeltest.Reply {
		lisbon, opera := passage(r, "Alice moved to Lisbon."), passage(r, "Alice likes opera")
		a := says("Alice moved to Lisbon.", lisbon)
		a.Slots = []prompts.AnsweredSlot{
			{Name: "city", Value: `"Lisbon"`, Because: "Alice moved to Lisbon.", Passages: []int{lisbon}},
			{Name: "city", Value: `"Rome"`, Because: "Alice moved to Lisbon.", Passages: []int{lisbon}},
			{Name: "likes", Value: `["opera", "ballet"]`, Because: "Alice likes opera.", Passages: []int{opera}},
			{Name: "kind", Value: `"resident"`, Because: "Alice moved to Lisbon.", Passages: []int{lisbon}},
			{Name: "age", Value: `"thirty"`, Because: "Alice likes opera.", Passages: []int{opera}},
			{Name: "height", Value: `180`, Because: "Alice likes opera.", Passages: []int{opera}},
			{Name: "married", Value: `true`, Because: "Alice is married.", Passages: []int{opera}},
			{Name: "unasked", Value: `"x"`, Because: "Alice likes opera.", Passages: []int{opera}},
		}
		return modeltest.Reply{JSON: a}
	})
	q := where(annals.Query{})
	q.Schema = json.RawMessage(`{"type": "object", "required": ["city", "age"], "properties": {
		"city": {"type": "string"}, "likes": {"type": "array", "items": {"type": "string"}}, "kind": {"enum": ["resident", "guest"]},
		"age": {"type": "integer"}, "height": {"type": "number"}, "married": {"type": "boolean"}}}`)
	got, err := client.Ask(t.Context(), q)
	if err != nil || string(got.Data) != `{"city":"Lisbon","kind":"resident"}` || !slices.Equal(got.Missing, []string{"age"}) || got.Cut != 4 || len(got.Slots[0].Cites) != 1 {
		t.Errorf("%+v, data %s (%v)", got, got.Data, err)
	}
}

func TestQuestionsAreRefused(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	wide := `{"type": "object", "properties": {"a": {}` + strings.Repeat(" ", answer.MaxSchema) + `}}`
	for field, q := range map[string]annals.Question{
		"query is empty": {}, "tokens is 7": {Query: annals.Query{Text: "x"}, Tokens: 7}, "explain": {Query: annals.Query{Text: "x", Explain: true}},
		"schema is no JSON Schema":  {Query: annals.Query{Text: "x"}, Schema: json.RawMessage(`{`)},
		"schema gives a the type":   {Query: annals.Query{Text: "x"}, Schema: json.RawMessage(`{"type": "object", "properties": {"a": {"type": "strung"}}}`)},
		"schema gives b the type":   {Query: annals.Query{Text: "x"}, Schema: json.RawMessage(`{"type": "object", "properties": {"b": {"type": "array", "items": {"properties": {"c": {"type": "strung"}}}}}}`)},
		"schema is not that of an":  {Query: annals.Query{Text: "x"}, Schema: json.RawMessage(`7`)},
		"schema has 16":             {Query: annals.Query{Text: "x"}, Schema: json.RawMessage(wide)},
		"schema refers to another":  {Query: annals.Query{Text: "x"}, Schema: json.RawMessage(`{"type": "object", "properties": {"a": {"$ref": "https://example.com/x"}}}`)},
		"scope is thread alone":     {Query: annals.Query{Text: "x", Scopes: []graph.Kind{graph.KindThread}}},
		"known_at":                  {Query: annals.Query{Text: "x", KnownAt: time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC)}},
		"group":                     {Query: annals.Query{Text: "x", GroupID: "no spaces"}},
		"schema has a property bad": {Query: annals.Query{Text: "x"}, Schema: json.RawMessage(`{"type": "object", "properties": {"bad": {"pattern": "("}}}`)},
	} {
		if q.GroupID == "" {
			q.GroupID = "t"
		}
		if _, err := client.Ask(t.Context(), q); annals.CodeOf(err) != annals.CodeInvalid || !strings.Contains(strings.Replace(err.Error(), ": ", " ", 1), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}
