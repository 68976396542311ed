package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

const (
	aliasName = `(\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,3})`
	aliasWord = `"?(\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?)"?`
)

var (
	// A name, and another name of the same person.
	alsoCalled = []pattern.Pattern{
		pattern.New(aliasName + `,? (?:\()?(?:also known as|aka|a\.k\.a\.|better known as|known as|nicknamed) (?:just |simply )?` + aliasWord + `(?:\)|,|\.| )`),
		pattern.New(aliasName + `,? or (?:just )?` + aliasWord + ` for short`),
		pattern.New(aliasName + ` (?:goes by|is known as|is nicknamed|is called|answers to) ` + aliasWord + `\b`),
		pattern.New(`(?i:call|calls|called) ` + aliasName + ` (?:just |simply )?` + aliasWord + ` for short`),
		pattern.New(aliasName + `, whom? (?:we|everybody|everyone|they|people|friends|all)(?: all)? calls? ` + aliasWord + `\b`),
		pattern.New(aliasName + ` \("` + aliasWord + `"\)`),
	}
	shortForms = pattern.New(aliasWord + `,? (?:which )?is short for ` + aliasName)

	// The same for somebody mentioned before.
	theyCall  = pattern.New(`(?i:\b(?:everybody|everyone|people|friends|family|we|all|they|i|colleagues|coworkers)(?: all| just| always| usually)? (?:calls?|nicknamed?)) (?i:(him|her|them|me)) (?:just |simply )?` + aliasWord)
	callMe    = pattern.New(`(?i:\b(?:(?:just |please )?call me|i go by|i'm called|my nickname is|i'm known as)) (?:just )?` + aliasWord)
	notCalled = pattern.New(`(?i)(?:n't|\bnot|\bnever|\bstop|\bnobody|\bhate it when people|\bwhy do you) (?:ever )?$`)
	myNameIs  = pattern.New(`(?i:\bmy (?:full |real )?name is|\bi'm|\bi am) ` + aliasName)
	orShort   = pattern.New(`^,? or (?:just )?` + aliasWord)
)

// alias is another name of an entity.
type alias struct{ of, called string }

// aliases finds the other names that an utterance gives to the names in it.
func aliases(u utterance, names []name) []alias {
	if !mayCall(u.text) {
		return nil
	}
	var out []alias
	add := func(of, called string) {
		if of != "" && called != "" && fold(of) != fold(called) && !isCommon(called) && !isCommon(of) {
			out = append(out, alias{of, called})
		}
	}
	for _, p := range alsoCalled {
		for _, m := range p().FindAllStringSubmatch(u.text+" ", 4) {
			add(known(m[1], names), m[2])
		}
	}
	for _, m := range shortForms().FindAllStringSubmatch(u.text, 4) {
		add(known(m[2], names), m[1])
	}
	for _, m := range theyCall().FindAllStringSubmatchIndex(u.text, 4) {
		of := u.speaker
		if !strings.EqualFold(u.text[m[2]:m[3]], "me") {
			of = personBefore(u, names, m[0])
		}
		add(of, u.text[m[4]:m[5]])
		if short := orShort().FindStringSubmatch(u.text[m[5]:]); short != nil {
			add(of, short[1])
		}
	}
	for _, m := range callMe().FindAllStringSubmatchIndex(u.text, 4) {
		if notCalled().MatchString(u.text[:m[0]]) {
			continue // "don't call me Kim, call me Kimberly"
		}
		called := u.text[m[2]:m[3]]
		add(u.speaker, called)
		if full := myNameIs().FindStringSubmatch(u.text); full != nil && fold(full[1]) != fold(u.speaker) {
			add(known(full[1], names), called)
		}
		break
	}
	return out
}

// mayCall is a quick check for texts that may give another name.
func mayCall(text string) bool {
	return holdsAny(text, " calls ", " call ", "Call ", "'m called ", "is called ", " for short", " short for ", "known as", "nickname", " aka ", "(aka ", "a.k.a", "goes by", " go by", "answers to", `("`)
}

// holdsAny reports whether a text contains one of the parts. It is quicker than an expression that
// matches them all.
func holdsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// known returns the longest name that a text ends with, or nothing.
func known(text string, names []name) string {
	best := ""
	for _, n := range names {
		if strings.HasSuffix(text, n.text) && len(n.text) > len(best) {
			best = n.text
		}
	}
	return best
}

// personBefore returns the only person named before a place in the text, or nothing.
func personBefore(u utterance, names []name, at int) string {
	who := ""
	for _, n := range names {
		if n.label != "" && n.label != "Person" || fold(n.text) == fold(u.speaker) || fold(n.text) == fold(u.listener) || !strings.Contains(u.text[:at], n.text) {
			continue
		}
		if who != "" && !strings.Contains(who, n.text) {
			return ""
		}
		who = n.text
	}
	return who
}

// give adds the aliases to their entities, and drops entities that are only an alias of another
// one.
func give(entities []prompts.ExtractedEntity, all []alias, needed map[string]bool) []prompts.ExtractedEntity {
	for _, a := range all {
		i := slices.IndexFunc(entities, func(e prompts.ExtractedEntity) bool { return fold(e.Name) == fold(a.of) })
		if i < 0 {
			continue
		}
		if !slices.ContainsFunc(entities[i].Aliases, func(s string) bool { return fold(s) == fold(a.called) }) {
			entities[i].Aliases = append(entities[i].Aliases, a.called)
		}
		if entities[i].Label == "" {
			entities[i].Label = "Person"
		}
		entities = slices.DeleteFunc(entities, func(e prompts.ExtractedEntity) bool {
			return fold(e.Name) == fold(a.called) && !needed[fold(e.Name)]
		})
	}
	return entities
}

// byKinship returns the aliases by which somebody's only relative of a kind may be called: "my
// brother" after "my brother Jakob".
func byKinship(claims []claim) (out []alias) {
	for _, cl := range claims {
		called := cl.subject + "'s " + cl.relative
		another := func(o claim) bool {
			return o.subject == cl.subject && o.relative == cl.relative && o.object != cl.object
		}
		if onlyKin[cl.relative] && !cl.ends && !slices.ContainsFunc(claims, another) {
			out = append(out, alias{of: cl.object, called: called})
		}
	}
	return out
}
