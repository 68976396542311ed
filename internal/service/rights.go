package service

import (
	"slices"

	"github.com/annalsdb/annals/graph"
)

// Rights is what a key may do in the groups that it opens.
type Rights string

// The rights. Each includes those before it.
const (
	RightsRead  Rights = "read"  // search and list
	RightsWrite Rights = "write" // and add, correct and undo, all of which the history keeps
	RightsErase Rights = "erase" // and remove for good
)

var rights = []Rights{RightsRead, RightsWrite, RightsErase}

// Allow reports whether r includes the rights that are needed.
func (r Rights) Allow(needed Rights) bool {
	has, needs := slices.Index(rights, r), slices.Index(rights, needed)
	return needs >= 0 && has >= needs
}

// ParseRights parses rights; empty: all.
func ParseRights(text string) (Rights, error) {
	r := Rights(text)
	if text == "" {
		return RightsErase, nil
	}
	if !slices.Contains(rights, r) {
		return "", graph.Invalid("rights", "%q is not one of read, write, erase", text)
	}
	return r, nil
}

// ParseAuthority parses the authority of a key; empty: that of a person.
func ParseAuthority(text string) (graph.Authority, error) {
	a := graph.Authority(text)
	if text == "" {
		return graph.AuthorityPerson, nil
	}
	if !a.Known() {
		return "", graph.Invalid("authority", "%q is not one of assistant, document, user, person", text)
	}
	return a, nil
}
