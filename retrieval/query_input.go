package retrieval

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

// QueryInput is a query as users write it at every door: the flags of the command line, the body
// and the parameters of REST, the arguments of tools. [Query] says what the fields mean. A test
// compares the two, except for Replies, Pinned, SaidByThen, Former and Changes, which contexts set
// by themselves. The tags name a field in JSON (json), in a URL (query) and as a flag (flag, where
// it is not the name in JSON with hyphens), bound it and describe it (doc).
type QueryInput struct {
	Query        string   `json:"query" query:"query" flag:"-" to:"Text" required:"true" maxLength:"8192" doc:"Any text" example:"Where does Alice live?"`
	Conversation bool     `json:"conversation,omitempty" query:"conversation" doc:"The query is the last of a conversation and not a question"`
	Limit        int      `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"Hits of each scope at the most; left out: 10"`
	Recipe       string   `json:"recipe,omitempty" query:"recipe" to:"-" maxLength:"100" doc:"A named way of searching: scopes, methods and rerankers"`
	Scopes       []string `json:"scopes,omitempty" query:"scopes" flag:"scope" maxItems:"10" enum:"fact,entity,episode,community,observation,thread" doc:"What to look for; left out: all but observations and threads"`
	Methods      []string `json:"methods,omitempty" query:"methods" flag:"method" maxItems:"10" enum:"bm25,cosine,bfs" doc:"How to look; left out: bm25 and cosine"`
	Rerank       []string `json:"rerank,omitempty" query:"rerank" maxItems:"10" enum:"mmr,mentions,salience,node_distance,cross_encoder" doc:"How to put what was found into another order"`
	Lambda       float64  `json:"lambda,omitempty" query:"lambda" minimum:"0" maximum:"1" doc:"Weight of relevance against diversity in mmr: 1 is relevance alone; left out: 0.5"`
	Seeds        []string `json:"seeds,omitempty" query:"seeds" flag:"seed" to:"-" maxItems:"100" doc:"Entities that bfs starts from, by their ids or names; left out: those of the first hits"`
	SeedRecent   int      `json:"seed_recent,omitempty" query:"seed_recent" minimum:"0" maximum:"100" doc:"Start bfs also from the entities of so many of the latest episodes"`
	Hops         int      `json:"hops,omitempty" query:"hops" minimum:"1" maximum:"4" doc:"How far bfs goes; left out: 2"`
	Center       string   `json:"center,omitempty" query:"center" to:"-" maxLength:"512" doc:"The entity that node_distance measures from, by its id or name"`
	AsOf         string   `json:"as_of,omitempty" query:"as_of" to:"ValidAt" maxLength:"64" doc:"Only facts that held at this time; left out: those that have not ended"`
	KnownAt      string   `json:"known_at,omitempty" query:"known_at" maxLength:"64" doc:"As we believed it at this time; left out: now"`
	AskedAt      string   `json:"asked_at,omitempty" query:"asked_at" maxLength:"64" doc:"When the question is asked, for \"last year\" in it; left out: now"`
	IncludeEnded bool     `json:"include_ended,omitempty" query:"include_ended" doc:"Also facts that have ended"`
	Trust        string   `json:"trust,omitempty" query:"trust" enum:"believed,candidate,disputed,all" doc:"Which facts to find: believed, with those that are disputed; candidate, which wait to be confirmed; disputed alone; or all; left out: believed"`
	ToldBy       []string `json:"told_by,omitempty" query:"told_by,explode" to:"-" maxItems:"100" doc:"Only what one of these speakers told, by any name of theirs: what they believe; left out: what the group believes"`
	AlsoIn       []string `json:"also_in,omitempty" query:"also_in" flag:"also" maxItems:"19" doc:"Further groups to search"`
	Filter       *Filter  `json:"filter,omitempty" doc:"What narrows the search; docs/search.md has its form"` // ParseFilter reads it from a text
	MinScore     float64  `json:"min_score,omitempty" query:"min_score" doc:"Leave out hits that score less"`
	MinFit       float64  `json:"min_fit,omitempty" query:"min_fit" minimum:"-1" maximum:"1" doc:"Find nothing where not even the best hit fits so well: 0.05 means that nothing is known. Left out: a search finds what comes nearest, a context is held to 0.05; below 0: neither is held to anything"`
	Recency      string   `json:"recency,omitempty" query:"recency" maxLength:"64" doc:"Prefer what is new, by this half-life: 30d, 2w or 12h; left out: age does not matter"`
	MentionBoost float64  `json:"mention_boost,omitempty" query:"mention_boost" minimum:"0" maximum:"10" doc:"Prefer what is spoken of often, such as 0.2; left out: that does not matter"`
	Explain      bool     `json:"explain,omitempty" query:"explain" doc:"Tell where each method ranked each hit, and how long each step took"`
}

// FindEntity finds an entity by its id or name, as it was believed at a time;
// the zero time is now.
type FindEntity func(idOrName string, knownAt time.Time) (uuid.UUID, error)

// In turns the input into a query of a group. Scopes, methods and rerankers that it lists replace
// those of its recipe. Searching validates the rest.
func (in QueryInput) In(groupID string, find FindEntity) (q Query, err error) {
	q.GroupID = groupID
	if in.Recipe != "" {
		if q, err = q.With(in.Recipe); err != nil {
			return q, err
		}
	}
	if q, err = input.Read(in, q); err != nil {
		return q, err
	}
	if len(in.ToldBy) > 0 && len(q.Filter.ToldBy) > 0 {
		return q, graph.Invalid("told_by", "is named twice: by the filter as well")
	}
	q.Filter.ToldBy = append(q.Filter.ToldBy, in.ToldBy...)
	return q, in.entities(&q, find)
}

func (in QueryInput) entities(q *Query, find FindEntity) error {
	for _, seed := range in.Seeds {
		id, err := find(seed, q.KnownAt)
		if err != nil {
			return err
		}
		q.Seeds = append(q.Seeds, id)
	}
	if in.Center == "" {
		return nil
	}
	var err error
	q.Center, err = find(in.Center, q.KnownAt)
	return err
}

// ParseFilter reads a filter from a JSON object. An empty text is no filter.
func ParseFilter(text string) (*Filter, error) {
	if text == "" {
		return nil, nil
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	var f Filter
	if err := decoder.Decode(&f); graph.CodeOf(err) == graph.CodeInvalid {
		return nil, err
	} else if err != nil {
		return nil, graph.Invalid("filter", "cannot be read: %v; 'annals search --help' shows one", err)
	}
	if decoder.More() {
		return nil, graph.Invalid("filter", "has more after its object; 'annals search --help' shows one")
	}
	return &f, nil
}
