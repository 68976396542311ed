package prompts

// ExtractEntities asks whom and what an episode speaks of.
type ExtractEntities struct {
	Episode Episode `json:"episode"`
}

// ExtractedEntities is the answer. The speaker, where there is one, comes first.
type ExtractedEntities struct {
	Entities []ExtractedEntity `json:"entities"`
}

// ExtractedEntity is a name the episode holds and the kind of thing it names.
type ExtractedEntity struct {
	Name  string `json:"name"`  // full and explicit
	Label string `json:"label"` // Person, Place, Organization …; empty: unknown
}
