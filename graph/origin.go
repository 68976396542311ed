package graph

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/annalsdb/annals/internal/erasing"
)

// Authority is whose word something is. What a higher one said is not ended,
// taken back or readmitted by a lower one.
type Authority string

// The authorities, the lowest first.
const (
	AuthorityAssistant Authority = "assistant" // what a model said or did
	AuthorityDocument  Authority = "document"  // a document, or the output of a tool
	AuthorityUser      Authority = "user"      // a message of the user
	AuthorityPerson    Authority = "person"    // told or changed by hand
)

var authorities = map[Authority]int{AuthorityAssistant: 1, AuthorityDocument: 2, AuthorityUser: 3, AuthorityPerson: 4}

// Below reports whether an authority gives way to another. One that is not known
// gives way to all that are.
func (a Authority) Below(b Authority) bool { return authorities[a] < authorities[b] }

// Article returns the authority with its article, for sentences.
func (a Authority) Article() string {
	if a == AuthorityAssistant {
		return "an " + string(a)
	}
	return "a " + string(a)
}

// Known reports whether it is one of the four.
func (a Authority) Known() bool { return authorities[a] > 0 }

// Origin is who writes, and by which way. It is kept with what is written.
type Origin struct {
	Door string    // the way in: library, cli, rest, mcp, zep, graphiti, agent, import; empty: library
	Key  string    // the API key or the name of who writes; may be empty
	Cap  Authority // the most that its word counts; empty: AuthorityPerson

	keeps bool // it has no right to erase, or to set what removes; see package erasing
}

type originKey struct{}

// WithOrigin says who writes with a context.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// OriginOf returns who writes with a context. It is the library, with the word
// of a person, where nobody said.
func OriginOf(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	o.Door, o.Cap = cmp.Or(o.Door, "library"), cmp.Or(o.Cap, AuthorityPerson)
	o.keeps = erasing.Forbidden(ctx)
	return o
}

// Capped returns the origin with a cap that is at most the given one.
func (o Origin) Capped(most Authority) Origin {
	if o.Cap == "" || most.Below(o.Cap) {
		o.Cap = most
	}
	return o
}

// Doing writes the origin and what is done as the database keeps them with an edit.
func (o Origin) Doing(action string) string {
	text, _ := json.Marshal(map[string]any{"door": o.Door, "written_by": o.Key, "authority": o.Cap, "action": action, "erases": !o.keeps}) // strings never fail
	return string(text)
}
