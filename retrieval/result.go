package retrieval

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Result is what was found, the best of each scope first. Its JSON form is an
// object with one list a scope, none of them null.
type Result struct {
	Facts       []FactHit      `json:"facts"`
	Entities    []EntityHit    `json:"entities"`
	Episodes    []EpisodeHit   `json:"episodes"`
	Communities []CommunityHit `json:"communities"`

	// Observations are what several facts show, ranked by their words and, a little, by their
	// proof. They are searched only if the scopes name them.
	Observations []ObservationHit `json:"observations"`

	// Threads are conversations, ranked as a whole by their episodes. They are searched only if the
	// scopes name them.
	Threads []ThreadHit `json:"threads"`

	// Answers are standing answers, for a context whose template shows them.
	Answers []graph.Answered `json:"-"`

	// Asked is the text of the query, which decides what a context shows. Empty: it shows hits by
	// their rank alone.
	Asked string `json:"-"`

	// AsOf is the time at which the facts are read: that of the query, else when it was asked.
	// Facts that begin later are plans. Zero: now.
	AsOf time.Time `json:"-"`

	// ValidAt is the time in the world that the query asked about; zero: none. For a past one, a
	// context shows no message that was said later, and no summary of the present.
	ValidAt time.Time `json:"-"`

	// KnownOf are the names of the entities in the question, if nothing is known of what it asks.
	// Facts then hold what else is known of them.
	KnownOf []string `json:"-"`

	// Without says in words which models did not answer, so that the search went on without them.
	Without []string `json:"without,omitempty"`

	// Explanation is nil unless the query asked for it.
	Explanation *Explanation `json:"explanation,omitempty"`
}

// Written is the result in a form that encoding/json writes in one pass. A hit has a MarshalJSON
// method, whose output it would read once more.
func Written(r Result) any {
	return struct {
		resultFields
		Facts       []graph.FactHitJSON      `json:"facts"`
		Entities    []graph.EntityHitJSON    `json:"entities"`
		Episodes    []graph.EpisodeHitJSON   `json:"episodes"`
		Communities []graph.CommunityHitJSON `json:"communities"`
	}{resultFields(r), each.Of(r.Facts, FactHit.written), each.Of(r.Entities, EntityHit.written), each.Of(r.Episodes, EpisodeHit.written), each.Of(r.Communities, CommunityHit.written)}
}

// resultFields has the fields of a result. An outer field of the same name takes precedence in
// JSON.
type resultFields Result

func newResult() Result {
	return Result{Facts: []FactHit{}, Entities: []EntityHit{}, Episodes: []EpisodeHit{}, Communities: []CommunityHit{}, Observations: []ObservationHit{}, Threads: []ThreadHit{}}
}

// OfItsTime leaves out what a context of a past time does not show.
func (r Result) OfItsTime() Result {
	if !isPast(r.ValidAt) {
		return r
	}
	r.Entities, r.Communities = nil, nil
	r.Episodes = slices.DeleteFunc(slices.Clone(r.Episodes), func(h EpisodeHit) bool { return h.OccurredAt.After(r.ValidAt) })
	return r
}

// isPast reports whether a time has passed; the zero time has not.
func isPast(t time.Time) bool { return !t.IsZero() && t.Before(time.Now()) }

// IsEmpty reports whether nothing was found.
func (r Result) IsEmpty() bool {
	return len(r.Facts)+len(r.Entities)+len(r.Communities)+len(r.Episodes) == 0
}

// FactHit is a fact that was found. Scores compare within one scope of one
// search only.
type FactHit struct {
	graph.Fact
	Score float64

	Answers bool // it has an entity and the relation of the question
	Related bool // it has the relation of the question, of any entity
	Near    bool // its vector lies near to that of the question, where vectors tell meanings

	// Then says that it held at the time that the question names, NotThen that it did not. Neither
	// is set if the question names no time, or the fact's time is unknown.
	Then, NotThen bool

	// Against are the facts of higher authority that dispute it, Otherwise the records of a later
	// time that contradict it. Later says that the hit is such a record. By is who tells the hit,
	// if it contradicts or is contradicted. All need [Query.Changes].
	Against, Otherwise []FactHit
	Later              bool
	By                 Teller

	// Changes are what became of the rest of its sentence, with [Query.Changes].
	Changes []Change
}

// MarshalJSON writes the fact with its score.
func (h FactHit) MarshalJSON() ([]byte, error) { return json.Marshal(h.written()) }

func (h FactHit) written() graph.FactHitJSON {
	j := graph.FactHitJSON{FactJSON: h.JSON(), GroupID: h.GroupID}
	j.Score = &h.Score
	return j
}

// EntityHit is an entity that was found.
type EntityHit struct {
	graph.Entity
	Score float64

	// Over are the names and sentences of what it no longer is, with [Query.Changes]. Its summary
	// may still say so.
	Over []string
}

// MarshalJSON writes the entity with its score.
func (h EntityHit) MarshalJSON() ([]byte, error) { return json.Marshal(h.written()) }

func (h EntityHit) written() graph.EntityHitJSON {
	j := graph.EntityHitJSON{EntityJSON: h.JSON(), GroupID: h.GroupID}
	j.Score = &h.Score
	return j
}

// EpisodeHit is an episode that was found.
type EpisodeHit struct {
	graph.Episode
	Score float64
	Near  bool // its vector lies near to that of the question, where vectors tell meanings

	// Passage says that the content is longer than 10,000 bytes, and that Content is the passage of
	// it that fits the question: at most 2,000 characters, between dots (…).
	Passage bool

	// ReplyTo is the question that a short message answers, with [Query.Replies]; else nil.
	ReplyTo *graph.Episode

	// Changes are what became of its statements, with [Query.Changes].
	Changes []Change
}

// MarshalJSON writes the episode with its score.
func (h EpisodeHit) MarshalJSON() ([]byte, error) { return json.Marshal(h.written()) }

func (h EpisodeHit) written() graph.EpisodeHitJSON {
	j := graph.EpisodeHitJSON{EpisodeJSON: h.JSON(), GroupID: h.GroupID, Passage: h.Passage}
	j.Score = &h.Score
	return j
}

// CommunityHit is a community that was found.
type CommunityHit struct {
	graph.Community
	Score float64
}

// MarshalJSON writes the community with its score.
func (h CommunityHit) MarshalJSON() ([]byte, error) { return json.Marshal(h.written()) }

func (h CommunityHit) written() graph.CommunityHitJSON {
	j := graph.CommunityHitJSON{CommunityJSON: h.JSON(), GroupID: h.GroupID}
	j.Score = &h.Score
	return j
}

// ObservationHit is an observation that was found.
type ObservationHit struct {
	graph.Observation
	Score float64
}

// MarshalJSON writes the observation with its score.
func (h ObservationHit) MarshalJSON() ([]byte, error) {
	j := h.JSON()
	j.Score = &h.Score
	return json.Marshal(j)
}
