package archive

import (
	"errors"

	"github.com/annalsdb/annals/graph"
)

// Unmapped counts the parts of another program's export that have no counterpart in Annals, by
// kind, in order of their first occurrence.
type Unmapped []UnmappedKind

// UnmappedKind is one kind of such parts.
type UnmappedKind struct {
	Kind    string `json:"kind" doc:"Such as: edge to a node that is not there"`
	Count   int64  `json:"count"`
	Example string `json:"example" doc:"Which the first one was"`
}

// Add counts one part. The first of a kind becomes its example.
func (u *Unmapped) Add(kind, example string) {
	for i := range *u {
		if (*u)[i].Kind == kind {
			(*u)[i].Count++
			return
		}
	}
	*u = append(*u, UnmappedKind{Kind: kind, Count: 1, Example: example})
}

// Storable reports whether an episode can be stored, and counts it if not.
func (u *Unmapped) Storable(e graph.Episode, kind, id string) bool {
	err := e.Validate()
	if err == nil {
		return true
	}
	field := "text"
	if wrong, ok := errors.AsType[*graph.Error](err); ok && wrong.Field != "" {
		field = wrong.Field
	}
	u.Add(kind+" whose "+field+" cannot be stored", id+": "+err.Error())
	return false
}
