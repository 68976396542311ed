package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// person is what a pronoun form becomes: the person, what it owns, or the
// person with an auxiliary.
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

// What a verb becomes after "Alice" that was right after "I", "we" or "you".
var agreeing = map[string]string{
	"am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "don't": "does not", "haven't": "has not",
	"aren't": "is not", "ain't": "is not", "weren't": "was not", "dont": "does not", "wanna": "wants to",
}

// Verbs whose present and past look alike; in chat they are mostly the past.
var sameInPast = set(`put read cut hit quit let cost hurt set bet beat spread shut split`)

// rewriter turns the words of a clause into words that mean the same to
// somebody who does not know who said them to whom.
type rewriter struct {
	speaker, listener string
	out               []string
	last              string // the word before, in lower case
	before            string // the word before as it was said, in lower case
	agree             bool   // the next verb is the speaker's or the listener's
	quoted            bool   // somebody else's words
}

// standAlone rewrites a clause into a sentence of its own.
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
	return finish(strings.Join(r.out, " "))
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
		// "We all went": one is left to speak of.
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

// pronoun looks a word up. "US" is a country, "I" is never written "İ".
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
	// "Bob and I go": two go, so the verb stays.
	plural := r.last == "and" || r.last == "or"
	auxiliary := p.auxiliary
	if plural && (auxiliary == "is" || auxiliary == "has") {
		auxiliary = map[string]string{"is": "are", "has": "have"}[auxiliary]
	}
	if auxiliary != "" {
		r.put(who+" "+auxiliary, tail, false)
		return
	}
	// "You" after a verb is spoken of, not speaking: no verb agrees with it.
	r.put(who, tail, !p.object && !plural && !prepositions[r.last])
}

// Participles that tell "she has" from "she is" in "she's".
var hasParticiples = set(`been got had gone done taken made become moved started joined lived worked lost found bought`)

// uncontracted writes "she's" out; a name's 's may own something and stays.
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

// finish makes a sentence of a clause: a capital at its head, a stop at its
// end, no pictograms after it.
func finish(clause string) string {
	clause = strings.TrimRightFunc(clause, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`")%'.+`, r)
	})
	clause = strings.TrimRight(clause, ". ")
	if clause == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(clause)
	return string(unicode.ToUpper(first)) + clause[size:] + "."
}
