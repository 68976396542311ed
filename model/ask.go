package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/telemetry"
)

// Question is a prompt, ready to be sent.
type Question struct {
	Name         string // the prompt's name: extract_entities
	Version      int    // the version of its text and answer
	System, User string
}

const (
	maxAnswer = 1 << 20  // bytes
	maxQuoted = 16 << 10 // bytes of a wrong answer that the model is shown again
	maxRaw    = 64 << 10 // bytes of an answer in an error
)

// Ask sends a question and returns the answer, a struct. It sends the JSON schema
// of Answer along, reads the reply leniently and validates it against the schema.
// check may be nil. It returns what is wrong with an answer, in words for the
// model.
//
// A wrong answer is sent back once, with the reason. If the next answer is wrong
// too, the error is an [*AnswerError]. If the provider does not answer, it is a
// [*CallError]. If the context ends, it wraps the context's error.
//
// With a ledger, a question that the group has asked before is answered from the
// ledger.
func Ask[Answer any](ctx context.Context, l *LLM, q Question, check func(*Answer) error) (Answer, error) {
	return ask(ctx, l, q, check, false, 0)
}

// AskWithin is [Ask] with a limit on calls to the model, at least 1, so that the
// cost is known beforehand. Once the calls are used up, a wrong last answer is an
// [*AnswerError].
func AskWithin[Answer any](ctx context.Context, l *LLM, q Question, calls int, check func(*Answer) error) (Answer, error) {
	return ask(ctx, l, q, check, false, max(calls, 1))
}

// ask implements [Ask]. With once, no answer is sent back and no longer answer is
// requested, so that no request is longer than the question. most limits the
// calls; zero: no limit.
func ask[Answer any](ctx context.Context, l *LLM, q Question, check func(*Answer) error, once bool, most int) (Answer, error) {
	var answer Answer
	s, err := shapeOf(reflect.TypeFor[Answer]())
	if err != nil {
		return answer, err
	}
	accept := func(data []byte) error {
		var a Answer
		if err := json.Unmarshal(data, &a); err != nil {
			return err
		}
		if check != nil {
			if err := check(&a); err != nil {
				return err
			}
		}
		answer = a
		return nil
	}
	d := &dialogue{llm: l, question: q, shape: s, accept: accept, once: once, most: most, key: keyOf(l.name+" "+l.provider.baseURL, q, s.wire)}
	return answer, d.run(ctx)
}

// dialogue is a question and the answers so far.
type dialogue struct {
	llm      *LLM
	question Question
	shape    *shape
	accept   func([]byte) error
	key      [32]byte
	once     bool
	most     int // limit of calls; zero: none
	made     int // calls so far

	said, violation string // the previous answer and what is wrong with it
}

func (d *dialogue) run(ctx context.Context) (err error) {
	ctx, span := traced(ctx, KindChat, d.question.Name, d.llm.name)
	defer func() { telemetry.End(span, err) }()
	if done, err := d.remembered(ctx); done || err != nil {
		return err
	}
	raw, wrong, err := d.round(ctx)
	if err != nil || wrong == nil {
		return d.unusable(err)
	}
	if !d.once && d.more() && !errors.Is(wrong, errTooLarge) {
		d.said, d.violation = cutTo(raw, maxQuoted), wrong.Error()
		raw, wrong, err = d.round(ctx)
	}
	if err != nil || wrong == nil {
		return d.unusable(err)
	}
	return &AnswerError{Prompt: d.question.Name, Raw: cutTo(raw, maxRaw), Err: wrong}
}

// unusable makes an [AnswerError] of the error of an answer that is empty or too large.
func (d *dialogue) unusable(err error) error {
	if errors.Is(err, errNoAnswer) && !errors.Is(err, errUnreadable) || errors.Is(err, errTooLarge) {
		return &AnswerError{Prompt: d.question.Name, Err: err}
	}
	return err
}

