package graph

// Kind is a kind of search result or row.
type Kind string

// The kinds.
const (
	KindEpisode   Kind = "episode"
	KindEntity    Kind = "entity"
	KindFact      Kind = "fact"
	KindCommunity Kind = "community"

	// KindObservation is a pattern that several facts show. It is searched by its
	// words only, and has neither postings nor vectors.
	KindObservation Kind = "observation"

	// KindThread is a conversation. It has no row; it is found by its episodes.
	KindThread Kind = "thread"

	// KindSkill is a procedure for a task. It can be marked, and has lists of its
	// own.
	KindSkill Kind = "skill"
)

// EpisodeRole is the relation of an episode to a fact.
type EpisodeRole string

// The roles.
const (
	RoleStates EpisodeRole = "states" // the episode states the fact
	RoleEnds   EpisodeRole = "ends"   // the episode ended the fact

	// RoleCorrected marks an episode that stated the fact before a person
	// corrected its sentence.
	RoleCorrected EpisodeRole = "corrected"
)
