package offline

import (
	"regexp"
	"strings"
	"time"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

const (
	maxEntities  = 12      // of one utterance
	maxSentences = 400     // of one episode; what comes after is kept but not read
	maxRead      = 1 << 16 // bytes of one episode that are read
)

// reading is what the rules make of an episode.
type reading struct {
	speakers []string
	names    []name
	claims   []claim
}

// name is somebody or something that is named.
type name struct {
	text  string
	label string // empty: the rules cannot tell
}

// claim is a statement between two ends.
type claim struct {
	subject, object string
	objectLabel     string
	predicate       string
	sentence        string // that stands on its own
	rule            string // what it was recognised by
	from, until     *time.Time
	ends            bool
}

// utterance is what one speaker says at a stretch.
type utterance struct {
	speaker, listener string
	text              string
	at                time.Time
}

// read applies the rules to an episode.
func read(e prompts.Episode) reading {
	if e.Source == string(graph.SourceJSON) {
		return readJSON(e)
	}
	var r reading
	for _, u := range utterances(e) {
		if u.speaker != "" {
			r.speakers = append(r.speakers, u.speaker)
		}
		found := findNames(u)
		r.names = append(r.names, found...)
		for _, sentence := range split(u.text) {
			r.claims = append(r.claims, readSentence(u, sentence, found)...)
		}
	}
	return r
}

// entities lists everything once: speakers, then names, then things.
func (r reading) entities() []prompts.ExtractedEntity {
	var out []prompts.ExtractedEntity
	seen := map[string]int{}
	add := func(text, label string) {
		key := fold(text)
		if i, ok := seen[key]; ok {
			if out[i].Label == "" {
				out[i].Label = label
			}
			return
		}
		if key != "" {
			seen[key] = len(out)
			out = append(out, prompts.ExtractedEntity{Name: text, Label: label})
		}
	}
	for _, speaker := range r.speakers {
		add(speaker, "Person")
	}
	for _, n := range r.names[:min(len(r.names), maxEntities)] {
		add(n.text, n.label)
	}
	for _, c := range r.claims {
		add(c.subject, "")
		add(c.object, c.objectLabel)
	}
	return out
}

// A line of a transcript: up to four capitalised words and a colon.
var speakerPrefix = regexp.MustCompile(`^\s*(\p{Lu}[\p{L}\p{N}'.-]*(?: \p{Lu}[\p{L}\p{N}'.-]*){0,3}):\s+`)

// utterances tells who says what. Where the episode names no speaker, lines
// that begin with "Name:" do.
func utterances(e prompts.Episode) []utterance {
	text := strings.ToValidUTF8(e.Content[:min(len(e.Content), maxRead)], " ")
	listener := otherSpeaker(e)
	if e.Speaker != "" {
		if m := speakerPrefix.FindStringSubmatch(text); m != nil && fold(m[1]) == fold(e.Speaker) {
			text = text[len(m[0]):]
		}
		return []utterance{{speaker: e.Speaker, listener: listener, text: text, at: e.OccurredAt}}
	}
	var out []utterance
	for line := range strings.Lines(text) {
		m := speakerPrefix.FindStringSubmatch(line)
		switch {
		case m != nil && e.Source == string(graph.SourceMessage):
			if n := len(out); n > 0 && out[n-1].speaker != m[1] {
				listener = out[n-1].speaker
			}
			out = append(out, utterance{speaker: m[1], listener: listener, text: line[len(m[0]):], at: e.OccurredAt})
		case len(out) > 0:
			out[len(out)-1].text += line
		default:
			out = append(out, utterance{listener: listener, text: line, at: e.OccurredAt})
		}
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

// A clause with a subject of its own is read by itself.
var clauseBreak = regexp.MustCompile(`(?i)\s*(?:(?:;|—|,\s*(?:so|but|because))\s+(\w)|(?:,\s*(?:and|then)|\s(?:but|and|so|because))\s+((?:I|I'm|I've|we|we're|we've|he|she|they|my|our)\b))`)

// What is put in brackets describes, such as a picture, and is not said.
var aside = regexp.MustCompile(`\[[^\]\n]*\]`)

// A stop that ends no sentence.
var abbreviated = regexp.MustCompile(`\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|e\.g|i\.e)\.\s*$`)

// split cuts a text into sentences and those into clauses.
func split(text string) []string {
	text = aside.ReplaceAllString(text, "")
	text = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`).Replace(text)
	var out []string
	for line := range strings.Lines(text) {
		whole := ""
		for segments := sentences.FromString(line); segments.Next() && len(out) < maxSentences; {
			whole += segments.Value()
			if !abbreviated.MatchString(whole) {
				out = append(out, clauses(strings.TrimSpace(whole))...)
				whole = ""
			}
		}
		out = append(out, clauses(strings.TrimSpace(whole))...)
	}
	return out
}

func clauses(sentence string) []string {
	if sentence == "" || strings.HasSuffix(sentence, "?") {
		return nil
	}
	var out []string
	for {
		m := clauseBreak.FindStringSubmatchIndex(sentence)
		if m == nil || m[0] == 0 {
			return append(out, sentence)
		}
		out = append(out, sentence[:m[0]])
		sentence = sentence[max(m[2], m[4]):]
	}
}
