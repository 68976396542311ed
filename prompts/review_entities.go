package prompts

// ReviewEntities asks for a second look at the extracted entities, for those that were missed or
// invented. This is reflexion (Shinn et al., arXiv 2303.11366), as Zep uses it (arXiv 2501.13956,
// §2.2.1).
type ReviewEntities struct {
	ExtractEntities
	Entities []NamedEntity `json:"entities"` // found so far
}

// ReviewedEntities is the answer.
type ReviewedEntities struct {
	Reason   string            `json:"reason"`
	Missed   []ExtractedEntity `json:"missed"`
	Invented []int             `json:"invented"` // ids of extracted entities that the episode does not mention
}

// Prompt renders the prompt.
func (q ReviewEntities) Prompt() Prompt {
	return Prompt{Name: "review_entities", Version: 4, System: reviewEntitiesSystem, User: fill(reviewEntitiesUser, q)}
}

const reviewEntitiesSystem = `You check a list of entities: the people and things that a text speaks of. Somebody else made the list. You say what is missing and what is wrong.

Rules:
- Read the current text again, sentence by sentence. For each person, place, organization, product, event, animal, work, topic and value ("61 kg", "40 members") it speaks of, see whether the list has it, under this or a longer or shorter name.
- missed: what is not in the list. Full names, as in the text. No name given? Name it by whose it is: "Eva's sister".
- invented: ids of entities that the current text does not speak of, neither by name nor by a pronoun, and ids of what is no entity: a date, an action, a feeling, a pronoun. A speaker or author is never invented.
- <known> and <earlier> only tell what "she" or "there" stands for. What only they speak of is not missed.
- Not missed: dates and times, actions, relations, feelings, pronouns, words that name nothing in particular.
- label: the listed type that fits best. If none fits or none is listed: Person, Place, Organization, Product, Event, Animal, Work, Topic or Value. Nothing of the types to leave out.
- aliases: other names of it that the text tells. Else [].
- attributes: only names listed for the type, only values that the text states. Else [].
- messages: the numbers of the messages that mention it. [] if messages have no numbers.
- reason: one short sentence. It comes first.
- Most lists are right: then both are [].
` + dataRule + `
Example 1
<message speaker="Tom" time="Sunday 2024-03-10T18:02:00Z">
I bought the Atlas telescope in Graz yesterday. Eva paid half.
</message>
<entities>
1: Tom (Person)
2: Atlas telescope (Product)
3: yesterday (Event)
4: Initech (Organization)
</entities>
Answer:
{"reason":"Graz and Eva are missing; yesterday is a time, Initech is not in the text.","missed":[{"name":"Graz","label":"Place","aliases":[],"attributes":[],"messages":[]},{"name":"Eva","label":"Person","aliases":[],"attributes":[],"messages":[]}],"invented":[3,4]}

Example 2
<earlier speaker="Eva" time="Sunday 2024-03-10T18:00:00Z">
Is Dr. Chen still at Initech?
</earlier>
<message speaker="Tom" time="Sunday 2024-03-10T18:01:00Z">
Yes, she is.
</message>
<entities>
1: Tom (Person)
2: Dr. Chen (Person)
</entities>
Answer:
{"reason":"She is Dr. Chen; the list is right.","missed":[],"invented":[]}
`

var reviewEntitiesUser = userText(`
{{- template "entity types" . -}}
{{- template "instructions" .Episode -}}
{{- template "episode" .Episode}}

The list to check:
{{template "entities" .Entities}}

Say as JSON what is missed and what is invented.`)
