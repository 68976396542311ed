package answer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
)

// Search finds the evidence for a question.
type Search func(context.Context, retrieval.Query) (retrieval.Result, error)

// Answerer answers questions. It is safe for concurrent use.
type Answerer struct {
	search Search
	llm    *model.LLM // nil: none
}

// New returns an answerer that finds evidence by search. llm may be nil: then answers consist of
// facts, or of passages.
func New(search Search, llm *model.LLM) *Answerer { return &Answerer{search, llm} }

// Answer answers a question from the results of a search, in at most MaxCalls calls of the model.
// If the search finds nothing relevant, it makes no call.
func (a *Answerer) Answer(ctx context.Context, q Question) (Answer, error) {
	q, err := q.prepared()
	if err != nil {
		return Answer{}, err
	}
	slots, err := readSchema(q.Schema)
	if err != nil {
		return Answer{}, err
	}
	found, err := a.search(ctx, construct.Construction{Tokens: q.Tokens}.For(q.Query))
	if err != nil {
		return Answer{}, err
	}
	shown, err := evidenceOf(q, found)
	if err != nil {
		return Answer{}, err
	}
	got, err := a.from(ctx, q, shown, slots)
	got.Without = found.Without
	return got, err
}

// from answers a question from the evidence.
func (a *Answerer) from(ctx context.Context, q Question, shown evidence, slots slots) (Answer, error) {
	switch {
	case len(shown.passages) == 0:
		return slots.into(unknown(a.by()), nil), nil
	case a.llm == nil:
		return slots.into(shown.offline(q.Text, offline), slots.byRules(q.Text, shown)), nil
	}
	return a.ask(ctx, q, shown.forModel(slots), slots)
}

// unknown returns the answer if nothing is relevant to the question.
func unknown(by string) Answer {
	return Answer{Form: FormUnknown, By: by, Text: NotKnown, Sentences: []Sentence{}}
}

// offline is the name of the answerer without a model.
const offline = "offline"

func (a *Answerer) by() string {
	if a.llm == nil {
		return offline
	}
	return a.llm.Name()
}

// betweenOf returns the separator of the sentences of an answer.
func betweenOf(form string) string {
	if form == FormPassages {
		return "\n"
	}
	return " "
}

func textOf(sentences []Sentence, between string) string {
	return strings.Join(each.Of(sentences, func(s Sentence) string { return s.Text }), between)
}

// ask asks the model. If no part of its answer is supported by the passages, it is told once what
// is wrong. If that fails too, the answer is the one without a model.
func (a *Answerer) ask(ctx context.Context, q Question, shown evidence, slots slots) (Answer, error) {
	question := prompts.AnswerQuestion{
		Question: q.Text, AskedAt: cmp.Or(q.AskedAt, time.Now().UTC()), AsOf: q.ValidAt, Passages: each.Of(shown.passages, func(p passage) string { return p.line }), Slots: slots.asked(),
	}
	var got Answer
	tries := 0
	_, err := model.AskWithin(model.WithSubject(ctx, model.Subject{GroupID: q.GroupID}), a.llm, model.Question(question.Prompt()), MaxCalls,
		func(said *prompts.AnsweredQuestion) error {
			var wrong []string
			got, wrong = shown.judge(*said, slots)
			if tries++; tries > 1 || got.Cut == 0 || len(got.Sentences)+len(got.Slots) > 0 {
				return nil
			}
			return errors.New(strings.Join(wrong, "\n"))
		})
	var unread *model.AnswerError
	switch {
	case err != nil && !errors.As(err, &unread):
		return Answer{}, err
	case err != nil:
		return slots.into(shown.passagesInstead(q.Text, a.by(), Answer{Why: []string{unreadable}}), nil), nil
	case got.Cut > 0 && len(got.Sentences)+len(got.Slots) == 0:
		return slots.into(shown.passagesInstead(q.Text, a.by(), got), nil), nil
	}
	got.By = a.by()
	return got, nil
}

// mostWrong is how many mistakes a model is told at once.
const mostWrong = 5

// judge keeps the parts of an answer that the cited passages support. It also returns, in words for
// the model, what is wrong with the others.
func (e evidence) judge(said prompts.AnsweredQuestion, values slots) (Answer, []string) {
	answer := Answer{Form: FormAnswer, Sentences: []Sentence{}, Shown: len(e.passages)}
	var tell []string
	told := func(text string, wrong shortfall) {
		if answer.Cut++; !slices.Contains(answer.Why, wrong.why) {
			answer.Why = append(answer.Why, wrong.why)
		}
		if len(tell) < mostWrong {
			tell = append(tell, wrong.tell(text))
		}
	}
	speaker := &spokenAnswer{}
	for _, s := range said.Sentences {
		if !said.Known {
			break
		}
		by, wrong := speaker.supported(s.Text, e.cited(s.Passages))
		if by == nil {
			told(s.Text, wrong)
			continue
		}
		answer.Sentences = append(answer.Sentences, Sentence{Text: strings.TrimSpace(s.Text), Cites: by})
	}
	filled := values.check(said.Slots, e, told)
	if answer.Text = textOf(answer.Sentences, " "); len(answer.Sentences) == 0 {
		answer.Text = NotKnown
		if len(filled) == 0 {
			answer.Form = FormUnknown
		}
	}
	return values.into(answer, filled), tell
}
