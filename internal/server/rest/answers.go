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
		calling(func(ctx context.Context, in *struct {
			InGroup
			input.Times
		}, f annals.StandingFilter,
		) (standingList, error) {
			f.GroupID = in.Group
			list, err := a.client(ctx).StandingAnswers(ctx, f)
			return standingList{list}, err
		}))
	add(a, op("keep-answer", "POST", path, tags, "Keep a question answered",
		"It is answered at once, and from then on whenever something bears on it. What the group keeps already is not asked again."),
		calling(func(ctx context.Context, in *toGroup[input.StandingQuestion], q annals.Question) (annals.StandingAnswer, error) {
			q.GroupID = in.Group
			return a.client(ctx).KeepAnswer(ctx, q)
		}))
	add(a, op("get-answer", "GET", path+"/{answer}", tags, "Read a standing answer"),
		calling(func(ctx context.Context, in *struct {
			OfAnswer
			input.Times
		}, f annals.StandingFilter,
		) (one annals.StandingAnswer, err error) {
			list, err := a.standing(ctx, in.OfAnswer, f)
			if err != nil {
				return one, err
			}
			return list[0], nil
		}))
	add(a, op("get-answer-history", "GET", path+"/{answer}/history", tags, "List every version of a standing answer"),
		func(ctx context.Context, in *OfAnswer) (*body[standingVersions], error) {
			list, err := a.standing(ctx, *in, annals.StandingFilter{EveryVersion: true})
			return answer(standingVersions{list}, err)
		})
	addWithHeaders(a, op("drop-answer", "DELETE", path+"/{answer}", tags, "Keep a question answered no longer",
		"Its history stays, for who asks what was known.").answering(http.StatusNoContent),
		func(ctx context.Context, in *OfAnswer) (*struct{}, error) {
			return nil, a.client(ctx).DropAnswer(ctx, in.Group, in.Answer)
		})
}

// standing lists the versions of one standing answer that a filter selects. It fails if there is none.
func (a *api) standing(ctx context.Context, of OfAnswer, f annals.StandingFilter) (list []annals.StandingAnswer, err error) {
	f.GroupID, f.ID = of.Group, of.Answer
	if f.ID != uuid.Nil { // the zero id would select all
		list, err = a.client(ctx).StandingAnswers(ctx, f)
	}
	if err == nil && len(list) == 0 {
		return nil, &annals.Error{Code: annals.CodeNotFound, Field: "answer", Message: fmt.Sprintf("group %s keeps none with the id %s", f.GroupID, f.ID)}
	}
	return list, err
}
