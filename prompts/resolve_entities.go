package prompts

// ResolveEntities asks which of the named entities are already known.
type ResolveEntities struct {
	Episode  Episode            `json:"episode"`
	Entities []UnresolvedEntity `json:"entities"`
}

// UnresolvedEntity is a name whose owner is not clear from the name alone.
type UnresolvedEntity struct {
	ID         int               `json:"id"`
	Name       string            `json:"name"`
	Label      string            `json:"label"`
	Candidates []EntityCandidate `json:"candidates"`
}

// EntityCandidate is a known entity that the name may mean. ID is its place
// among the candidates of one name, from 1.
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

// EntityResolution says who a name means.
type EntityResolution struct {
	Reason    string `json:"reason"`
	ID        int    `json:"id"`        // of the unresolved entity
	Candidate int    `json:"candidate"` // 0: none of them, it is new
	Name      string `json:"name"`      // the most complete name; empty: keep
}
