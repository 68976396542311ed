package db

import (
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// Found holds the rows that a search found, in no order.
type Found struct {
	Facts       []FactRow
	Entities    []EntityRow
	Episodes    []EpisodesFoundRow
	Communities []CommunityRow
}

// Behind holds what became of the rows that were found. Facts are those that have ended or are
// disputed, among the found facts and those that the found episodes state, with the facts that hold
// in their place or contradict them. Tellers are who tells these. Withdrawn are the statements of
// the episodes that are no longer believed, and Ended what the entities no longer are.
type Behind struct {
	Facts     []FactRow
	Tellers   []TellersOfRow
	Withdrawn []WithdrawnOfRow
	Ended     []EndedOfRow
}

// Stale says which kinds of stale rows a group has. Kinds that it does not have are not read.
type Stale struct {
	Closed    bool // facts that have an end
	Doubted   bool // facts that are disputed or not believed yet
	Withdrawn bool // statements that are not believed any more
	Ahead     bool // facts that were to begin later
}

// AnyStale is for a group about which nothing is known: it may have any stale rows.
func AnyStale() Stale { return Stale{true, true, true, true} }

// Behind adds reading what became of the rows with these ids by a time of reading. knownAt reads it
// as it was known; nil: as it is. stale limits it to what the group has.
func (t *Together) Behind(groupID string, knownAt *time.Time, reading time.Time, stale Stale, ids map[graph.Kind][]uuid.UUID, into *Behind) {
	episodes, facts, entities := ids[graph.KindEpisode], ids[graph.KindFact], ids[graph.KindEntity]
	if len(episodes)+len(facts) > 0 && (stale.Closed || stale.Doubted || stale.Withdrawn) {
		if knownAt != nil {
			Ask(t, (*Queries).FactsBehindKnown, FactsBehindKnownParams{GroupID: groupID, EpisodeIds: episodes, FactIds: facts, KnownAt: *knownAt}, &into.Facts)
		} else {
			Ask(t, (*Queries).FactsBehind, FactsBehindParams{GroupID: groupID, EpisodeIds: episodes, FactIds: facts, Reading: reading}, &into.Facts)
		}
	}
	if len(episodes)+len(facts) > 0 && stale.Doubted {
		Ask(t, (*Queries).TellersOf, TellersOfParams{GroupID: groupID, EpisodeIds: episodes, FactIds: facts, KnownAt: knownAt}, &into.Tellers)
	}
	if len(episodes) > 0 && stale.Withdrawn {
		Ask(t, (*Queries).WithdrawnOf, WithdrawnOfParams{GroupID: groupID, EpisodeIds: episodes, KnownAt: knownAt}, &into.Withdrawn)
	}
	if len(entities) > 0 && knownAt == nil && (stale.Closed || stale.Doubted || stale.Ahead) { // past versions of entities have the summaries of their time
		Ask(t, (*Queries).EndedOf, EndedOfParams{GroupID: groupID, Ids: entities, Reading: reading}, &into.Ended)
	}
}

// Rows adds reading the rows with these ids, as they are or as they were known at a time. Of long
// episodes it reads the passages that fit the question.
func (t *Together) Rows(groupID, question string, knownAt *time.Time, ids map[graph.Kind][]uuid.UUID, into *Found) {
	if facts := ids[graph.KindFact]; len(facts) > 0 {
		if knownAt != nil {
			Ask(t, (*Queries).FactsKnownByIDs, FactsKnownByIDsParams{GroupID: groupID, Ids: facts, KnownAt: *knownAt}, &into.Facts)
		} else {
			Ask(t, (*Queries).FactsByIDs, FactsByIDsParams{GroupID: groupID, Ids: facts}, &into.Facts)
		}
	}
	if entities := ids[graph.KindEntity]; len(entities) > 0 {
		if knownAt != nil {
			Ask(t, (*Queries).EntitiesKnownByIDs, EntitiesKnownByIDsParams{GroupID: groupID, Ids: entities, KnownAt: *knownAt}, &into.Entities)
		} else {
			Ask(t, (*Queries).EntitiesByIDs, EntitiesByIDsParams{GroupID: groupID, Ids: entities}, &into.Entities)
		}
	}
	if episodes := ids[graph.KindEpisode]; len(episodes) > 0 {
		Ask(t, (*Queries).EpisodesFound, EpisodesFoundParams{GroupID: groupID, Ids: episodes, Question: question, KnownAt: knownAt}, &into.Episodes)
	}
	if communities := ids[graph.KindCommunity]; len(communities) > 0 {
		if knownAt != nil {
			Ask(t, (*Queries).CommunitiesKnownByIDs, CommunitiesKnownByIDsParams{GroupID: groupID, Ids: communities, KnownAt: *knownAt}, &into.Communities)
		} else {
			Ask(t, (*Queries).CommunitiesByIDs, CommunitiesByIDsParams{GroupID: groupID, Ids: communities}, &into.Communities)
		}
	}
}
