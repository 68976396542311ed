package annals_test

import (
	"context"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// exploringCalls returns the methods with which people inspect a memory.
func (l *leak) exploringCalls() map[string]clientCall {
	return map[string]clientCall{
		"EntityTrace": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).EntityTrace(ctx, g, l.entity)
		}},
		"FactTrace": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).FactTrace(ctx, g, l.fact)
		}},
		"Lanes": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Lanes(ctx, service.LaneQuery{GroupID: g})
		}},
		"Learned": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Learned(ctx, g, l.said)
		}},
		"Overview": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Overview(ctx, g)
		}},
		"Picture": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Picture(ctx, service.PictureQuery{GroupID: g})
		}},
		"PreviewErase": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.PreviewErase(ctx, annals.Erasure{GroupID: g, EpisodeIDs: l.said[:1], AnyReader: true})
		}},
		"PreviewUndo": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.PreviewUndo(ctx, annals.Undoing{GroupID: g, EpisodeIDs: l.said[:1], AnyReader: true})
		}},
		"Why": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Why(ctx, annals.Query{GroupID: g, Text: "Bob Carol knows Acme Lisbon"}, []uuid.UUID{l.fact, l.entity, l.episode})
		}},
		"Times": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Times(ctx, g, 0)
		}},
		"Waiting": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Waiting(ctx, g)
		}},
	}
}
