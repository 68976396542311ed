package graph

// What a search found is written as what it is, with its score and its group.
type (
	// FactHitJSON is a fact that was found.
	FactHitJSON struct {
		FactJSON
		GroupID string `json:"group_id"`
	}

	// EntityHitJSON is an entity that was found.
	EntityHitJSON struct {
		EntityJSON
		GroupID string `json:"group_id"`
	}

	// EpisodeHitJSON is an episode that was found.
	EpisodeHitJSON struct {
		EpisodeJSON
		GroupID string `json:"group_id"`
		Passage bool   `json:"passage,omitempty" doc:"The content is long, and this is the passage of it that fits the question; the episode itself has all of it"`
	}

	// CommunityHitJSON is a community that was found.
	CommunityHitJSON struct {
		CommunityJSON
		GroupID string `json:"group_id"`
	}
)
