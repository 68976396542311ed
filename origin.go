package annals

import (
	"context"

	"github.com/annalsdb/annals/graph"
)

// Origin is who writes, and by which way. Its fields:
// [graph.Origin] has its fields and methods.
type Origin = graph.Origin

// The authorities, the lowest first. What a higher one said is not ended, taken
// back or readmitted by a lower one: the two are disputed.
const (
	AuthorityAssistant = graph.AuthorityAssistant // what a model said or did
	AuthorityDocument  = graph.AuthorityDocument  // a document, or the output of a tool
	AuthorityUser      = graph.AuthorityUser      // a message of the user
	AuthorityPerson    = graph.AuthorityPerson    // told or changed by hand
)

// WithOrigin says who writes with a context. A message counts as its role says,
// and what is told by hand as the word of a person, each at most as much as the
// origin's cap. Give what a model writes the cap [AuthorityAssistant].
func WithOrigin(ctx context.Context, o Origin) context.Context { return graph.WithOrigin(ctx, o) }
