package graph

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/annalsdb/annals/internal/erasing"
)

// Authority ranks the origins of a statement. A lower authority cannot end, take
// back or readmit what a higher one said.
type Authority string

// The authorities, lowest first.
const (
	AuthorityAssistant Authority = "assistant" // a model said or did it
	AuthorityDocument  Authority = "document"  // a document, or the output of a tool
	AuthorityUser      Authority = "user"      // a message of the user
	AuthorityPerson    Authority = "person"    // a person wrote or changed it by hand
)

var authorities = map[Authority]int{AuthorityAssistant: 1, AuthorityDocument: 2, AuthorityUser: 3, AuthorityPerson: 4}

// Below reports whether a is lower than b. An unknown authority is lower than every
// known one.
func (a Authority) Below(b Authority) bool { return authorities[a] < authorities[b] }

// Article returns the authority with its indefinite article, for sentences.
func (a Authority) Article() string {
	if a == AuthorityAssistant {
		return "an " + string(a)
	}
	return "a " + string(a)
}

// Known reports whether it is one of the four constants.
func (a Authority) Known() bool { return authorities[a] > 0 }

// Origin identifies the writer of a change and the way in. It is stored with the
// change.
type Origin struct {
	Door string    // the way in: library, cli, rest, mcp, zep, graphiti, agent, import; empty: library
	Key  string    // the API key or the name of the writer; may be empty
	Cap  Authority // the highest authority of its statements; empty: AuthorityPerson

	keeps bool // it may not erase, nor set what causes removal; see package erasing
}

type originKey struct{}

// WithOrigin returns a context that carries the origin of writes.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// OriginOf returns the origin that a context carries. The default is the door
// library with the authority of a person.
func OriginOf(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	o.Door, o.Cap = cmp.Or(o.Door, "library"), cmp.Or(o.Cap, AuthorityPerson)
	o.keeps = erasing.Forbidden(ctx)
	return o
}

// Capped returns the origin with its cap lowered to most, if it is higher.
func (o Origin) Capped(most Authority) Origin {
	if o.Cap == "" || most.Below(o.Cap) {
		o.Cap = most
	}
	return o
}

// Doing returns the origin and an action in the JSON form that the database stores
// with an edit.
func (o Origin) Doing(action string) string {
	text, _ := json.Marshal(map[string]any{"door": o.Door, "written_by": o.Key, "authority": o.Cap, "action": action, "erases": !o.keeps}) // strings never fail
	return string(text)
}
