package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

var (
	// What asks for assent after a statement: "you like it, don't you?".
	tag = pattern.New(`(?i)[,\s]\s*(?:(?:do|does|did|is|are|was|were|have|has|had|wo|ca|could|would|should|ai)n'?t|(?:do|does|did|is|are|was|were|have|has|had) not) (?:i|you|he|she|it|we|they|\p{L}+)\s*[?.!]*$`)

	// What asks without a word of its own.
	asks = pattern.New(`(?i)^(?:why|what|how|when|where|who|which|whether|if|is|are|do|does|did|have|has|was|were|can|could|would|will|should|i know|but|and)\b`)

	vocativeEnd = pattern.New(`,? (\p{Lu}[\p{L}'-]+)[.!…]*$`)
)

// withoutTag drops the question at the end of a statement. What is asked with
// "do you?" after a denial stays a question.
func withoutTag(sentence string) string {
	at := tag().FindStringIndex(sentence)
	if at == nil || asks().MatchString(sentence) {
		return sentence
	}
	words := strings.Fields(strings.Trim(sentence[at[0]:], " ,.!?"))
	said := strings.TrimRight(sentence[:at[0]], " ,")
	who := words[len(words)-1]
	if !pronounSubject[strings.ToLower(who)] || !strings.Contains(said, " ") {
		return sentence
	}
	return said + "."
}

var pronounSubject = set(`i you he she it we they`)

// isListener reports whether a name is what the one spoken to is called.
func (u utterance) isListener(name string) bool {
	return u.listener != "" && fold(name) != fold(u.speaker) && (fold(name) == fold(u.listener) || shortFor(name, u.listener))
}

// withoutVocative drops the name of the one spoken to at the end of a clause:
// "I live in Leeds, Joanna".
func (u utterance) withoutVocative(clause string) string {
	m := vocativeEnd().FindStringSubmatchIndex(clause)
	if m == nil || clause[m[0]] != ',' || !u.isListener(clause[m[2]:m[3]]) {
		return clause
	}
	return clause[:m[0]]
}

// nameListener puts the name of the one spoken to in place of what else they are
// called, which is an alias of theirs: "Hey Jo" is Joanna, and nobody else.
func (s *said) nameListener(u utterance) {
	for i, n := range s.names {
		if !n.spokenTo || fold(n.text) == fold(u.listener) || strings.Contains(n.text, " ") || !u.isListener(n.text) {
			continue
		}
		s.aliases = append(s.aliases, alias{of: u.listener, called: n.text})
		s.names[i].text = u.listener
		for k := range s.claims {
			if cl := &s.claims[k]; cl.subject == n.text {
				cl.subject = u.listener
			} else if cl.object == n.text {
				cl.object = u.listener
			}
		}
	}
}
