package prompts

// ResolveEntities asks which of the named entities are already known.
type ResolveEntities struct {
	Episode  Episode            `json:"episode"`
	Entities []UnresolvedEntity `json:"entities"`
}

// UnresolvedEntity is a name that does not identify an entity by itself.
type UnresolvedEntity struct {
	ID         int               `json:"id"`
	Name       string            `json:"name"`
	Label      string            `json:"label"`
	Candidates []EntityCandidate `json:"candidates"`
}

// EntityCandidate is a known entity that the name may mean. ID is its place among the candidates of
// the name, from 1.
type EntityCandidate struct {
	ID      int      `json:"id"`
	Name    string   `json:"name"`
	Aliases []string `json:"aliases"`
	Labels  []string `json:"labels"`
	Summary string   `json:"summary"`
}

// ResolvedEntities is the answer. A name without a resolution is a new entity.
type ResolvedEntities struct {
	Resolutions []EntityResolution `json:"resolutions"`
}

// EntityResolution says which entity a name means.
type EntityResolution struct {
	Reason    string `json:"reason"`
	ID        int    `json:"id"`        // of the unresolved entity
	Candidate int    `json:"candidate"` // 0: none; the entity is new
	Name      string `json:"name"`      // the more complete name; empty: unchanged
}

// Prompt renders the prompt.
func (q ResolveEntities) Prompt() Prompt {
	q.Episode.Known = nil // the summaries of the candidates say more
	return Prompt{Name: "resolve_entities", Version: 2, System: resolveEntitiesSystem, User: fill(resolveEntitiesUser, q)}
}

const resolveEntitiesSystem = `You decide whether names in a text mean somebody or something that is already known.

Each <entity> is a name from the text. The numbered lines in it are known candidates.

Rules:
- One resolution for each entity. id is the number of the entity.
- candidate: the number of the line that is the very same person or thing in the world. 0 if none is.
- The same thing can go by other names: a short form, a nickname, initials, another spelling or script, a title, a married name.
- Related is not the same: a person and their company, a city and its university, a product and its next model, a father and his son.
- Similar is not the same. Another surname, number, year, version, place or kind means another thing.
- Use the text and the summaries to decide. If two candidates fit equally well, or you are not sure: 0. A wrong match does more harm than a missed one.
- name: the most complete name of the two. "" if candidate is 0.
- reason: one short sentence. It comes first.
` + dataRule + `
Example 1
<message speaker="Tom" time="Sunday 2024-03-10T18:02:00Z">
Liz and I saw the Atlas 3 at Initech. Sam came too.
</message>
<entity number="1" name="Liz" type="Person">
1: Elizabeth Roy (Person; also called: Lizzie). Friend of Tom.
2: Lisa Roy (Person). Sister of Elizabeth Roy.
</entity>
<entity number="2" name="Atlas 3" type="Product">
1: Atlas 2 (Product). A telescope by Initech.
</entity>
<entity number="3" name="Sam" type="Person">
1: Sam Okoro (Person). Friend of Tom.
2: Sam Vogt (Person). Friend of Tom.
</entity>
Answer:
{"resolutions":[{"reason":"Liz is short for Elizabeth, Tom's friend.","id":1,"candidate":1,"name":"Elizabeth Roy"},{"reason":"Another model number.","id":2,"candidate":0,"name":""},{"reason":"Either Sam may be meant.","id":3,"candidate":0,"name":""}]}

Example 2
<message speaker="Eva" time="Monday 2024-03-11T09:00:00Z">
Dr. Lin Chen of the University of Graz called.
</message>
<entity number="1" name="Lin Chen" type="Person">
1: Dr. Chen (Person). Works at the University of Graz.
</entity>
<entity number="2" name="University of Graz" type="Organization">
1: Graz (Place). City in Austria.
</entity>
Answer:
{"resolutions":[{"reason":"Same title, surname and university.","id":1,"candidate":1,"name":"Lin Chen"},{"reason":"A university is not its city.","id":2,"candidate":0,"name":""}]}
`

var resolveEntitiesUser = userText(`
{{- template "instructions" .Episode -}}
{{- template "episode" .Episode}}

The names and their candidates:
{{- range .Entities}}
{{open "entity" "number" (number .ID) "name" .Name "type" .Label}}
{{- range .Candidates}}
{{.ID}}: {{line .Name}}
{{- if or .Labels .Aliases}} ({{line (list .Labels)}}
	{{- if and .Labels .Aliases}}; {{end}}
	{{- if .Aliases}}also called: {{line (aliases .Aliases)}}{{end}})
{{- end}}.
{{- with .Summary}} {{line (brief .)}}{{end}}
{{- else}}
(no candidates)
{{- end}}
</entity>
{{- end}}

Resolve each of these names as JSON.`)
