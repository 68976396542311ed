package prompts

import "time"

// ExtractFacts asks what an episode says holds between the given entities.
type ExtractFacts struct {
	Episode  Episode       `json:"episode"`
	Entities []NamedEntity `json:"entities"`
}

// NamedEntity is an entity a fact may point at.
type NamedEntity struct {
	ID    int    `json:"id"` // from 1
	Name  string `json:"name"`
	Label string `json:"label"`
}

// ExtractedFacts is the answer.
type ExtractedFacts struct {
	Facts []ExtractedFact `json:"facts"`
}

// ExtractedFact is a relation between two different entities.
type ExtractedFact struct {
	Reason    string     `json:"reason"`
	Source    int        `json:"source"`     // id of a NamedEntity
	Target    int        `json:"target"`     // id of another
	Predicate string     `json:"predicate"`  // in capitals: WORKS_AT
	Fact      string     `json:"fact"`       // one sentence that stands on its own
	ValidAt   *time.Time `json:"valid_at"`   // when it began; null: not said
	InvalidAt *time.Time `json:"invalid_at"` // when it ended; null: it has not, or not said
	Ends      bool       `json:"ends"`       // it says that something stopped holding
}
