package offline

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// utterance is what one speaker says at a stretch.
type utterance struct {
	speaker, listener string // empty: nobody in particular
	text              string
	at                time.Time
}

// A line of a transcript: up to four capitalised words and a colon.
var speakerPrefix = pattern.New(`^[ \t]*(\p{Lu}[\p{L}\p{N}'.-]*(?: \p{Lu}[\p{L}\p{N}'.-]*){0,3}):[ \t]+`)

// Words before a colon that announce something and nobody.
var announcements = set(`note warning subject from to date re fwd ps p.s summary update edit tip question answer q a todo
	example important reminder title name source cc bcc attachment attachments location time when where what result results
	error info address phone email tldr http https fact conclusion introduction background`)

// utterances tells who says what. Where the episode names no speaker, lines
// that begin with "Name:" do.
func utterances(e prompts.Episode) []utterance {
	e.Speaker = strings.TrimSpace(e.Speaker)
	text := readable(e.Content)
	u := utterance{speaker: e.Speaker, listener: otherSpeaker(e), text: text, at: e.OccurredAt}
	if e.Speaker != "" {
		if speaker, rest := spokenLine(text); fold(speaker) == fold(e.Speaker) {
			u.text = rest
		}
		return []utterance{u}
	}
	if e.Source == string(graph.SourceMessage) || isTranscript(text) {
		return transcript(u)
	}
	return []utterance{u}
}

// readable is the part of a content that is read, with one kind of quotation
// marks and line ends.
func readable(content string) string {
	if len(content) > maxRead {
		content = content[:maxRead]
		for !utf8.ValidString(content[len(content)-1:]) && len(content) > maxRead-utf8.UTFMax {
			content = content[:len(content)-1]
		}
	}
	return plainQuotes.Replace(strings.ToValidUTF8(content, " "))
}

var plainQuotes = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "\u00a0", " ", "\r\n", "\n", "\r", "\n")

// spokenLine tells who says a line of a transcript. The speaker of other lines is empty.
func spokenLine(line string) (speaker, rest string) {
	m := speakerPrefix().FindStringSubmatchIndex(line)
	if m == nil {
		return "", line
	}
	if speaker = line[m[2]:m[3]]; announcements[strings.ToLower(speaker)] {
		return "", line
	}
	return speaker, line[m[1]:]
}

// isTranscript reports whether a text consists of lines that somebody says.
func isTranscript(text string) bool {
	spoken, lines := 0, 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		if speaker, _ := spokenLine(line); speaker != "" {
			spoken++
		}
	}
	return spoken > 1 && spoken*2 >= lines
}

// transcript reads a text line by line; a line without a speaker goes on with
// what was said before it.
func transcript(whole utterance) []utterance {
	out := []utterance{{listener: whole.listener, at: whole.at}}
	start, at := 0, 0
	for line := range strings.Lines(whole.text) {
		if speaker, rest := spokenLine(line); speaker != "" {
			last := &out[len(out)-1]
			last.text = whole.text[start:at]
			next := utterance{speaker: speaker, listener: last.listener, at: whole.at}
			if last.speaker != "" && last.speaker != speaker {
				next.listener = last.speaker
			}
			out = append(out, next)
			start = at + len(line) - len(rest)
		}
		at += len(line)
	}
	out[len(out)-1].text = whole.text[start:]
	if strings.TrimSpace(out[0].text) == "" && len(out) > 1 {
		return out[1:]
	}
	return out
}

// otherSpeaker is who was heard last before, other than who speaks now.
func otherSpeaker(e prompts.Episode) string {
	for i := len(e.Previous) - 1; i >= 0; i-- {
		if s := e.Previous[i].Speaker; s != "" && s != e.Speaker {
			return s
		}
	}
	return ""
}

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

// nameListener writes the full name of the listener for a short one, which becomes
// their alias: "Hey Jo" is Joanna.
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
