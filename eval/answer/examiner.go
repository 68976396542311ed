package answer

import (
	"context"
	"fmt"
	"slices"

	"github.com/annalsdb/annals/eval/ranking"
	"github.com/annalsdb/annals/eval/retrieve"
)

// The columns of the table.
const (
	columnRight  = "right"          // share of the answers that were judged right
	columnTokens = "context tokens" // of the mean context
)

// Examiner asks questions, has the answers judged and keeps count. Nil: none
// is examined.
type Examiner struct {
	model  Model
	kinds  []Kind
	scores map[key]*score
}

type key struct{ method, category string }

type score struct{ n, right, tokens int }

// New is an examiner who has the model answer from each kind of context, and
// judge.
func New(model Model, kinds []Kind) *Examiner {
	return &Examiner{model: model, kinds: kinds, scores: map[key]*score{}}
}

// Desk is a haystack that is ready for questions.
type Desk struct {
	examiner *Examiner
	desk     *desk
}

// Open prepares a haystack: summaries are written once. Of a nil examiner it is
// a desk at which nothing is asked.
func (e *Examiner) Open(ctx context.Context, memory *retrieve.Memory) (*Desk, error) {
	if e == nil {
		return nil, nil
	}
	d, err := open(ctx, e.model, memory, e.kinds)
	if err != nil {
		return nil, fmt.Errorf("prepare the contexts of %s: %w", memory.Group(), err)
	}
	return &Desk{e, d}, nil
}

// Task is a question with its right answer.
type Task struct {
	Corpus   string // before the names of methods; may be empty
	Category string // may be empty
	Question retrieve.Question
	Gold     string
	Rule     Rule
}

const read = "Answer the question about earlier conversations from the context alone, in one or two sentences. " +
	"Work relative times out to dates: a line's own date says when it was said. Where information changed, the latest holds. " +
	"If the context does not have the answer, say that the information is not there."

// Ask has a question answered from each kind of context, and judged.
func (d *Desk) Ask(ctx context.Context, t Task) error {
	if d == nil {
		return nil
	}
	for _, kind := range d.examiner.kinds {
		shown, err := d.desk.context(ctx, kind, t.Question)
		if err != nil {
			return err
		}
		right, err := d.examine(ctx, shown, t)
		if err != nil {
			return fmt.Errorf("ask %q with the context %s: %w", t.Question.Text, kind, err)
		}
		d.examiner.count(kind, t, right, retrieve.Tokens(shown))
	}
	return nil
}

func (d *Desk) examine(ctx context.Context, shown string, t Task) (bool, error) {
	group := d.desk.memory.Group()
	user := "Context:\n" + shown + "\n\nQuestion: " + t.Question.Text
	if !t.Question.At.IsZero() {
		user += "\nAsked on: " + t.Question.At.UTC().Format("2006-01-02 15:04")
	}
	response, err := d.examiner.model.Write(ctx, Prompt{Name: "answer_question", Group: group, System: read, User: user})
	if err != nil {
		return false, err
	}
	return d.examiner.model.Judge(ctx, t.Rule.prompt(group, t.Question.Text, t.Gold, response))
}

func (e *Examiner) count(kind Kind, t Task, right bool, tokens int) {
	method := string(kind)
	if t.Corpus != "" {
		method = t.Corpus + ": " + method
	}
	for _, category := range slices.Compact([]string{ranking.Overall, t.Category}) {
		if category == "" {
			continue
		}
		k := key{method, category}
		if e.scores[k] == nil {
			e.scores[k] = &score{}
		}
		e.scores[k].n++
		e.scores[k].tokens += tokens
		if right {
			e.scores[k].right++
		}
	}
}

// Report adds the table of what was answered to the report of a benchmark.
func (e *Examiner) Report(r *retrieve.Report) {
	if e == nil {
		return
	}
	table := ranking.Table{Columns: []string{columnRight, columnTokens}}
	for k, s := range e.scores {
		n := float64(s.n)
		table.Rows = append(table.Rows, ranking.Row{
			Method: k.method, Category: k.category, N: s.n,
			Scores: map[string]float64{columnRight: float64(s.right) / n, columnTokens: float64(s.tokens) / n},
		})
	}
	table.Sort(nil)
	r.Answers = &table
	r.Notes = append(r.Notes, fmt.Sprintf(
		"Answers are by %s, which also judged them, once each, by the published rules in our own words; all but adversarial questions are asked.", e.model.Name()))
}