// remembered answers from the ledger. A stored answer that no longer passes the
// checks is ignored.
func (d *dialogue) remembered(ctx context.Context) (bool, error) {
	if d.llm.ledger == nil {
		return false, nil
	}
	started := time.Now()
	stored, found, err := d.llm.ledger.Answer(ctx, SubjectOf(ctx).GroupID, d.key)
	if err != nil {
		return false, fmt.Errorf("look for an earlier answer to %s: %w", d.question.Name, err)
	}
	if !found {
		return false, nil
	}
	data, err := readAnswer(stored, d.shape)
	if err != nil || d.accept(data) != nil {
		return false, nil
	}
	call := d.call(ctx, attempt{latency: time.Since(started)})
	call.FromCache, call.Cost, call.Answer = true, new(float64), string(data)
	return true, d.record(ctx, call)
}

// round asks once and checks the answer. wrong is an error that the model can
// correct; err is any other. It repeats the question after an empty answer, and
// doubles the token limit after a truncated one.
func (d *dialogue) round(ctx context.Context) (raw string, wrong, err error) {
	tokens := d.llm.config.MaxTokens
	r, err := d.turn(ctx, tokens)
	if errors.Is(err, errNoAnswer) && d.more() {
		r, err = d.turn(ctx, tokens)
	}
	if err == nil && r.cut && !d.once && d.more() {
		if err := d.conclude(ctx, r, nil, cutOff(tokens)); err != nil {
			return r.text, nil, err
		}
		longer, more := d.turn(ctx, 2*tokens)
		if refusedRequest(more) { // the model cannot answer at greater length
			return r.text, cutOff(tokens), nil
		}
		r, err, tokens = longer, more, 2*tokens
	}
	if err != nil {
		return r.text, nil, err
	}
	data, wrong := d.judge(r, tokens)
	return r.text, wrong, d.conclude(ctx, r, data, wrong)
}

func cutOff(tokens int) error {
	return fmt.Errorf("it was cut off after %s; answer more briefly", each.Count(tokens, "token"))
}

func (d *dialogue) judge(r reply, tokens int) ([]byte, error) {
	if r.cut {
		return nil, cutOff(tokens)
	}
	if len(r.text) > maxAnswer {
		return nil, fmt.Errorf("an answer of %d bytes is %w: at most %d are read", len(r.text), errTooLarge, maxAnswer)
	}
	data, err := readAnswer(r.text, d.shape)
	if err != nil {
		return nil, err
	}
	return data, d.accept(data)
}

// more reports whether the limit allows another call.
func (d *dialogue) more() bool { return d.most == 0 || d.made < d.most }

// turn sends the question and records the failed attempts.
func (d *dialogue) turn(ctx context.Context, tokens int) (reply, error) {
	d.made++
	r, err := d.llm.generate(ctx, d, tokens)
	for _, a := range r.attempts {
		if a.err == nil {
			continue
		}
		call := d.call(ctx, a)
		call.Error = a.err.Error()
		if lost := d.record(ctx, call); lost != nil {
			return r, errors.Join(lost, err)
		}
	}
	return r, err
}

// conclude records a complete answer, right or wrong.
func (d *dialogue) conclude(ctx context.Context, r reply, data []byte, wrong error) error {
	call := d.call(ctx, r.last())
	if wrong != nil {
		call.Error = wrong.Error()
	} else {
		call.Answer = string(data)
	}
	return d.record(ctx, call)
}

func (d *dialogue) call(ctx context.Context, a attempt) Call {
	return Call{
		Subject: SubjectOf(ctx), Key: d.key, Prompt: d.question.Name, Version: d.question.Version, Model: d.llm.name,
		InputTokens: a.usage.input, OutputTokens: a.usage.output, CachedTokens: a.usage.cached,
		Latency: a.latency, Cost: d.llm.config.Prices.costOf(d.llm.name, a.usage),
		Repair: d.violation != "", Kind: KindChat,
	}
}

func (d *dialogue) record(ctx context.Context, call Call) error {
	return record(ctx, d.llm.ledger, call)
}
