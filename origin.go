package annals

import (
	"context"

	"github.com/annalsdb/annals/graph"
)

// Origin is who writes, and by which way.
// [graph.Origin] has its fields and methods.
type Origin = graph.Origin

// WithOrigin says who writes with a context. A message counts as its role says,
// and what is told by hand as the word of a person, each at most as much as the
// origin's cap. Give what a model writes the cap [graph.AuthorityAssistant].
func WithOrigin(ctx context.Context, o Origin) context.Context { return graph.WithOrigin(ctx, o) }
