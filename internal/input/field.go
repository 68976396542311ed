// Package input declares what operations are told. Each operation has one struct,
// whose tags name, bound and describe its fields for all doors: REST reads them as
// its schema, the command line as its flags, MCP as the arguments of its tools, and
// the client sends the same struct. [Read] turns what was said into a value of the
// library, and [Say] turns it back.
//
// These tags are read by all doors:
//
//	json, query          the name, in bodies and in URLs
//	doc                  what it means
//	enum, default, minimum, maximum, minLength, maxLength, minItems, maxItems
//	                     its limits
//	flag                 the flag, where it is not the name with hyphens; "-": none
//	mcp                  the argument of tools, where it is not the name; "-": none
//	to                   the field of the library, where it has another name; several:
//	                     the first that there is; "-": the door sees to it
package input

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
)

// Field is one thing that an operation is told.
type Field struct {
	reflect.StructField

	Name string // in JSON and in URLs
}

// Fields lists the fields of a struct and of those that it embeds. Where two have one
// name in Go, the outer one counts.
func Fields(of reflect.Type) []Field {
	var fields []Field
	for _, f := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(cmp.Or(f.Tag.Get("json"), f.Tag.Get("query")), ",")
		if name != "" && name != "-" && f.IsExported() && !f.Anonymous {
			fields = append(fields, Field{f, name})
		}
	}
	return fields
}

// Flag is the field's flag; empty: it has none.
func (f Field) Flag() string { return f.calledAt("flag", strings.ReplaceAll(f.Name, "_", "-")) }

// Argument is the field's argument in tools; empty: it is none.
func (f Field) Argument() string { return f.calledAt("mcp", f.Name) }

func (f Field) calledAt(door, otherwise string) string {
	name := cmp.Or(f.Tag.Get(door), otherwise)
	if name == "-" {
		return ""
	}
	return name
}

// Doc is what the field means.
func (f Field) Doc() string { return f.Tag.Get("doc") }

// Enum are the only values that the field takes; none: it takes any.
func (f Field) Enum() []string {
	if list := f.Tag.Get("enum"); list != "" {
		return strings.Split(list, ",")
	}
	return nil
}

// Limits are the bounds of the field in words; none: it has none of its own.
func (f Field) Limits() (limits []string) {
	for _, limit := range []struct{ tag, words string }{
		{"minimum", "at least %s"}, {"maximum", "at most %s"}, {"maxLength", "at most %s characters"}, {"maxItems", "at most %s of them"},
	} {
		if value := f.Tag.Get(limit.tag); value != "" {
			limits = append(limits, fmt.Sprintf(limit.words, value))
		}
	}
	return limits
}

// Required is whether the field must be said.
func (f Field) Required() bool {
	tag, asJSON := f.Tag.Lookup("json")
	if required, said := f.Tag.Lookup("required"); said {
		return required == "true"
	}
	return asJSON && !strings.Contains(tag, ",omit")
}
