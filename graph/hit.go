package graph

// The hits of a search: the JSON form of the row with its score and group.
type (
	// FactHitJSON is a fact that a search found.
	FactHitJSON struct {
		FactJSON
		GroupID string `json:"group_id"`
	}

	// EntityHitJSON is an entity that a search found.
	EntityHitJSON struct {
		EntityJSON
		GroupID string `json:"group_id"`
	}

	// EpisodeHitJSON is an episode that a search found.
	EpisodeHitJSON struct {
		EpisodeJSON
		GroupID string `json:"group_id"`
		Passage bool   `json:"passage,omitempty" doc:"The content is long, and this is the passage of it that fits the question; the episode itself has all of it"`
	}

	// CommunityHitJSON is a community that a search found.
	CommunityHitJSON struct {
		CommunityJSON
		GroupID string `json:"group_id"`
	}
)
