package graph

// Kind is a sort of row that can be searched for.
type Kind string

// The kinds.
const (
	KindEpisode   Kind = "episode"
	KindEntity    Kind = "entity"
	KindFact      Kind = "fact"
	KindCommunity Kind = "community"

	// KindObservation is what several facts together show. Its words are all that is
	// searched: it has neither postings nor vectors.
	KindObservation Kind = "observation"

	// KindThread is a conversation: it has no row, and is found by those of its
	// episodes.
	KindThread Kind = "thread"

	// KindSkill is how a task is done. It can be marked, and is listed apart.
	KindSkill Kind = "skill"
)

// EpisodeRole is how an episode is tied to a fact.
type EpisodeRole string

// The roles.
const (
	RoleStates EpisodeRole = "states" // it says the fact
	RoleEnds   EpisodeRole = "ends"   // the fact stopped holding by it

	// RoleCorrected is what said the fact before a person corrected its sentence.
	RoleCorrected EpisodeRole = "corrected"
)
