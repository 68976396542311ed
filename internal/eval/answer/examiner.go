package answer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
)

// The columns of the table.
const (
	columnRight  = "right"          // share of the answers that were judged right
	columnSpread = "sd of right"    // standard deviation of that share over the repetitions
	columnTokens = "context tokens" // mean tokens of a context
)

// Settings configures how questions are answered and judged.
type Settings struct {
	Model Model
	Judge Judge
	Kinds []Kind // of context; every question is answered from each

	// Tokens is the limit of a memory's context. Zero: none.
	Tokens int

	// Repeat is how many times each question is answered and judged. Zero:
	// once.
	Repeat int
}

// Examiner asks questions, has the answers judged and counts the results. A nil
// Examiner asks nothing.
type Examiner struct {
	Settings
	scores map[key]*score
}

type key struct{ method, category string }

type score struct {
	n, tokens int
	right     []int // in each repetition
}

// New returns an examiner.
func New(s Settings) *Examiner {
	s.Repeat = max(s.Repeat, 1)
	return &Examiner{Settings: s, scores: map[key]*score{}}
}

// Desk is a haystack prepared for questions.
type Desk struct {
	examiner *Examiner
	memory   *retrieve.Memory
	fixed    map[Kind]string // the contexts that do not depend on the question
}

// Open prepares a haystack; it writes the summaries once. A nil examiner
// returns a nil desk, which asks nothing.
func (e *Examiner) Open(ctx context.Context, memory *retrieve.Memory) (*Desk, error) {
	if e == nil {
		return nil, nil
	}
	d := &Desk{e, memory, map[Kind]string{}}
	if err := d.prepare(ctx); err != nil {
		return nil, fmt.Errorf("prepare the contexts of %s: %w", memory.Group(), err)
	}
	return d, nil
}

// Task is a question with its right answer.
type Task struct {
	Corpus   string // prefix of method names; may be empty
	Category string // may be empty
	Question retrieve.Question
	Gold     string
	Rule     Rule
}

const read = "Answer the question about earlier conversations from the context alone, in one or two sentences. " +
	"Work relative times out to dates: a line's own date says when it was said. Where information changed, the latest holds. " +
	"If the context does not have the answer, say that the information is not there."

// Ask has the model answer a question from each kind of context, and the judge
// judge it, in every repetition.
func (d *Desk) Ask(ctx context.Context, t Task) error {
	if d == nil {
		return nil
	}
	for _, kind := range d.examiner.Kinds {
		shown, err := d.context(ctx, kind, t.Question)
		if err != nil {
			return err
		}
		right := make([]bool, d.examiner.Repeat)
		for i := range right {
			if right[i], err = d.examine(ctx, shown, t, i); err != nil {
				return fmt.Errorf("ask %q with the context %s: %w", t.Question.Text, kind, err)
			}
		}
		d.examiner.count(kind, t, right, retrieve.Tokens(shown))
	}
	return nil
}

func (d *Desk) examine(ctx context.Context, shown string, t Task, repetition int) (bool, error) {
	group := d.memory.Group()
	user := "Context:\n" + shown + "\n\nQuestion: " + t.Question.Text
	if !t.Question.At.IsZero() {
		user += "\nAsked on: " + t.Question.At.UTC().Format("2006-01-02 15:04")
	}
	response, err := d.examiner.Model.Write(ctx, Prompt{Name: "answer_question", Group: group, System: read, User: user, Repetition: repetition})
	if err != nil {
		return false, err
	}
	judged := t.Rule.prompt(group, t.Question.Text, t.Gold, response)
	judged.Repetition = repetition
	return d.examiner.Judge.Judge(ctx, judged)
}

func (e *Examiner) count(kind Kind, t Task, right []bool, tokens int) {
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
			e.scores[k] = &score{right: make([]int, len(right))}
		}
		e.scores[k].add(right, tokens)
	}
}

func (s *score) add(right []bool, tokens int) {
	s.n++
	s.tokens += tokens
	for i, right := range right {
		if right {
			s.right[i]++
		}
	}
}

// columns returns the means and, with several repetitions, the standard
// deviation.
func (s *score) columns() map[string]float64 {
	n := float64(s.n)
	mean := 0.0
	for _, right := range s.right {
		mean += float64(right) / n / float64(len(s.right))
	}
	out := map[string]float64{columnRight: mean, columnTokens: float64(s.tokens) / n}
	if len(s.right) > 1 {
		squares := 0.0
		for _, right := range s.right {
			squares += math.Pow(float64(right)/n-mean, 2)
		}
		out[columnSpread] = math.Sqrt(squares / float64(len(s.right)-1))
	}
	return out
}

// Report adds the table of answers to a benchmark's report.
func (e *Examiner) Report(r *retrieve.Report) {
	if e == nil {
		return
	}
	table := ranking.Table{Columns: []string{columnRight, columnTokens}}
	if e.Repeat > 1 {
		table.Columns = []string{columnRight, columnSpread, columnTokens}
	}
	for k, s := range e.scores {
		table.Rows = append(table.Rows, ranking.Row{Method: k.method, Category: k.category, N: s.n, Scores: s.columns()})
	}
	table.Sort(nil)
	r.Answers = &table
	r.Notes = append(r.Notes, e.note())
}

// note describes who answered and judged, and how often.
func (e *Examiner) note() string {
	times := "once each"
	if e.Repeat > 1 {
		times = fmt.Sprintf("%d times each; sd is the standard deviation of the share over the repetitions", e.Repeat)
	}
	within := ""
	if e.Tokens > 0 {
		within = fmt.Sprintf(" The memory's context has at most %d tokens.", e.Tokens)
	}
	return fmt.Sprintf("Answers are by %s, judged by %s by the published rules in our own words, %s; all but adversarial questions are asked.%s",
		e.Model.Name(), e.Judge.Name(), times, within)
}
