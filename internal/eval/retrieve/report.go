package retrieve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/eval/ranking"
)

// Report is the result of a benchmark of retrieval.
type Report struct {
	Benchmark string `json:"benchmark"`
	Corpus    string `json:"corpus"` // description of the searched data

	Questions int            `json:"questions"` // of the file
	Scored    int            `json:"scored"`
	Skipped   map[string]int `json:"skipped"` // by reason

	Analyst   string   `json:"analyst"` // the reader of the turns; empty: none
	Embedder  string   `json:"embedder"`
	Tokenizer string   `json:"tokenizer"`
	Limit     int      `json:"limit"` // requested hits of each scope
	Notes     []string `json:"notes"`

	Table    ranking.Table  `json:"rows"`
	Contexts *ranking.Table `json:"contexts,omitempty"`
	Answers  *ranking.Table `json:"answers,omitempty"` // set if a model answered
	Cases    []Case         `json:"cases,omitempty"`   // in full reports
}

// Case is the result of each method for a question.
type Case struct {
	ID       string       `json:"id"`
	Category string       `json:"category"`
	Question string       `json:"question"`
	Gold     ranking.Gold `json:"gold"`

	// Ranks holds, by method, the rank of each gold turn; 0: not found.
	Ranks map[string][]int `json:"ranks"`

	// SessionRanks holds the same for each gold session.
	SessionRanks map[string][]int `json:"session_ranks"`

	// Unseen holds, by the method of filling a context and for each budget, the
	// gold turns that the context does not show.
	Unseen map[string][][]string `json:"unseen"`
}

// NewReport returns a report on a client's memory.
func NewReport(benchmark string, client *annals.Client, options Options) Report {
	r := Report{
		Benchmark: benchmark, Skipped: map[string]int{}, Embedder: client.Embedder().Name(), Tokenizer: Tokenizer,
		Limit: options.withDefaults().Limit,
	}
	if options.Graph {
		r.Analyst = client.Analyst()
	}
	return r
}

// Skip counts a question that is not scored.
func (r *Report) Skip(reason string) { r.Skipped[reason]++ }

// Markdown returns the report for people, without the cases.
func (r Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s. %d questions, %d scored", r.Benchmark, r.Corpus, r.Questions, r.Scored)
	for _, reason := range slices.Sorted(maps.Keys(r.Skipped)) {
		fmt.Fprintf(&b, "; %d skipped: %s", r.Skipped[reason], reason)
	}
	reader := "not read into the graph"
	if r.Analyst != "" {
		reader = "read by " + r.Analyst
	}
	fmt.Fprintf(&b, ".\nTurns %s, vectors by %s, tokens counted by %s, %d hits of each scope asked for.\n", reader, r.Embedder, r.Tokenizer, r.Limit)
	for _, note := range r.Notes {
		b.WriteString(note + "\n")
	}
	b.WriteString("\n" + r.Table.Markdown())
	for _, more := range []*ranking.Table{r.Contexts, r.Answers} {
		if more != nil {
			b.WriteString("\n" + more.Markdown())
		}
	}
	return b.String()
}
