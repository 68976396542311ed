package graph

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// GroupKind is the kind of owner of a group.
type GroupKind string

// The kinds of groups. Reading is the same for both.
const (
	GroupGraph GroupKind = "graph" // the memory of a team, an agent or a subject
	GroupUser  GroupKind = "user"  // the memory of one person
)

// Group is one memory, kept apart from all others.
type Group struct {
	ID          string    `json:"id"`
	Kind        GroupKind `json:"kind"`
	Name        string    `json:"name,omitempty"`        // a title; may be empty
	Description string    `json:"description,omitempty"` // what it is for; may be empty
	TimeZone    string    `json:"time_zone,omitempty"`   // an IANA name; may be empty
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`

	// Language is the language of the full-text search, such as german: words are found in all
	// their forms. LanguageFrom is its origin: "default" until it is known, "detected" in the
	// first messages, or "set" by hand.
	Language     string `json:"language,omitempty"`
	LanguageFrom string `json:"language_from,omitempty"`

	// Force allows a group that was erased to be created again.
	Force bool `json:"-"`
}

// Validate checks a group before it is created.
func (g Group) Validate() error {
	switch g.Kind {
	case GroupGraph, GroupUser:
	default:
		return Invalid("kind", "%q is not one of graph, user", g.Kind)
	}
	return cmp.Or(
		ValidateGroupID(g.ID),
		ValidateText("name", g.Name, MaxName),
		ValidateText("description", g.Description, maxDescription),
		ValidateTimeZone(g.TimeZone),
	)
}

// A namespace is the set of an application's groups: their ids begin with its name and a
// colon, such as acme:alice. Where a list of groups allows patterns, acme:* means all of them,
// and also the group acme, which holds what they share.

const namespaceMark = ":*"

// NamespaceOf returns the name of the namespace that a pattern such as acme:* denotes.
func NamespaceOf(pattern string) (name string, ok bool) {
	return strings.CutSuffix(pattern, namespaceMark)
}

// InNamespace reports whether a group belongs to a namespace or is its shared group.
func InNamespace(groupID, namespace string) bool {
	return groupID == namespace || strings.HasPrefix(groupID, namespace+":")
}

// ValidateGroupPattern checks the id of a group or the pattern of a namespace.
func ValidateGroupPattern(pattern string) error {
	name, ok := NamespaceOf(pattern)
	if !ok {
		return ValidateGroupID(pattern)
	}
	if strings.Contains(name, ":") {
		return Invalid("group", "%q names a namespace within another; what stands before :* has no colon", pattern)
	}
	return ValidateGroupID(name)
}

// EscapeGroupID converts a name from another program to a group id, which may hold only
// letters, digits and _ - . : @ +. Other bytes, and + itself, become + and two hexadecimal
// digits. [UnescapeGroupID] reverses it.
func EscapeGroupID(name string) string {
	var b strings.Builder
	isPlace := validatePathName("", name) != nil
	for _, r := range name {
		if r != '+' && r != '\uFFFD' && !outsideGroupID(r) && !isPlace {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "+%02X", c)
		}
	}
	return b.String()
}

// UnescapeGroupID reverses [EscapeGroupID]. Other names stay unchanged.
func UnescapeGroupID(id string) string {
	var b strings.Builder
	for i := 0; i < len(id); i++ {
		if id[i] == '+' && i+2 < len(id) {
			if c, err := hex.DecodeString(id[i+1 : i+3]); err == nil {
				b.Write(c)
				i += 2
				continue
			}
		}
		b.WriteByte(id[i])
	}
	return b.String()
}
