package prompts

import "time"

// ResolveFacts asks, for all new facts of an episode at once, which known
// facts say the same and which can no longer hold beside them.
type ResolveFacts struct {
	Episode  Episode          `json:"episode"`
	Facts    []UnresolvedFact `json:"facts"`
	Existing []KnownFact      `json:"existing"`
}

// KnownFact is a fact already in the graph.
type KnownFact struct {
	ID        int        `json:"id"` // from 1
	Source    string     `json:"source"`
	Target    string     `json:"target"`
	Predicate string     `json:"predicate"`
	Fact      string     `json:"fact"`
	ValidAt   *time.Time `json:"valid_at"`
	InvalidAt *time.Time `json:"invalid_at"`
}

// UnresolvedFact is a new fact and the known ones it may repeat or contradict.
type UnresolvedFact struct {
	KnownFact
	Ends     bool  `json:"ends"`      // it says that something stopped holding
	SamePair []int `json:"same_pair"` // ids of Existing between the same two entities: may be duplicates
	Rivals   []int `json:"rivals"`    // ids of Existing that share an endpoint in the same role: may be contradicted
}

// ResolvedFacts is the answer. A fact without a resolution is new and
// contradicts nothing.
type ResolvedFacts struct {
	Resolutions []FactResolution `json:"resolutions"`
}

// FactResolution says how a new fact stands to the known ones.
type FactResolution struct {
	Reason      string `json:"reason"`
	ID          int    `json:"id"`           // of the unresolved fact
	DuplicateOf int    `json:"duplicate_of"` // id of the known fact that says the same; 0: none
	Contradicts []int  `json:"contradicts"`  // ids of known facts that cannot hold beside it
}
