package prompts

// SummariseEntities asks for shorter summaries of entities of which more has
// become known than fits.
type SummariseEntities struct {
	Entities []EntityToSummarise `json:"entities"`
}

// EntityToSummarise is an entity, its summary so far and what is new.
type EntityToSummarise struct {
	ID       int      `json:"id"`
	Name     string   `json:"name"`
	Summary  string   `json:"summary"`
	NewFacts []string `json:"new_facts"`
	Limit    int      `json:"limit"` // longest summary allowed, in bytes
}

// EntitySummaries is the answer.
type EntitySummaries struct {
	Summaries []EntitySummary `json:"summaries"`
}

// EntitySummary is the new summary of one entity.
type EntitySummary struct {
	ID      int    `json:"id"`
	Summary string `json:"summary"`
}
