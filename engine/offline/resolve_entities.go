package offline

import (
	"context"
	"slices"
	"strings"

	"github.com/annalsdb/annals/prompts"
)

// ResolveEntities recognises a name when exactly one candidate fits it: it
// is the same but for case and accents, one holds all words of the other, or it
// is the short form of the other's first name. In doubt a name is new: a wrong
// merge hurts more than a missed one.
func (*Analyst) ResolveEntities(ctx context.Context, q prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ResolvedEntities{}, err
	}
	var out prompts.ResolvedEntities
	for _, e := range q.Entities {
		var fitting []int
		for _, c := range e.Candidates {
			if sameKind(e.Label, c.Labels) && slices.ContainsFunc(append(slices.Clone(c.Aliases), c.Name), func(n string) bool { return sameName(e.Name, n) }) {
				fitting = append(fitting, c.ID)
			}
		}
		if len(fitting) == 1 {
			out.Resolutions = append(out.Resolutions, prompts.EntityResolution{
				ID: e.ID, Candidate: fitting[0], Reason: "the only known name that fits",
			})
		}
	}
	return out, nil
}

// sameKind keeps a person from being a place; an unknown kind fits any.
func sameKind(label string, labels []string) bool {
	return label == "" || len(labels) == 0 || slices.Contains(labels, label)
}

func sameName(a, b string) bool {
	x, y := nameWords(a), nameWords(b)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if slices.Equal(x, y) {
		return true
	}
	if !properlyNamed(a) || !properlyNamed(b) {
		return false
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	return within(x, y) && (len(x) > 1 || x[0] == y[0] || x[0] == y[len(y)-1]) || len(x) == 1 && nickname(x[0], y[0])
}

// within reports whether all words of the shorter name are in the longer one.
func within(short, long []string) bool {
	for _, w := range short {
		if !slices.Contains(long, w) {
			return false
		}
	}
	return len(short) < len(long)
}

func nickname(a, b string) bool {
	return slices.Contains(strings.Fields(nicknames[a]), b) || slices.Contains(strings.Fields(nicknames[b]), a)
}

// nameWords are the words of a name without titles.
func nameWords(s string) []string {
	words := strings.Fields(strings.NewReplacer(".", "", ",", " ").Replace(fold(s)))
	return slices.DeleteFunc(words, func(w string) bool {
		return w == "dr" || w == "mr" || w == "mrs" || w == "ms" || w == "prof"
	})
}

// properlyNamed reports whether a name begins with a capital letter: things
// ("new printer") are not parts of each other.
func properlyNamed(s string) bool { return startsUpper(s) }
