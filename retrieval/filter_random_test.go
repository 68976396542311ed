package retrieval_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/retrieval"
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func aDay(n int) time.Time { return time.Date(2024, 1, 1+n, 0, 0, 0, 0, time.UTC) }

// plant stores random facts, each stated by an episode of its own.
func (w *world) plant(r *rand.Rand, n int) []row {
	w.t.Helper()
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ('g')`)
	var rows []row
	for i := range n {
		o := row{
			id: uuid.Must(uuid.NewV7()), from: uuid.Must(uuid.NewV7()), to: uuid.Must(uuid.NewV7()), predicate: pick(r, []string{"LIKES", "OWNS", "KNOWS"}),
			attributes: document(r), metadata: document(r), start: aDay(r.IntN(30)), thread: pick(r, []string{"", "a", "b"}),
			actor: pick(r, []string{"Ann", "Bob"}), occurred: aDay(r.IntN(30)),
			source: []string{pick(r, someLabels)}, target: []string{pick(r, someLabels)},
		}
		if r.IntN(2) == 0 {
			o.end = o.start.AddDate(0, 0, 1+r.IntN(20))
		}
		w.store(o, i)
		rows = append(rows, o)
	}
	return rows
}

func document(r *rand.Rand) map[string]any {
	d := map[string]any{}
	if r.IntN(3) > 0 {
		d["size"] = float64(r.IntN(5))
	}
	if r.IntN(3) > 0 {
		d["colour \"q\""] = pick(r, []string{"red", "dark red", "blue", "RED", "a.b", "axb", "", "a\nb", `a\b`, "^(b|c)$"})
	}
	if r.IntN(3) > 0 {
		d["tags"] = []any{pick(r, []string{"x", "y"}), "z"}
	}
	for _, scope := range []string{"user_id", "agent_id", "run_id"} {
		if r.IntN(4) > 0 {
			d[scope] = pick(r, []any{"one", "one", "two", "1", 1.0, []any{"one"}, nil})
		}
	}
	return d
}

func (w *world) store(o row, i int) {
	w.t.Helper()
	attributes, _ := json.Marshal(o.attributes)
	metadata, _ := json.Marshal(o.metadata)
	var end any
	if !o.end.IsZero() {
		end = o.end
	}
	episode := uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO annals.entities (group_id, id, name, labels) VALUES ('g', $1, $2, $3), ('g', $4, $5, $6)`,
		o.from, fmt.Sprint("s", i), o.source, o.to, fmt.Sprint("t", i), o.target)
	w.exec(`INSERT INTO annals.episodes (group_id, id, content, thread_id, actor, metadata, occurred_at) VALUES ('g', $1, 'said', $2, $3, $4, $5)`,
		episode, o.thread, o.actor, metadata, o.occurred)
	w.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, attributes, valid, statement_id)
		VALUES ('g', $1, $2, $3, $4, 'a word in common', $5, tstzrange($6::timestamptz, $7::timestamptz), $1)`,
		o.id, o.from, o.to, o.predicate, attributes, o.start, end)
	w.exec(`INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role) VALUES ('g', $1, $2, 'states')`, o.id, episode)
}

// holds evaluates a condition on a document without a database.
func holds(c retrieval.Condition, d map[string]any) bool {
	switch {
	case len(c.And) > 0:
		return !slices.ContainsFunc(c.And, func(c retrieval.Condition) bool { return !holds(c, d) })
	case len(c.Or) > 0:
		return slices.ContainsFunc(c.Or, func(c retrieval.Condition) bool { return holds(c, d) })
	case c.Not != nil:
		return !holds(*c.Not, d)
	}
	value, there := d[c.Path[0]]
	if c.Op == retrieval.OpExists {
		return there
	}
	if c.Op == retrieval.OpNotEqual {
		return !holds(retrieval.Condition{Path: c.Path, Op: retrieval.OpEqual, Value: c.Value}, d)
	}
	if c.Op == retrieval.OpIn {
		return slices.ContainsFunc(c.Value.([]any), func(v any) bool {
			return holds(retrieval.Condition{Path: c.Path, Op: retrieval.OpEqual, Value: v}, d)
		})
	}
	members, list := value.([]any)
	if !list {
		members = []any{value}
	}
	return there && slices.ContainsFunc(members, func(member any) bool { return passes(c.Op, member, c.Value) })
}

func passes(op retrieval.Op, member, value any) bool {
	text, isText := member.(string)
	want, wantText := value.(string)
	if isText && wantText {
		switch op {
		case retrieval.OpEqual:
			return text == want
		case retrieval.OpContains:
			return strings.Contains(text, want)
		case retrieval.OpContainsFold:
			return strings.Contains(strings.ToLower(text), strings.ToLower(want))
		case retrieval.OpWildcard:
			return hasForm(text, want)
		case retrieval.OpGreater:
			return text > want
		case retrieval.OpLess:
			return text < want
		}
		return false
	}
	x, isNumber := member.(float64)
	y, wantNumber := value.(float64)
	if !isNumber || !wantNumber {
		return false
	}
	switch op {
	case retrieval.OpEqual, retrieval.OpContains:
		return x == y
	case retrieval.OpGreater:
		return x > y
	case retrieval.OpGreaterEqual:
		return x >= y
	case retrieval.OpLess:
		return x < y
	case retrieval.OpLessEqual:
		return x <= y
	}
	return false
}

// hasForm is whether a text has the form of a wildcard.
func hasForm(text, form string) bool {
	if form == "" {
		return text == ""
	}
	switch form[0] {
	case '*':
		return hasForm(text, form[1:]) || text != "" && hasForm(text[1:], form)
	case '?':
		return text != "" && hasForm(text[1:], form[1:])
	}
	return text != "" && text[0] == form[0] && hasForm(text[1:], form[1:])
}

func aCondition(r *rand.Rand, depth int) retrieval.Condition {
	if depth > 0 && r.IntN(2) == 0 {
		parts := []retrieval.Condition{aCondition(r, depth-1), aCondition(r, depth-1)}
		switch r.IntN(3) {
		case 0:
			return retrieval.Condition{And: parts}
		case 1:
			return retrieval.Condition{Or: parts}
		}
		return retrieval.Condition{Not: &parts[0]}
	}
	path := pick(r, []string{"size", "colour \"q\"", "tags", "nothing"})
	op := pick(r, []retrieval.Op{
		retrieval.OpEqual, retrieval.OpNotEqual, retrieval.OpGreater, retrieval.OpGreaterEqual, retrieval.OpLess, retrieval.OpLessEqual,
		retrieval.OpContains, retrieval.OpContainsFold, retrieval.OpWildcard, retrieval.OpIn, retrieval.OpExists,
	})
	if op == retrieval.OpContainsFold || op == retrieval.OpWildcard {
		return retrieval.Condition{Path: []string{path}, Op: op, Value: pick(r, []string{
			"RED", "red", "Dark", "*red", "*r?d*", "?", "??", "*", "", "d*", ".*", "[a-z]", "a.b", "A.B", "a?b", "a*b", `*\\*`, "x", "^*", "*\n*", "(b|*",
		})}
	}
	values := []any{float64(r.IntN(5)), "red", "x", "z"}
	if op == retrieval.OpIn {
		return retrieval.Condition{Path: []string{path}, Op: op, Value: values[:2+r.IntN(3)]}
	}
	value := pick(r, values)
	if _, text := value.(string); text && (op == retrieval.OpGreaterEqual || op == retrieval.OpLessEqual) {
		value = 2.0
	}
	return retrieval.Condition{Path: []string{path}, Op: op, Value: value}
}

func aTimeCondition(r *rand.Rand) retrieval.TimeCondition {
	var c retrieval.TimeCondition
	for range 1 + r.IntN(2) {
		var all []retrieval.TimeTest
		for range 1 + r.IntN(2) {
			op := pick(r, []retrieval.Op{
				retrieval.OpEqual, retrieval.OpNotEqual, retrieval.OpGreater, retrieval.OpGreaterEqual, retrieval.OpLess, retrieval.OpLessEqual,
				retrieval.OpNull, retrieval.OpNotNull,
			})
			all = append(all, retrieval.TimeTest{Op: op, At: aDay(r.IntN(30))})
		}
		c = append(c, all)
	}
	return c
}

func timeHolds(c retrieval.TimeCondition, at time.Time) bool {
	if len(c) == 0 {
		return true
	}
	return slices.ContainsFunc(c, func(all []retrieval.TimeTest) bool {
		return !slices.ContainsFunc(all, func(t retrieval.TimeTest) bool {
			none := at.IsZero()
			switch t.Op {
			case retrieval.OpNull:
				return !none
			case retrieval.OpNotNull:
				return none
			case retrieval.OpEqual:
				return none || !at.Equal(t.At)
			case retrieval.OpNotEqual:
				return none || at.Equal(t.At)
			case retrieval.OpGreater:
				return none || !at.After(t.At)
			case retrieval.OpGreaterEqual:
				return none || at.Before(t.At)
			case retrieval.OpLess:
				return none || !at.Before(t.At)
			}
			return none || at.After(t.At)
		})
	})
}

func aFilter(r *rand.Rand) retrieval.Filter {
	var f retrieval.Filter
	maybe := func(do func()) {
		if r.IntN(4) == 0 {
			do()
		}
	}
	maybe(func() { f.Labels = []string{pick(r, someLabels), pick(r, someLabels)} })
	maybe(func() { f.ExcludedLabels = []string{pick(r, someLabels)} })
	maybe(func() { f.Predicates = []string{"LIKES", "OWNS"} })
	maybe(func() { f.ExcludedPredicates = []string{"OWNS"} })
	maybe(func() { c := aCondition(r, 2); f.Attributes = &c })
	maybe(func() { c := aCondition(r, 2); f.Metadata = &c })
	maybe(func() { f.Valid = aTimeCondition(r) })
	maybe(func() { f.Invalid = aTimeCondition(r) })
	maybe(func() { f.Occurred = aTimeCondition(r) })
	maybe(func() { f.Threads = []string{"a"} })
	maybe(func() { f.Actors = []string{"Ann"} })
	maybe(func() { f.ToldBy = []string{"Bob", "nobody"} })
	maybe(func() {
		scope := pick(r, []*[]string{&f.Users, &f.Agents, &f.Runs})
		*scope = []string{"1", "one", "one"}
	})
	return f
}
