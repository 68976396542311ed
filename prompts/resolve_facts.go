package prompts

import (
	"time"

	"github.com/annalsdb/annals/temporal"
)

// ResolveFacts asks, for all new facts of an episode at once, which known facts they repeat and
// which cannot hold beside them.
type ResolveFacts struct {
	Episode  Episode          `json:"episode"`
	Facts    []UnresolvedFact `json:"facts"`
	Existing []KnownFact      `json:"existing"`
	Rejected []RejectedFact   `json:"rejected"`
	// TakesBack: the episode retracts something. If no new fact does so, the answer may name the
	// retracted facts of Existing under the ID 0.
	TakesBack bool `json:"takes_back"`
}

// KnownFact is a statement in the graph. It may relate several pairs of entities.
type KnownFact struct {
	ID    int               `json:"id"` // counted through Existing, then through Facts
	Pairs []Pair            `json:"pairs"`
	Fact  string            `json:"fact"`
	Kind  string            `json:"kind"` // State or Event
	Valid temporal.Validity `json:"-"`    // of an unresolved fact: only what its words say
	Said  time.Time         `json:"said"` // when it was said
}

// Pair is a relation between two entities.
type Pair struct {
	Source    string `json:"source"`
	Predicate string `json:"predicate"`
	Target    string `json:"target"`
}

// RejectedFact is a statement that was withdrawn or retracted: it never held.
type RejectedFact struct {
	ID   int    `json:"id"` // counted on after Facts
	Fact string `json:"fact"`
}

// datedFact is a fact with its time in words, as of the reading of the episode.
type datedFact struct {
	KnownFact
	When string
}

func dated(f KnownFact, reading time.Time) datedFact {
	switch {
	case f.Valid == (temporal.Validity{}):
		return datedFact{f, "no date"}
	case f.Kind == Event:
		return datedFact{f, f.Valid.PhraseOfEvent(reading)}
	}
	return datedFact{f, f.Valid.Phrase(reading)}
}

// UnresolvedFact is a new fact with the facts that it may repeat or contradict: known ones, and
// earlier new ones.
type UnresolvedFact struct {
	KnownFact
	Ends     bool  `json:"ends"`      // a state stopped holding
	SamePair []int `json:"same_pair"` // ids of facts between the same two entities, which it may repeat
	Rivals   []int `json:"rivals"`    // ids of other facts that share an end, which it may contradict or retract
	Rejected []int `json:"rejected"`  // ids of rejected facts between the same two entities, which it may repeat
}

// ResolvedFacts is the answer. A fact without a resolution is new and
// contradicts nothing.
type ResolvedFacts struct {
	Resolutions []FactResolution `json:"resolutions"`
}

// FactResolution relates a new fact to known ones.
type FactResolution struct {
	Reason      string `json:"reason"`
	ID          int    `json:"id"`           // of the unresolved fact; 0: the episode retracts something without stating a fact
	DuplicateOf int    `json:"duplicate_of"` // id of the known or rejected fact that it repeats; 0: none
	Contradicts []int  `json:"contradicts"`  // ids of facts that cannot hold beside it
	Retracts    []int  `json:"retracts"`     // ids of facts that it retracts: they never held
}

// Prompt renders the prompt.
func (q ResolveFacts) Prompt() Prompt {
	q.Episode.Known = nil // facts that matter here are among the existing ones
	if !q.TakesBack {
		q.Episode.Previous = nil // each fact is clear on its own
	}
	return Prompt{Name: "resolve_facts", Version: 4, System: resolveFactsSystem, User: fill(resolveFactsUser, q)}
}

