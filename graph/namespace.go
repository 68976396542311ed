package graph

import "strings"

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
