package answer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// The limits and defaults of a question.
const (
	DefaultTokens = 2000  // tokens of the passages
	LeastTokens   = 100   //
	MostTokens    = 32000 //
	MaxCalls      = 3     // calls of the model for one answer
	MaxSchema     = 16384 // bytes of a schema
	MaxSlots      = 50    // properties of a schema
)

// Question is a question and how to answer it.
type Question struct {
	// Query holds the text, the group and the times. Fields that are not set have the defaults for
	// a context, so irrelevant rows are not found.
	retrieval.Query

	// Tokens is the limit on the tokens of the passages that the answer is made from, LeastTokens
	// to MostTokens. Zero: DefaultTokens.
	Tokens int

	// Schema is a JSON Schema of an object whose values are filled in as well, each with citations.
	// Empty: none.
	Schema json.RawMessage
}

func (q Question) prepared() (Question, error) {
	if q.Tokens == 0 {
		q.Tokens = DefaultTokens
	}
	if len(q.Scopes) == 0 && len(q.Filter.ToldBy) == 0 && q.Trust != graph.TrustCandidate && q.Trust != graph.TrustDisputed {
		q.Scopes = []graph.Kind{graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindCommunity, graph.KindObservation}
	}
	switch {
	case strings.TrimSpace(q.Text) == "":
		return q, graph.Invalid("query", "is empty; ask something, such as: Where does Alice live?")
	case q.Tokens < LeastTokens || q.Tokens > MostTokens:
		return q, graph.Invalid("tokens", "is %d; it must be %d to %d", q.Tokens, LeastTokens, MostTokens)
	case q.Explain:
		return q, graph.Invalid("explain", "is for searches; leave it out, or search")
	}
	if err := graph.ValidateText("query", q.Text, len(q.Text)); err != nil {
		return q, err
	}
	if len(q.Scopes) > 0 && !slices.ContainsFunc(q.Scopes, func(k graph.Kind) bool { return k != graph.KindThread }) {
		return q, graph.Invalid("scope", "is thread alone, from which nothing is answered; leave it out, or search")
	}
	return q, nil
}

// The forms of answers.
const (
	FormAnswer   = "answer"   // a model's sentences, each supported by its citations; without a model, the facts that answer
	FormPassages = "passages" // the best passages, unchanged
	FormUnknown  = "unknown"  // nothing is relevant to the question
)

// NotKnown is the text of an answer of FormUnknown.
const NotKnown = "Not known."

// Answer is the answer to a question.
type Answer struct {
	Form      string     `json:"form" enum:"answer,passages,unknown" doc:"answer: a model's sentences, each held against what it cites, or without a model the facts that answer; passages: the best passages as they stand; unknown: nothing bears on the question"`
	By        string     `json:"by" doc:"The model that answered; offline: none"`
	Text      string     `json:"text" doc:"All sentences, or 'Not known.'"`
	Sentences []Sentence `json:"sentences"`

	// Data holds the values of the question's schema; nil without a schema.
	Data    json.RawMessage `json:"data,omitempty" doc:"An object with the values that could be filled in, where a schema was given"`
	Slots   []Slot          `json:"slots,omitempty" doc:"What each value rests on"`
	Missing []string        `json:"missing,omitempty" doc:"What the schema requires and nothing fills"`

	Shown int `json:"shown" doc:"How many passages the answer was made from"`
	Cut   int `json:"cut" doc:"How many sentences and values of the model were cut"`

	// Why lists the reasons why they were cut, without duplicates, or says that the model gave no
	// answer.
	Why []string `json:"why,omitempty" doc:"Why they were cut, each reason once: no passage says so; what says so is over, was taken back, is disputed or only planned; or that the answer of the model cannot be read"`

	Without []string `json:"without,omitempty" doc:"Models that did not answer when memory was searched, so that it was searched without them, in words"`
}

// Known reports whether anything is relevant to the question.
func (a Answer) Known() bool { return a.Form != FormUnknown }

// Note describes how the answer was made: what was cut from the model's, and why; that passages are
// not a model's answer; and which models were missing in the search. Empty: there is nothing to
// note.
func (a Answer) Note() string {
	return strings.TrimSpace(a.noteOfModel() + " " + a.SearchedWithout())
}

// SearchedWithout names, in sentences, the models that were missing in the search; empty: none.
func (a Answer) SearchedWithout() string { return retrieval.SearchedWithout(a.Without) }

func (a Answer) noteOfModel() string {
	why := strings.Join(a.Why, "; ")
	var note string
	switch {
	case a.Cut > 0 && a.Form == FormAnswer:
		return fmt.Sprintf("Cut of what the model said: %d (%s).", a.Cut, why)
	case a.Cut > 0:
		note = fmt.Sprintf("All that the model said was cut (%s).", why)
	case len(a.Why) > 0:
		note = fmt.Sprintf("The model did not answer (%s).", why)
	case a.Form == FormPassages && a.By == offline:
		note = "No model answers."
	}
	if a.Form == FormPassages {
		note = strings.TrimSpace(note + " These are the passages that fit best.")
	}
	return note
}

// Sentence is a sentence of an answer with its citations.
type Sentence struct {
	Text  string     `json:"text"`
	Cites []Citation `json:"cites"`
}

// Citation identifies a row that the answer rests on.
type Citation struct {
	Kind    graph.Kind `json:"kind" enum:"fact,entity,episode,community,observation" doc:"What it is"`
	ID      uuid.UUID  `json:"id" format:"uuid"`
	GroupID string     `json:"group_id"`
}

// Slot is a value of a property of the schema.
type Slot struct {
	Name    string          `json:"name"`
	Value   json.RawMessage `json:"value"`
	Because string          `json:"because" doc:"The sentence, or the fact, that gives it"`
	Cites   []Citation      `json:"cites"`
}
