package rest

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

// removed is the outcome of a removal: Undone or Certificate, or with dry_run a Preview.
type removed struct {
	Undone      *annals.Undone      `json:"undone,omitempty" doc:"Of episodes that were undone"`
	Certificate *annals.Certificate `json:"certificate,omitempty" doc:"Of what was erased"`
	Preview     *annals.PreviewJSON `json:"preview,omitempty" doc:"Of what was not done, as dry_run asked: what would be otherwise"`
}

// retentionJSON is how long a group keeps its episodes; null: for ever.
type retentionJSON input.Retention

func (a *api) removal() {
	tags := []string{"removal"}
	const group, retention = "/v1/groups/{group}", "/v1/groups/{group}/retention"
	add(a, op("erase-group", "DELETE", group, tags, "Erase a group for good",
		"Every trace of it goes from all tables, and it is refused when it comes again. Nothing can bring it back."),
		func(ctx context.Context, in *struct {
			InGroup
			input.Tried
		},
		) (*body[removed], error) {
			return a.erase(ctx, annals.Erasure{GroupID: in.Group}, in.DryRun)
		})
	add(a, op("undo-episode", "DELETE", group+"/episodes/{episode}", tags, "Undo an episode, or erase it",
		"The group believes what it would without it: what only it supports goes, what it ended holds again. "+
			"The history keeps what was believed until now, unless it is erased: then every trace goes for good."), a.undoEpisode)
	add(a, op("erase-entity", "DELETE", group+"/entities/{entity}", tags, "Erase an entity for good, with the episodes that name it"), a.eraseEntity)
	add(a, op("get-retention", "GET", retention, tags, "Tell how long a group keeps its episodes"),
		func(ctx context.Context, in *InGroup) (*body[retentionJSON], error) {
			return a.retention(ctx, in.Group)
		})
	add(a, op("set-retention", "PUT", retention, tags, "Set how long a group keeps its episodes",
		"{} keeps them for ever. Workers apply it once a day."), a.setRetention)
	add(a, op("apply-retention", "POST", retention+"/apply", tags, "Undo the episodes that are older, or more, than a group keeps"),
		func(ctx context.Context, in *struct {
			InGroup
			input.Judged
		},
		) (*body[removed], error) {
			return undone(a.client(ctx).ApplyRetention(ctx, in.Group, in.AnyReader))
		})
}

func (a *api) undoEpisode(ctx context.Context, in *struct {
	OneEpisode
	input.UndoEpisode
},
) (*body[removed], error) {
	ids := []uuid.UUID{in.Episode}
	if in.Erase {
		return a.erase(ctx, annals.Erasure{GroupID: in.Group, EpisodeIDs: ids, AnyReader: in.AnyReader}, in.DryRun)
	}
	undoing := annals.Undoing{GroupID: in.Group, EpisodeIDs: ids, AnyReader: in.AnyReader}
	if in.DryRun {
		return previewed(a.client(ctx).PreviewUndo(ctx, undoing))
	}
	return undone(a.client(ctx).UndoAll(ctx, undoing))
}

func (a *api) eraseEntity(ctx context.Context, in *struct {
	OneEntity
	input.Removal
},
) (*body[removed], error) {
	entity, err := a.client(ctx).Entity(ctx, in.Group, in.Entity)
	if err != nil {
		return nil, err
	}
	return a.erase(ctx, annals.Erasure{GroupID: in.Group, EntityID: entity.ID, AnyReader: in.AnyReader}, in.DryRun)
}

func (a *api) erase(ctx context.Context, what annals.Erasure, try bool) (*body[removed], error) {
	if try {
		return previewed(a.client(ctx).PreviewErase(ctx, what))
	}
	what.Later = true // the answer does not wait for the vacuum
	return erased(a.client(ctx).Erase(ctx, what))
}

func previewed(p annals.Preview, err error) (*body[removed], error) {
	out := removed{Preview: new(p.JSON())}
	if p.Undone.Episodes > 0 {
		out.Undone = &p.Undone
	}
	return answer(out, err)
}

func erased(c annals.Certificate, err error) (*body[removed], error) {
	return answer(removed{Certificate: &c}, err)
}

func undone(u annals.Undone, err error) (*body[removed], error) {
	return answer(removed{Undone: &u}, err)
}

func (a *api) retention(ctx context.Context, group string) (*body[retentionJSON], error) {
	r, err := a.client(ctx).Retention(ctx, group)
	if err != nil {
		return nil, err
	}
	var out retentionJSON
	if age := int64(math.Ceil(r.MaxAge.Seconds())); age > 0 {
		out.MaxAgeSeconds = &age
	}
	if most := int32(r.MaxEpisodes); most > 0 {
		out.MaxEpisodes = &most
	}
	out.AppliedAt = orNull(r.AppliedAt)
	return &body[retentionJSON]{out}, nil
}

func (a *api) setRetention(ctx context.Context, in *toGroup[retentionJSON]) (*body[retentionJSON], error) {
	var r annals.Retention
	if in.Body.MaxAgeSeconds != nil {
		r.MaxAge = time.Duration(*in.Body.MaxAgeSeconds) * time.Second
	}
	if in.Body.MaxEpisodes != nil {
		r.MaxEpisodes = int(*in.Body.MaxEpisodes)
	}
	if in.Body.AppliedAt != nil {
		return nil, graph.Invalid("applied_at", "is set by applying the policy; leave it out")
	}
	if err := a.client(ctx).SetRetention(ctx, in.Group, r); err != nil {
		return nil, err
	}
	return a.retention(ctx, in.Group)
}
