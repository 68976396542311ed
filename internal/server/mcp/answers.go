package mcp

import (
	"context"
	"fmt"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/input"
)

type keepAnswerInput struct {
	input.StandingQuestion
	OfGroup
}

// standingView is a standing answer as tools return it.
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

func (d *door) keepAnswer(ctx context.Context, c client, in keepAnswerInput) (standingView, error) {
	q, err := input.Read(in, annals.Question{Query: annals.Query{GroupID: c.group}})
	if err != nil {
		return standingView{}, err
	}
	kept, err := c.KeepAnswer(ctx, q)
	return viewOfStanding(kept), err
}

type answersInput struct {
	OfGroup
	input.Times
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

func (d *door) answers(ctx context.Context, c client, in answersInput) (answersOutput, error) {
	filter, err := input.Read(in, annals.StandingFilter{GroupID: c.group})
	if err != nil {
		return answersOutput{}, err
	}
	list, err := c.StandingAnswers(ctx, filter)
	return answersOutput{each.Of(list, viewOfStanding)}, err
}

type dropAnswerInput struct {
	UUID string `json:"uuid" maxLength:"64" doc:"of the standing answer"`
	OfGroup
}

func (d *door) dropAnswer(ctx context.Context, c client, in dropAnswerInput) (outcome, error) {
	id, err := parseID("uuid", in.UUID)
	if err != nil {
		return outcome{}, err
	}
	if err := c.DropAnswer(ctx, c.group, id); err != nil {
		return outcome{}, err
	}
	return outcome{fmt.Sprintf("The question with UUID %s is kept answered no longer", id)}, nil
}
