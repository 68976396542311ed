package answer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/retrieval"
)

// Search finds what bears on a question.
type Search func(context.Context, retrieval.Query) (retrieval.Result, error)

// Answerer answers questions. It is safe for concurrent use.
type Answerer struct {
	search Search
	llm    *model.LLM // nil: none
}

// New is an answerer that finds what it needs by search. llm may be nil; then
// answers are passages.
func New(search Search, llm *model.LLM) *Answerer { return &Answerer{search, llm} }

// Answer answers a question from what is found, in at most MaxCalls calls of the
// model. Where nothing bears on it none is made.
func (a *Answerer) Answer(ctx context.Context, q Question) (Answer, error) {
	q, err := q.prepared()
	if err != nil {
		return Answer{}, err
	}
	slots, err := readSchema(q.Schema)
	if err != nil {
		return Answer{}, err
	}
	found, err := a.search(ctx, retrieval.Construction{Tokens: q.Tokens}.For(q.Query))
	if err != nil {
		return Answer{}, err
	}
	shown, err := evidenceOf(q, found)
	if err != nil {
		return Answer{}, err
	}
	return a.from(ctx, q, shown, slots)
}

// from answers a question from what is shown.
func (a *Answerer) from(ctx context.Context, q Question, shown evidence, slots slots) (Answer, error) {
	switch {
	case len(shown.passages) == 0:
		return slots.into(unknown(a.by()), nil), nil
	case a.llm == nil:
		return slots.into(shown.passagesOnly(offline), slots.byRules(q.Text, shown)), nil
	}
	return a.ask(ctx, q, shown, slots)
}

// unknown is the answer where nothing bears on the question.
func unknown(by string) Answer {
	return Answer{Form: FormUnknown, By: by, Text: NotKnown, Sentences: []Sentence{}}
}

// offline is who answers where there is no model.
const offline = "offline"

func (a *Answerer) by() string {
	if a.llm == nil {
		return offline
	}
	return a.llm.Name()
}

// bestPassages is how many passages are an answer where no model makes one.
const bestPassages = 5

// passagesOnly is the answer of the best passages, those first that state most, and
// what was made of them only where there is nothing else.
func (e evidence) passagesOnly(by string) Answer {
	answer := Answer{Form: FormPassages, By: by, Sentences: []Sentence{}, Shown: len(e.passages)}
	for _, kind := range []graph.Kind{graph.KindFact, graph.KindEpisode, graph.KindObservation, graph.KindEntity, graph.KindCommunity} {
		if len(answer.Sentences) > 0 && kind != graph.KindEpisode {
			break
		}
		for i, p := range e.passages {
			if p.Kind == kind && len(answer.Sentences) < bestPassages && !(kind == graph.KindFact && len(answer.Sentences) > bestPassages/2) {
				answer.Sentences = append(answer.Sentences, Sentence{Text: e.lines[i], Cites: []Citation{p.Citation}})
			}
		}
	}
	answer.Text = textOf(answer.Sentences, "\n")
	return answer
}

func textOf(sentences []Sentence, between string) string {
	texts := make([]string, len(sentences))
	for i, s := range sentences {
		texts[i] = s.Text
	}
	return strings.Join(texts, between)
}

// ask has the model answer. Where nothing of its answer stands in the passages it is
// told so once; then the passages themselves are the answer.
func (a *Answerer) ask(ctx context.Context, q Question, shown evidence, slots slots) (Answer, error) {
	question := prompts.AnswerQuestion{
		Question: q.Text, AskedAt: q.AskedAt, AsOf: q.ValidAt, Passages: shown.lines, Slots: slots.asked(),
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
	var unusable *model.AnswerError
	if err != nil && !errors.As(err, &unusable) {
		return Answer{}, err
	}
	got.By = a.llm.Name()
	if err != nil || got.Cut > 0 && len(got.Sentences)+len(got.Slots) == 0 {
		passages := shown.passagesOnly(a.llm.Name())
		passages.Cut = got.Cut
		return slots.into(passages, nil), nil
	}
	return got, nil
}

// mostWrong is how many mistakes a model is told of at once.
const mostWrong = 5

// judge keeps of an answer what stands in the passages that it cites, and tells in
// words for the model what does not.
func (e evidence) judge(said prompts.AnsweredQuestion, slots slots) (Answer, []string) {
	answer := Answer{Form: FormAnswer, Sentences: []Sentence{}, Shown: len(e.passages)}
	var wrong []string
	told := func(text string, missing []string) {
		answer.Cut++
		if len(wrong) < mostWrong {
			wrong = append(wrong, fmt.Sprintf("The passages named do not say %q: they lack %s.", cutTo(text), strings.Join(missing, ", ")))
		}
	}
	speaker := &talk{}
	for _, s := range said.Sentences {
		if !said.Known {
			break
		}
		by, missing := speaker.supported(s.Text, e.cited(s.Passages))
		if by == nil {
			told(s.Text, missing)
			continue
		}
		answer.Sentences = append(answer.Sentences, Sentence{Text: strings.TrimSpace(s.Text), Cites: by})
	}
	filled := slots.check(said.Slots, e, told)
	if answer.Text = textOf(answer.Sentences, " "); len(answer.Sentences) == 0 {
		answer.Text = NotKnown
		if len(filled) == 0 {
			answer.Form = FormUnknown
		}
	}
	return slots.into(answer, filled), wrong
}

func cutTo(s string) string {
	const most = 200 // bytes
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + " …"
}
