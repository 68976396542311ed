package prompts

import (
	"time"

	"github.com/annalsdb/annals/temporal"
)

// ResolveFacts asks, for all new facts of an episode at once, which known
// facts say the same and which can no longer hold beside them.
type ResolveFacts struct {
	Episode  Episode          `json:"episode"`
	Facts    []UnresolvedFact `json:"facts"`
	Existing []KnownFact      `json:"existing"`
	// TakesBack: the episode takes something back. Which of Existing that is may
	// be answered with an ID of 0, where no new fact does it.
	TakesBack bool `json:"takes_back"`
}

// KnownFact is a statement already in the graph. It may relate several pairs
// of entities.
type KnownFact struct {
	ID    int               `json:"id"` // counted through Existing, then through Facts
	Pairs []Pair            `json:"pairs"`
	Fact  string            `json:"fact"`
	Kind  string            `json:"kind"` // State or Event
	Valid temporal.Validity `json:"-"`    // of an unresolved fact only what its words say
	Said  time.Time         `json:"said"` // when it was said
}

// Pair is a relation between two entities.
type Pair struct {
	Source    string `json:"source"`
	Predicate string `json:"predicate"`
	Target    string `json:"target"`
}

// UnresolvedFact is a new fact and the ones it may repeat or contradict: known
// ones, and new ones that stand before it.
type UnresolvedFact struct {
	KnownFact
	Ends     bool  `json:"ends"`      // it says that something stopped holding
	SamePair []int `json:"same_pair"` // ids of facts between the same two entities: may be duplicates
	Rivals   []int `json:"rivals"`    // ids of other facts that share an end: may be contradicted or taken back
}

// ResolvedFacts is the answer. A fact without a resolution is new and
// contradicts nothing.
type ResolvedFacts struct {
	Resolutions []FactResolution `json:"resolutions"`
}

// FactResolution says how a new fact stands to the known ones.
type FactResolution struct {
	Reason      string `json:"reason"`
	ID          int    `json:"id"`           // of the unresolved fact; 0: the episode takes back without stating anything
	DuplicateOf int    `json:"duplicate_of"` // id of the fact that says the same; 0: none
	Contradicts []int  `json:"contradicts"`  // ids of facts that cannot hold beside it
	Retracts    []int  `json:"retracts"`     // ids of facts that it takes back: they never held
}

// Prompt puts the question into words.
func (q ResolveFacts) Prompt() Prompt {
	return Prompt{Name: "resolve_facts", Version: 1, System: resolveFactsSystem, User: fill(resolveFactsUser, q)}
}

const resolveFactsSystem = `You compare new facts with known ones. For each new fact you say which fact it repeats and which facts cannot be true beside it.

Rules:
- One resolution for each fact in <new>. id is its number.
- duplicate_of: the number of one fact that says the same, in whatever words. Only a number after "may repeat". 0 if none does.
- No duplicate: another number, amount, place or detail that matters; the same event at another time; a state that ended and began again.
- Still a duplicate: the same state told again in other words, or now told with its end.
- contradicts: the numbers of all facts that cannot hold at the same time as the new one. Only numbers after "may contradict". [] if there are none.
- Relations with one value at a time contradict when the value differs: lives in, works at, is married to, has the status, is aged, is called.
- Relations with many values do not: likes, knows, visited, owns, speaks, has a friend.
- A fact that says that something stopped contradicts the fact that it stops. It is no duplicate of it.
- A fact and its denial contradict: eats meat, does not eat meat.
- It does not matter which began first. But a fact that ended before the other began does not contradict it.
- In doubt: 0 and [].
- reason: one short sentence. It comes first.
` + dataRule + `
Example 1
<existing>
1: Eva LIVES_IN Graz: Eva lives in Graz. (began Monday 2020-06-01T00:00:00Z)
2: Eva LIKES Graz: Eva loves Graz. (no dates)
3: Eva VISITED Lyon: Eva was in Lyon for a weekend. (began Saturday 2023-04-01T00:00:00Z)
</existing>
<new>
4: Eva LIVES_IN Lyon: Eva moved to Lyon. (began Wednesday 2024-05-01T00:00:00Z)
   may repeat: 3; may contradict: 1, 2, 3
5: Eva ENJOYS Graz: Eva likes the city of Graz a lot. (no dates)
   may repeat: 1, 2; may contradict: 1, 2
</new>
Answer:
{"resolutions":[{"reason":"One home at a time.","id":4,"duplicate_of":0,"contradicts":[1]},{"reason":"Liking it is known.","id":5,"duplicate_of":2,"contradicts":[]}]}

Example 2
<existing>
1: Tom WORKS_AT Initech: Tom is a cook at Initech. (began Tuesday 2019-01-01T00:00:00Z)
2: Tom RAN_IN Graz: Tom ran a marathon in Graz. (began Sunday 2022-10-09T00:00:00Z)
</existing>
<new>
3: Tom NO_LONGER_WORKS_AT Initech: Tom left Initech. (began Friday 2024-03-01T00:00:00Z) It says that something stopped.
   may repeat: 1; may contradict: 1
4: Tom RAN_IN Graz: Tom ran a marathon in Graz. (began Sunday 2023-10-08T00:00:00Z)
   may repeat: 2; may contradict: 2
</new>
Answer:
{"resolutions":[{"reason":"It stops his job.","id":3,"duplicate_of":0,"contradicts":[1]},{"reason":"Another marathon, a year later.","id":4,"duplicate_of":0,"contradicts":[]}]}
`

var resolveFactsUser = userText(`
{{- define "fact" -}}
{{.ID}}: {{line .Source}} {{line .Predicate}} {{line .Target}}: {{line .Fact}} ({{period .ValidAt .InvalidAt}})
{{- end -}}
{{- template "instructions" .Episode -}}
{{- template "episode" .Episode}}

{{if .Existing -}}
The known facts:
<existing>
{{- range .Existing}}
{{template "fact" .}}
{{- end}}
</existing>

{{end -}}
The new facts:
<new>
{{- range .Facts}}
{{template "fact" .}}{{if .Ends}} It says that something stopped.{{end}}
   may repeat: {{ids .SamePair}}; may contradict: {{ids .SamePair .Rivals}}
{{- end}}
</new>

Resolve each of the new facts as JSON.`)
