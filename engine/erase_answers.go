package engine

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
)

// eraseStanding removes the standing answers whose question names the erased, and of
// all others the former versions that may tell of it. What was made from the erased is
// hidden by then.
func (x *eraser) eraseStanding(ctx context.Context, t *traced) error {
	words := append([]string{}, t.words...)
	named, err := x.q.AnswersNamingDelete(ctx, db.AnswersNamingDeleteParams{GroupID: x.GroupID, Words: words})
	if err != nil {
		return err
	}
	x.count("answers", named)
	if err := x.q.AnswersNamingHide(ctx, db.AnswersNamingHideParams{GroupID: x.GroupID, Words: words}); err != nil {
		return err
	}
	ids := append(x.episodes(), t.facts...)
	for _, more := range [][]uuid.UUID{t.entities, t.communities} {
		ids = append(ids, more...)
	}
	versions, err := x.q.AnswerVersionsDelete(ctx, db.AnswerVersionsDeleteParams{GroupID: x.GroupID, Words: words, Ids: ids, Since: t.heardAt})
	x.count("answers_history", versions)
	return err
}
