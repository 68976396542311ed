package graph

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// GroupKind says whose memory a group is.
type GroupKind string

// The kinds of groups. They are read alike.
const (
	GroupGraph GroupKind = "graph" // of a team, an agent, a subject
	GroupUser  GroupKind = "user"  // of one person
)

// Group is one memory.
type Group struct {
	ID          string    `json:"id"`
	Kind        GroupKind `json:"kind"`
	Name        string    `json:"name,omitempty"`        // a title; may be empty
	Description string    `json:"description,omitempty"` // what it is for; may be empty
	TimeZone    string    `json:"time_zone,omitempty"`   // an IANA name; may be empty
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`

	// Language is the language whose words are found in all their forms, such as german, and
	// LanguageFrom where it comes from: "default" until it is known, "detected" in what was said
	// first, or "set" by somebody.
	Language     string `json:"language,omitempty"`
	LanguageFrom string `json:"language_from,omitempty"`

	// Force makes a group again that was erased.
	Force bool `json:"-"`
}

// Validate checks a group before it is made.
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

// A namespace is the groups of one application: those whose ids begin with its
// name and a colon, as acme:alice does. Where groups are listed that may be
// used, acme:* means all of them, and acme itself, under which stands what they
// have in common.

const namespaceMark = ":*"

// NamespaceOf reads the name of a namespace from a pattern such as acme:*.
func NamespaceOf(pattern string) (name string, ok bool) {
	return strings.CutSuffix(pattern, namespaceMark)
}

// InNamespace reports whether a group is of a namespace, or stands for it.
func InNamespace(groupID, namespace string) bool {
	return groupID == namespace || strings.HasPrefix(groupID, namespace+":")
}

// ValidateGroupPattern checks the name of a group or a pattern for a namespace.
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

// EscapeGroupID writes a name of another program as that of a group, which takes
// letters, digits and _ - . : @ only: other bytes become + and two hexadecimal digits.
// [UnescapeGroupID] reads it.
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

// UnescapeGroupID reads what [EscapeGroupID] wrote. Other names stay as they are.
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
