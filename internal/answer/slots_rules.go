package answer

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// byRules fills slots without a model. A slot with the name of a relation, such as lives_in, gets
// the targets of the facts with this relation that hold, the best first. If the question names
// somebody, only facts about them count.
func (s slots) byRules(question string, e evidence) []Slot {
	var out []Slot
	asked := claimOf(question).subject()
	for _, one := range s.list {
		var ends []string
		filled := Slot{Name: one.name}
		for _, p := range e.passages {
			fact := p.hit.Fact
			if p.Kind != graph.KindFact || p.over || !sameRelation(one.name, fact.Predicate) || slices.Contains(ends, fact.Target) || !isOf(fact, asked) {
				continue
			}
			if ends = append(ends, fact.Target); filled.Because == "" {
				filled.Because = p.line
			}
			filled.Cites = append(filled.Cites, p.Citation)
		}
		if len(ends) == 0 {
			continue
		}
		var value any = ends[0]
		if one.schema.Type == "array" {
			value = each.Of(ends, func(end string) any { return end })
		} else {
			filled.Cites = filled.Cites[:1]
		}
		if one.checker.Validate(value) != nil {
			continue
		}
		filled.Value, _ = json.Marshal(value) // encoding texts never fails
		out = append(out, filled)
	}
	return out
}

// isOf reports whether a fact is about the person whom a question names. Without a name, every fact
// is.
func isOf(fact graph.Fact, asked *word) bool {
	return asked == nil || claimOf(fact.Source).hasStem(*asked)
}

func sameRelation(name, predicate string) bool {
	return strings.EqualFold(strings.NewReplacer("-", "_", " ", "_").Replace(name), predicate)
}
