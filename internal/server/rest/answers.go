package rest

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/input"
)

type standingList struct {
	Answers []annals.StandingAnswer `json:"answers"`
}

type standingVersions struct {
	Versions []annals.StandingAnswer `json:"versions"`
}

// OfAnswer identifies a standing answer in a path.
type OfAnswer struct {
	InGroup
	Answer uuid.UUID `path:"answer" format:"uuid"`
}

func (a *api) answers() {
	tags := []string{"answers"}
	const path = "/v1/groups/{group}/answers"
	add(a, op("list-answers", "GET", path, tags, "List the questions that the group keeps answered, with their answers"),
		func(ctx context.Context, in *struct {
			InGroup
			input.Times
		},
		) (*body[standingList], error) {
			list, err := a.standing(ctx, annals.StandingFilter{GroupID: in.Group}, in.Times)
			return answer(standingList{list}, err)
		})
	add(a, op("keep-answer", "POST", path, tags, "Keep a question answered",
		"It is answered at once, and from then on whenever something bears on it. What the group keeps already is not asked again."),
		func(ctx context.Context, in *struct {
			InGroup
			Body input.StandingQuestion
		},
		) (*body[annals.StandingAnswer], error) {
			q, err := input.Read(in.Body, annals.Question{Query: annals.Query{GroupID: in.Group}})
			if err != nil {
				return nil, err
			}
			return answer(a.client(ctx).KeepAnswer(ctx, q))
		})
	add(a, op("get-answer", "GET", path+"/{answer}", tags, "Read a standing answer"),
		func(ctx context.Context, in *struct {
			OfAnswer
			input.Times
		},
		) (*body[annals.StandingAnswer], error) {
			list, err := a.standingOne(ctx, annals.StandingFilter{GroupID: in.Group, ID: in.Answer}, in.Times)
			if err != nil {
				return nil, err
			}
			return &body[annals.StandingAnswer]{list[0]}, nil
		})
	add(a, op("get-answer-history", "GET", path+"/{answer}/history", tags, "List every version of a standing answer"),
		func(ctx context.Context, in *OfAnswer) (*body[standingVersions], error) {
			list, err := a.standingOne(ctx, annals.StandingFilter{GroupID: in.Group, ID: in.Answer, EveryVersion: true}, input.Times{})
			return answer(standingVersions{list}, err)
		})
	addWithHeaders(a, op("drop-answer", "DELETE", path+"/{answer}", tags, "Keep a question answered no longer",
		"Its history stays, for who asks what was known.").answering(http.StatusNoContent),
		func(ctx context.Context, in *OfAnswer) (*struct{}, error) {
			return nil, a.client(ctx).DropAnswer(ctx, in.Group, in.Answer)
		})
}

// standingOne lists the versions of one standing answer. It fails if there is none.
func (a *api) standingOne(ctx context.Context, f annals.StandingFilter, at input.Times) (list []annals.StandingAnswer, err error) {
	if f.ID != uuid.Nil { // the zero id would select all
		list, err = a.standing(ctx, f, at)
	}
	if err == nil && len(list) == 0 {
		return nil, &annals.Error{Code: annals.CodeNotFound, Field: "answer", Message: fmt.Sprintf("group %s keeps none with the id %s", f.GroupID, f.ID)}
	}
	return list, err
}

// standing lists standing answers.
func (a *api) standing(ctx context.Context, f annals.StandingFilter, at input.Times) ([]annals.StandingAnswer, error) {
	f, err := input.Read(at, f)
	if err != nil {
		return nil, err
	}
	return a.client(ctx).StandingAnswers(ctx, f)
}