const resolveFactsSystem = `You compare new facts with known ones. For each new fact you say which fact it repeats, which facts cannot be true beside it, and which it takes back.

Rules:
- One resolution for each fact in <new>. id is its number.
- duplicate_of: the number of one fact that says the same, in whatever words. Only a number after "may repeat". 0 if none does.
- No duplicate: another number, place or detail that matters; the same event at another time; a state that ended and began again. Still a duplicate: the same state in other words, or now with its beginning or end.
- contradicts: the numbers of all facts that cannot hold at the same time as the new one. Only numbers after "may contradict". Else [].
- Relations with one value at a time contradict when the value differs: lives in, works at, is married to, is called, weighs, has so many members. Relations with many values do not: likes, knows, visited, owns.
- That something stopped contradicts that it goes on. So do a fact and its denial: likes, hates.
- It does not matter which began first, nor who tells it. But a fact that ended before the other began does not contradict it.
- retracts: the numbers of facts that the text takes back: never true ("I meant my sister", "it is 68, not 71"), a plan that is off or has another date. Not what was true and ended. Else []. If no new fact says it, add a resolution with id 0.
- In doubt: 0 and [].
- reason: one short sentence. It comes first.
` + dataRule + `
Example 1
<existing>
1: Eva WEIGHS 64 kg: Eva weighs 64 kg. (known since 2 May 2023)
2: Eva LIKES Graz: Eva loves Graz. (known since 3 March 2023)
</existing>
<new>
3: Eva WEIGHS 61 kg: Eva is down to 61 kg. (no date)
   may repeat: none; may contradict: 1
4: Eva ENJOYS Graz: Eva likes the city of Graz a lot. (no date)
   may repeat: 2; may contradict: 2
</new>
Answer:
{"resolutions":[{"reason":"One weight at a time.","id":3,"duplicate_of":0,"contradicts":[1],"retracts":[]},{"reason":"Liking it is known.","id":4,"duplicate_of":2,"contradicts":[],"retracts":[]}]}

Example 2
<existing>
1: Tom RAN_IN Graz; Bo RAN_IN Graz: Tom and Bo ran a marathon in Graz. (on 9 October 2022)
2: Tom ALLERGIC_TO nuts: Tom is allergic to nuts. (known since 1 March 2024)
</existing>
<new>
3: Tom RAN_IN Graz: Tom ran a marathon in Graz. (on 8 October 2023)
   may repeat: 1; may contradict: 1
4: Bo ALLERGIC_TO nuts: Bo is allergic to nuts, not Tom. (no date)
   may repeat: none; may contradict: 2
</new>
Answer:
{"resolutions":[{"reason":"Another marathon, a year later.","id":3,"duplicate_of":0,"contradicts":[],"retracts":[]},{"reason":"It was said of the wrong one.","id":4,"duplicate_of":0,"contradicts":[],"retracts":[2]}]}
`

var resolveFactsUser = userText(`
{{- define "known" -}}
{{.ID}}: {{range $i, $p := .Pairs}}{{if $i}}; {{end}}{{line .Source}} {{line .Predicate}} {{line .Target}}{{end}}: {{line .Fact}} ({{.When}})
{{- end -}}
{{- template "instructions" .Episode -}}
{{- template "episode" .Episode}}

{{if .Existing -}}
The known facts:
<existing>
{{- range .Existing}}
{{template "known" (dated . $.Episode.Reading)}}
{{- end}}
</existing>

{{end -}}
{{if .Rejected -}}
These facts were withdrawn: they are wrong, even if the text says them again. A new fact that says the same as one of them, in whatever words, is its duplicate; its denial or its end is not.
<rejected>
{{- range .Rejected}}
{{.ID}}: {{line .Fact}}
{{- end}}
</rejected>

{{end -}}
{{if .TakesBack -}}
The current text takes something back, or calls it off.

{{end -}}
The new facts:
<new>
{{- range .Facts}}
{{template "known" (dated .KnownFact ($.Episode.ReadingOf .KnownFact))}}{{if .Ends}} It says that something stopped.{{end}}
   may repeat: {{ids .SamePair .Rejected}}; may contradict: {{ids .SamePair .Rivals}}
{{- end}}
</new>

Resolve each of the new facts as JSON.`)
