package offline

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// utterance is what one speaker says without interruption.
type utterance struct {
	speaker, listener string // empty: none in particular
	text              string
	at                time.Time
}

// speakerPrefix matches the start of a transcript line: up to four capitalised words and a colon.
var speakerPrefix = pattern.New(`^[ \t]*(\p{Lu}[\p{L}\p{N}'.-]*(?: \p{Lu}[\p{L}\p{N}'.-]*){0,3}):[ \t]+`)

// announcements are words before a colon that name no speaker.
var announcements = set(`note warning subject from to date re fwd ps p.s summary update edit tip question answer q a todo
	example important reminder title name source cc bcc attachment attachments location time when where what result results
	error info address phone email tldr http https fact conclusion introduction background`)

// utterances splits an episode by speaker. If the episode names none, lines that begin with "Name:"
// do.
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

// readable returns the part of a content that is read, with plain quotation marks and line ends.
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

// spokenLine returns the speaker of a transcript line, or "" for any other line.
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

// isTranscript reports whether a text consists mostly of lines with a speaker.
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

// transcript reads a text line by line. A line without a speaker continues the utterance before it.
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

// otherSpeaker returns the last earlier speaker who is not the present one.
func otherSpeaker(e prompts.Episode) string {
	for i := len(e.Previous) - 1; i >= 0; i-- {
		if s := e.Previous[i].Speaker; s != "" && s != e.Speaker {
			return s
		}
	}
	return ""
}

var (
	// A question tag after a statement: "you like it, don't you?".
	tag = pattern.New(`(?i)[,\s]\s*(?:(?:do|does|did|is|are|was|were|have|has|had|wo|ca|could|would|should|ai)n'?t|(?:do|does|did|is|are|was|were|have|has|had) not) (?:i|you|he|she|it|we|they|\p{L}+)\s*[?.!]*$`)

	// The start of a question without a question mark.
	asks = pattern.New(`(?i)^(?:why|what|how|when|where|who|which|whether|if|is|are|do|does|did|have|has|was|were|can|could|would|will|should|i know|but|and)\b`)

	vocativeEnd = pattern.New(`,? (\p{Lu}[\p{L}'-]+)[.!…]*$`)
)

// withoutTag removes a question tag from a statement. "Do you?" after a denial remains a question.
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

// isListener reports whether a name is the listener's, or a short form of it.
func (u utterance) isListener(name string) bool {
	return u.listener != "" && fold(name) != fold(u.speaker) && (fold(name) == fold(u.listener) || shortFor(name, u.listener))
}

// withoutVocative removes the listener's name from the end of a clause: "I live in Leeds, Joanna".
func (u utterance) withoutVocative(clause string) string {
	m := vocativeEnd().FindStringSubmatchIndex(clause)
	if m == nil || clause[m[0]] != ',' || !u.isListener(clause[m[2]:m[3]]) {
		return clause
	}
	return clause[:m[0]]
}

// nameListener replaces a short name of the listener by the full one. The short name becomes an
// alias: "Hey Jo" means Joanna.
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
