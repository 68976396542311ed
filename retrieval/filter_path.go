package retrieval

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/internal/each"
)

// jsonPath writes conditions in PostgreSQL's jsonpath language. Keys are
// quoted, and values stand beside the path as variables.
type jsonPath struct{ values map[string]any }

// document combines a condition, which may be nil, with the test that metadata lies in the scopes.
func (p *jsonPath) document(c *Condition, scopes map[string][]string) map[string]any {
	p.values = map[string]any{}
	var all []string
	if c != nil {
		all = append(all, "("+p.of(*c)+")")
	}
	for key, names := range scopes {
		all = append(all, "("+p.within(key, names)+")")
	}
	return map[string]any{"path": strings.Join(all, " && "), "values": p.values}
}

// within tests that a key holds one of some texts. A list of texts does not pass, since the index
// knows a list by another name than its members.
func (p *jsonPath) within(key string, names []string) string {
	values := each.Of(names, func(name string) any { return name })
	return fmt.Sprintf(`$.%s.type() == "string" && (%s)`, quoted(key), p.of(Condition{Path: []string{key}, Op: OpIn, Value: values}))
}

func (p *jsonPath) of(c Condition) string {
	switch {
	case len(c.And) > 0:
		return p.joined(c.And, " && ")
	case len(c.Or) > 0:
		return p.joined(c.Or, " || ")
	case c.Not != nil:
		return "!(" + p.of(*c.Not) + ")"
	}
	at := "$"
	for _, key := range c.Path {
		at += "." + quoted(key)
	}
	if c.Op == OpExists {
		return "exists(" + at + ")"
	}
	if c.Op == OpIn {
		var each []Condition
		for _, value := range c.Value.([]any) { // validated
			each = append(each, Condition{Path: c.Path, Op: OpEqual, Value: value})
		}
		return p.joined(each, " || ")
	}
	if c.Op == OpNotEqual {
		return "!(" + p.of(Condition{Path: c.Path, Op: OpEqual, Value: c.Value}) + ")"
	}
	return p.comparison(at, c)
}

var comparisons = map[Op]string{OpEqual: "==", OpGreater: ">", OpGreaterEqual: ">=", OpLess: "<", OpLessEqual: "<="}

func (p *jsonPath) comparison(at string, c Condition) string {
	if text, ok := c.Value.(string); ok && c.Op == OpContains {
		return fmt.Sprintf(`(exists(%s ? (@ == %s)) || exists(%s ? (@ like_regex %s flag "q")))`, at, p.value(text), at, quoted(text))
	}
	switch c.Op {
	case OpContains:
		return fmt.Sprintf("exists(%s ? (@ == %s))", at, p.value(c.Value))
	case OpContainsFold:
		return fmt.Sprintf(`exists(%s ? (@ like_regex %s flag "iq"))`, at, quoted(c.Value.(string))) // validated
	case OpWildcard:
		return fmt.Sprintf(`exists(%s ? (@ like_regex %s flag "s"))`, at, quoted(wildcard(c.Value.(string))))
	}
	return fmt.Sprintf("exists(%s ? (@ %s %s))", at, comparisons[c.Op], p.value(c.Value))
}

// wildcard turns a pattern into a regular expression: * matches any characters, ? one, and all
// others themselves.
func wildcard(form string) string {
	var b strings.Builder
	for _, r := range form {
		switch {
		case r == '*':
			b.WriteString(".*")
		case r == '?':
			b.WriteByte('.')
		case strings.ContainsRune(`\.+^$()[]{}|`, r):
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return "^" + b.String() + "$"
}

// quoted writes a text as jsonpath does, which is as in JSON.
func quoted(text string) string {
	q, err := json.Marshal(text)
	if err != nil { // a text can always be written
		panic("retrieval: " + err.Error())
	}
	return string(q)
}

func (p *jsonPath) value(v any) string {
	name := "v" + strconv.Itoa(len(p.values)+1)
	p.values[name] = v
	return "$" + name
}

func (p *jsonPath) joined(conditions []Condition, by string) string {
	return strings.Join(each.Of(conditions, func(c Condition) string { return "(" + p.of(c) + ")" }), by)
}
