package annals

import (
	"context"

	"github.com/annalsdb/annals/graph"
)

// Origin identifies a writer and the interface through which they write. [graph.Origin] has its
// fields and methods.
type Origin = graph.Origin

// WithOrigin returns a context whose writes come from an origin. A message has the authority of its
// role, and a change by hand that of a person, each limited by the origin's cap. For the output of
// a model, set the cap to [graph.AuthorityAssistant].
func WithOrigin(ctx context.Context, o Origin) context.Context { return graph.WithOrigin(ctx, o) }
