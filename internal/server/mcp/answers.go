package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/fence"
)

type keepAnswerInput struct {
	Query   string         `json:"query" jsonschema:"the question, as of now"`
	GroupID string         `json:"group_id,omitempty" jsonschema:"left out: the default group"`
	Schema  map[string]any `json:"schema,omitempty" jsonschema:"a JSON Schema of an object, whose values are filled in as well: a profile"`
}

// standingView is a standing answer as models read it.
type standingView struct {
	UUID     string     `json:"uuid"`
	Question string     `json:"question"`
	Waits    bool       `json:"waits,omitempty" jsonschema:"what it rested on changed, and it is asked again soon"`
	Answer   *askOutput `json:"answer,omitempty"`
}

func viewOfStanding(s annals.StandingAnswer) standingView {
	view := standingView{UUID: s.ID.String(), Question: s.Question, Waits: s.Answer == nil}
	if s.Answer != nil {
		view.Answer = new(viewOfAnswer(*s.Answer))
	}
	return view
}

func (v standingView) say() string {
	safe := fence.New()
	title := safe.Line(v.Question) + " [" + v.UUID + "]"
	if v.Answer == nil {
		return title + "\nis asked again soon: what its answer rested on has changed."
	}
	return title + "\n" + v.Answer.say()
}

func (d *door) keepAnswer(ctx context.Context, in keepAnswerInput) (standingView, error) {
	c, err := d.one(ctx, in.GroupID)
	if err != nil {
		return standingView{}, err
	}
	q := annals.Question{Query: annals.Query{GroupID: c.group, Text: in.Query}}
	if len(in.Schema) > 0 {
		if q.Schema, err = json.Marshal(in.Schema); err != nil {
			return standingView{}, fmt.Errorf("read the schema: %w", err)
		}
	}
	kept, err := c.KeepAnswer(ctx, q)
	return viewOfStanding(kept), err
}

type answersInput struct {
	GroupID string `json:"group_id,omitempty" jsonschema:"left out: the default group"`
	AsOf    string `json:"as_of,omitempty" jsonschema:"what they say of how things were at this time, RFC 3339 or a date; left out: of how they are"`
	KnownAt string `json:"known_at,omitempty" jsonschema:"as memory believed it at this time"`
}

type answersOutput struct {
	Answers []standingView `json:"answers"`
}

func (o answersOutput) say() string {
	if len(o.Answers) == 0 {
		return "No question is kept answered; keep_answer adds one."
	}
	said := ""
	for i, v := range o.Answers {
		if i > 0 {
			said += "\n\n"
		}
		said += v.say()
	}
	return said
}

func (d *door) answers(ctx context.Context, in answersInput) (answersOutput, error) {
	c, err := d.one(ctx, in.GroupID)
	if err != nil {
		return answersOutput{}, err
	}
	at, err := (annals.QueryInput{AsOf: in.AsOf, KnownAt: in.KnownAt}).In(c.group, nil)
	if err != nil {
		return answersOutput{}, err
	}
	list, err := c.StandingAnswers(ctx, annals.StandingFilter{GroupID: c.group, ValidAt: at.ValidAt, KnownAt: at.KnownAt})
	return answersOutput{views(list, viewOfStanding)}, err
}

type dropAnswerInput struct {
	UUID    string `json:"uuid" jsonschema:"of the standing answer"`
	GroupID string `json:"group_id,omitempty" jsonschema:"left out: the default group"`
}

func (d *door) dropAnswer(ctx context.Context, in dropAnswerInput) (outcome, error) {
	c, err := d.one(ctx, in.GroupID)
	if err != nil {
		return outcome{}, err
	}
	id, err := parseID("uuid", in.UUID)
	if err != nil {
		return outcome{}, err
	}
	if err := c.DropAnswer(ctx, c.group, id); err != nil {
		return outcome{}, err
	}
	return outcome{fmt.Sprintf("The question with UUID %s is kept answered no longer", id)}, nil
}
