package offline

import (
	"strings"
	"unicode"
)

// person describes what a pronoun becomes: the person, the person's possessive, or the person with
// an auxiliary.
type person struct {
	owns      bool
	auxiliary string
	object    bool // no verb agrees with it
}

var firstPerson = map[string]person{
	"i": {}, "we": {},
	"i'm": {auxiliary: "is"}, "im": {auxiliary: "is"}, "we're": {auxiliary: "is"},
	"i've": {auxiliary: "has"}, "ive": {auxiliary: "has"}, "we've": {auxiliary: "has"},
	"i'll": {auxiliary: "will"}, "we'll": {auxiliary: "will"},
	"i'd": {auxiliary: "would"}, "we'd": {auxiliary: "would"},
	"my": {owns: true}, "our": {owns: true}, "mine": {owns: true, object: true}, "ours": {owns: true, object: true},
	"me": {object: true}, "us": {object: true},
}

var secondPerson = map[string]person{
	"you": {}, "ya": {}, "you're": {auxiliary: "is"}, "you've": {auxiliary: "has"}, "you'll": {auxiliary: "will"},
	"you'd": {auxiliary: "would"}, "your": {owns: true}, "yours": {owns: true, object: true},
}

var contractions = map[string]string{
	"isn't": "is not", "aren't": "are not", "wasn't": "was not", "weren't": "were not", "doesn't": "does not",
	"don't": "do not", "didn't": "did not", "hasn't": "has not", "haven't": "have not", "hadn't": "had not",
	"won't": "will not", "can't": "cannot", "couldn't": "could not", "wouldn't": "would not", "shouldn't": "should not",
	"they're": "they are", "they've": "they have", "gonna": "going to", "wanna": "want to", "gotta": "got to",
}

// agreeing maps verb forms after "I", "we" or "you" to those after "Alice".
var agreeing = map[string]string{
	"am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "don't": "does not", "haven't": "has not",
	"aren't": "is not", "ain't": "is not", "weren't": "was not", "dont": "does not", "wanna": "wants to",
}

// sameInPast are verbs whose present and past look alike. In chat they mostly mean the past.
var sameInPast = set(`put read cut hit quit let cost hurt set bet beat spread shut split`)

// rewriter rewrites a clause so that it is clear without knowing who said it to whom.
type rewriter struct {
	speaker, listener string
	out               []string
	last              string // the word before, in lower case
	before            string // the word before, as it was said, in lower case
	agree             bool   // the next verb has the speaker or listener as its subject
	quoted            bool   // within quotation marks
}

// standAlone rewrites a clause as a sentence of its own.
func standAlone(clause string, u utterance) string {
	r := rewriter{speaker: u.speaker, listener: u.listener}
	words := strings.Fields(clause)
	for i, word := range words {
		marks := strings.Count(word, `"`)
		if r.quoted || marks > 0 {
			r.quoted = r.quoted != (marks%2 == 1)
			r.put(word, "", false)
			continue
		}
		core := strings.TrimRight(word, ".,!?;:)…*~")
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		r.word(core, word[len(core):], strings.ToLower(next))
		r.before = strings.ToLower(core)
	}
	said := strings.Join(r.out, " ")
	if about, again := strings.CutPrefix(said, u.speaker+" is "+u.speaker+", "); again && u.speaker != "" && !startsUpper(about) {
		said = u.speaker + " is " + about // "I'm Priya, a nurse"
	}
	return finish(said)
}

func (r *rewriter) put(word, tail string, agree bool) {
	r.out = append(r.out, word+tail)
	r.last = strings.ToLower(word)
	r.agree = agree
}

func (r *rewriter) word(core, tail, next string) {
	lower := strings.ToLower(core)
	who, p, ok := r.pronoun(core, lower)
	switch {
	case ok:
		r.person(who, p, tail)
	case lower == "myself" || lower == "ourselves" || lower == "yourself":
		r.put("themself", tail, false)
	case (r.agree || firstPerson[r.before].auxiliary != "") && (lower == "all" || lower == "both") && next != "of":
		// "We all went": only one person is the subject now.
	case r.agree && (adverbs[lower] || lower == "no" || lower == "longer"):
		r.put(core, tail, true)
	case r.agree && agreeing[lower] != "":
		r.put(agreeing[lower], tail, false)
	case r.agree && baseVerbs[core] && !sameInPast[core] && irregular[core] == "":
		r.put(thirdPerson(core), tail, false)
	case contractions[lower] != "":
		r.put(contractions[lower], tail, false)
	default:
		r.put(uncontracted(core, lower, next), tail, false)
	}
}

// pronoun looks up a word. "US" is a country, and "I" is never written "İ".
func (r *rewriter) pronoun(core, lower string) (who string, p person, ok bool) {
	if p, ok = firstPerson[lower]; ok && core != "US" && core != "IM" {
		return r.speaker, p, r.speaker != ""
	}
	p, ok = secondPerson[lower]
	return r.listener, p, ok && r.listener != ""
}

func (r *rewriter) person(who string, p person, tail string) {
	if p.owns {
		r.put(who+"'s", tail, false)
		return
	}
	// "Bob and I go": the subject is plural, so the verb stays.
	plural := r.last == "and" || r.last == "or"
	auxiliary := p.auxiliary
	if plural && (auxiliary == "is" || auxiliary == "has") {
		auxiliary = map[string]string{"is": "are", "has": "have"}[auxiliary]
	}
	if auxiliary != "" {
		r.put(who+" "+auxiliary, tail, false)
		return
	}
	// After a preposition "you" is no subject: no verb agrees with it.
	r.put(who, tail, !p.object && !plural && !prepositions[r.last])
}

// hasParticiples are participles by which "she's" means "she has".
var hasParticiples = set(`been got had gone done taken made become moved started joined lived worked lost found bought`)

// uncontracted writes out "she's". The 's of a name may be a possessive and stays.
func uncontracted(core, lower, next string) string {
	base, ok := strings.CutSuffix(lower, "'s")
	if !ok || !clitics[base] {
		return core
	}
	if hasParticiples[strings.Trim(next, ".,!")] {
		return core[:len(base)] + " has"
	}
	return core[:len(base)] + " is"
}

var clitics = set(`he she it that there who what here where`)

// finish turns a clause into a sentence, with a capital, a full stop, and no pictograms at the end.
func finish(clause string) string {
	clause = strings.TrimRightFunc(clause, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`")%'.+`, r)
	})
	clause = strings.TrimRight(clause, ". ")
	if clause == "" {
		return ""
	}
	return upperFirst(clause) + "."
}
