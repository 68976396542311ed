package offline

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/prompts"
)

// ResolveEntities recognises a name when exactly one candidate fits it: it is
// the same but for case and accents, or it is the shorter or fuller name of
// the same person or organisation, or the short form of a first name. In doubt
// a name is new: a wrong merge hurts more than a missed one.
func (*Analyst) ResolveEntities(ctx context.Context, q prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ResolvedEntities{}, err
	}
	var out prompts.ResolvedEntities
	for _, e := range q.Entities {
		if c, reason := recognise(e); c != nil {
			out.Resolutions = append(out.Resolutions, prompts.EntityResolution{
				ID: e.ID, Candidate: c.ID, Reason: reason, Name: fuller(e.Name, c.Name),
			})
		}
	}
	return out, nil
}

// recognise finds the only candidate that an entity can be.
func recognise(e prompts.UnresolvedEntity) (*prompts.EntityCandidate, string) {
	var same, similar []*prompts.EntityCandidate
	for i := range e.Candidates {
		c := &e.Candidates[i]
		if !sameKind(e.Label, c.Labels) {
			continue
		}
		kind := kindOf(e.Label, c.Labels)
		for _, known := range append([]string{c.Name}, c.Aliases...) {
			if slices.Equal(nameWords(e.Name), nameWords(known)) {
				same = append(same, c)
				break
			}
			if similarName(e.Name, known, kind) && !conflicts(e.Name, c.Name) {
				similar = append(similar, c)
				break
			}
		}
	}
	switch {
	case len(same) == 1:
		return same[0], "the same name in another spelling"
	case len(same) == 0 && len(similar) == 1:
		return similar[0], "the only known name that fits"
	}
	return nil, ""
}

// fuller is the more complete of two names; of two equally long ones that
// which is written like a name.
func fuller(a, b string) string {
	if len(a) > len(b) || len(a) == len(b) && startsUpper(a) {
		return a
	}
	return b
}

// sameKind keeps a person from being a place; an unknown kind fits any.
func sameKind(label string, labels []string) bool {
	return label == "" || len(labels) == 0 || slices.Contains(labels, label)
}

func kindOf(label string, labels []string) string {
	if label == "" && len(labels) > 0 {
		return labels[0]
	}
	return label
}

// similarName reports whether two different names may be one's shorter and
// fuller name. Where neither is known to be a person or an organisation, "York"
// is not "New York".
func similarName(a, b, kind string) bool {
	x, y := nameWords(a), nameWords(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) == 0 || !startsUpper(a) || !startsUpper(b) {
		return false
	}
	switch kind {
	case "Person":
		first, last := x[0] == y[0], x[len(x)-1] == y[len(y)-1]
		if len(x) == len(y) {
			return nickname(x[0], y[0]) && slices.Equal(x[1:], y[1:])
		}
		return (first || last || nickname(x[0], y[0])) && (len(x) == 1 || last && (first || nickname(x[0], y[0])))
	case "Organization":
		return len(x) < len(y) && slices.Equal(x, y[:len(x)]) && legalForm(y[len(x):])
	}
	return false
}

// conflicts reports whether two names of several words name different people
// of one family or of one first name.
func conflicts(a, b string) bool {
	x, y := nameWords(a), nameWords(b)
	if len(x) < 2 || len(y) < 2 {
		return false
	}
	return x[len(x)-1] != y[len(y)-1] && !slices.Equal(x, y[:min(len(x), len(y))]) && !slices.Equal(y, x[:min(len(x), len(y))])
}

// legalForm reports whether words merely say what sort of company it is.
func legalForm(words []string) bool {
	for _, w := range words {
		if !legalForms[w] {
			return false
		}
	}
	return true
}

var legalForms = set(`inc corp corporation co company ltd limited llc gmbh ag plc sa as ab oy bv nv group holding holdings`)

// Short names by the long ones they may stand for.
var nicknames = map[string]string{
	"abby": "abigail", "al": "albert alan", "alex": "alexander alexandra alexandre", "andy": "andrew", "bella": "isabella",
	"ben": "benjamin", "beth": "elizabeth", "bill": "william", "bob": "robert", "becky": "rebecca", "cathy": "catherine",
	"charlie": "charles charlotte", "chris": "christopher christine christina", "cindy": "cynthia", "dan": "daniel",
	"dave": "david", "deb": "deborah", "ed": "edward", "eddie": "edward", "frank": "francis", "fred": "frederick",
	"gabby": "gabriella", "greg": "gregory", "jack": "john", "jake": "jacob", "jen": "jennifer", "jenny": "jennifer",
	"jess": "jessica", "jim": "james", "jo": "joanna", "joe": "joseph", "jon": "jonathan", "josh": "joshua", "kate": "katherine",
	"kathy": "katherine", "katie": "katherine", "ken": "kenneth", "larry": "lawrence", "liz": "elizabeth", "maggie": "margaret",
	"matt": "matthew", "mel": "melanie melissa", "meg": "margaret", "mick": "michael", "mike": "michael", "nate": "nathan nathaniel",
	"nick": "nicholas", "pam": "pamela", "pat": "patrick patricia", "pete": "peter", "phil": "philip", "ray": "raymond",
	"rick": "richard", "rob": "robert", "ron": "ronald", "sam": "samuel samantha", "sandy": "sandra", "steph": "stephanie",
	"steve": "steven stephen", "sue": "susan", "tim": "timothy", "tom": "thomas", "tony": "anthony", "val": "valerie",
	"vicky": "victoria", "will": "william", "zach": "zachary",
}

func nickname(a, b string) bool {
	return slices.Contains(strings.Fields(nicknames[a]), b) || slices.Contains(strings.Fields(nicknames[b]), a)
}

// nameWords are the words of a name without titles and punctuation.
func nameWords(s string) []string {
	words := strings.FieldsFunc(fold(s), func(r rune) bool { return r != '\'' && r != '+' && notInWord(r) })
	trimmed := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return w == "dr" || w == "mr" || w == "mrs" || w == "ms" || w == "prof" || w == "professor"
	})
	if len(trimmed) == 0 {
		return words
	}
	return trimmed
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
