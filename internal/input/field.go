// Package input declares the input of operations. Each operation has one struct, whose tags name,
// limit and describe its fields for all interfaces: REST derives its schema from them, the command
// line its flags and MCP the arguments of its tools. The client sends the same struct. [Read] turns
// such a struct into a value of the library, [Say] the reverse.
//
// These tags are read by all interfaces:
//
//	json, query          the name, in bodies and in URLs
//	doc                  the description
//	enum, default, minimum, maximum, minLength, maxLength, minItems, maxItems
//	                     the limits
//	flag                 the flag, if it is not the name with hyphens; "-": none
//	mcp                  the argument of tools, if it is not the name; "-": none
//	to                   the field of the library, if its name differs; of several, the
//	                     first that exists; "-": each interface handles it itself
package input

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
)

// Field is one field of an operation's input.
type Field struct {
	reflect.StructField

	Name string // in JSON and in URLs
}

// Fields lists the fields of a struct and of the structs embedded in it. Of fields with the same Go
// name, the outer one counts.
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

// Flag returns the name of the field's flag, or "" if it has none.
func (f Field) Flag() string { return f.calledAt("flag", strings.ReplaceAll(f.Name, "_", "-")) }

// Argument returns the name of the field's argument in tools, or "" if it has none.
func (f Field) Argument() string { return f.calledAt("mcp", f.Name) }

func (f Field) calledAt(door, otherwise string) string {
	name := cmp.Or(f.Tag.Get(door), otherwise)
	if name == "-" {
		return ""
	}
	return name
}

// Doc returns the description of the field.
func (f Field) Doc() string { return f.Tag.Get("doc") }

// Enum returns the values that the field accepts, or nil if it accepts any.
func (f Field) Enum() []string {
	if list := f.Tag.Get("enum"); list != "" {
		return strings.Split(list, ",")
	}
	return nil
}

// Limits returns the limits of the field in words; there may be none.
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

// Required reports whether the field must be set.
func (f Field) Required() bool {
	tag, asJSON := f.Tag.Lookup("json")
	if required, said := f.Tag.Lookup("required"); said {
		return required == "true"
	}
	return asJSON && !strings.Contains(tag, ",omit")
}
