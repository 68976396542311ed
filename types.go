package annals

import (
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// What is handed in and read first is shown here with its fields, as 'go doc annals Fact' tells
// nothing of those of another package. TestFieldsAreShown holds them against the types.

// Episode is one raw unit of what was taken in: a message, a text, a JSON document.
//
//	type Episode struct {
//		GroupID           string          // the memory it belongs to
//		ID                uuid.UUID       // zero: one is made
//		Source            graph.Source    // message, text or json; empty: message
//		Content           string          // the words themselves; never empty
//		Actor             string          // who said or wrote it; may be empty
//		Role              string          // user, assistant, system, tool …; may be empty
//		Name              string          // a title; may be empty
//		SourceDescription string          // where it comes from, in words; may be empty
//		ThreadID          string          // the conversation it belongs to; may be empty
//		OccurredAt        time.Time       // when it was said; zero: the time of storing
//		Metadata          json.RawMessage // an object, kept as it is; empty: {}
//		ExternalID        string          // your own name for it, unique in the group; adding it again changes nothing
//		Deferred          bool            // kept from the language model until a retry asks for it
//		Previous          *int            // how many earlier messages are shown with it; nil: as Config says
//		Force             bool            // takes in again what was erased
//		CreatedAt         time.Time       // when it was stored; this and what follows is set by Annals
//		State             graph.State     // pending, processing, done or failed
//		Attempts          int             // how often it was read
//		Error             string          // why it failed
//	}
//
// See [graph.Episode].
type Episode = graph.Episode

// Entity is somebody or something episodes speak of.
//
//	type Entity struct {
//		GroupID    string            // the memory it belongs to
//		ID         uuid.UUID
//		Name       string            // the most complete name known
//		Aliases    []string          // other names it goes by
//		Labels     []string          // its types, such as Person
//		Summary    string            // what is known of it, in a few sentences
//		Attributes json.RawMessage   // what the ontology asks to note of it, an object
//		CreatedAt  time.Time         // when it was first heard of
//		Recorded   temporal.Interval // since when this version is what we believe
//		Mentions   int               // how many episodes mention it; only lists ordered by it say so
//	}
//
// See [graph.Entity].
type Entity = graph.Entity

// Fact is what holds between two entities, and when.
//
//	type Fact struct {
//		GroupID     string            // the memory it belongs to
//		ID          uuid.UUID
//		SourceID    uuid.UUID         // the entity it is about
//		TargetID    uuid.UUID         // the entity at its other end
//		Source      string            // the name of the first
//		Target      string            // the name of the other
//		Predicate   string            // in capitals: LIVES_IN
//		Fact        string            // one sentence that stands on its own
//		Attributes  json.RawMessage   // what the ontology asks to note of it, an object
//		Valid       temporal.Interval // when it held in the world
//		Recorded    temporal.Interval // when this version was what we believed
//		CreatedAt   time.Time         // when we learned it
//		ExpiredAt   time.Time         // when we learned that it had ended; zero: never
//		StatementID uuid.UUID         // shared by the facts of one statement about several pairs
//		Episodes    []uuid.UUID       // those that state it, oldest first
//	}
//
// See [graph.Fact].
type Fact = graph.Fact

// Triple is a fact that is known as such, without a text that states it.
//
//	type Triple struct {
//		GroupID    string          // the memory it is for
//		Source     graph.TripleEnd // the entity it is about
//		Target     graph.TripleEnd // the entity at its other end
//		Predicate  string          // such as WORKS_AT
//		Fact       string          // one sentence that says it; empty: made of the ends and the predicate
//		Attributes json.RawMessage // an object; may be empty
//		ValidAt    time.Time       // since when it holds; zero: as the sentence says, else OccurredAt
//		InvalidAt  time.Time       // until when; zero: as the sentence says, else it goes on
//		OccurredAt time.Time       // when it was said or became known; zero: now
//		ExternalID string          // your own name for it, unique in the group; empty: none
//		Force      bool            // takes in again what was erased
//	}
//
// See [graph.Triple].
type Triple = graph.Triple

// Community is a cluster of entities.
//
//	type Community struct {
//		GroupID   string    // the memory it belongs to
//		ID        uuid.UUID
//		Name      string    // key terms and topics
//		Summary   string    // what its members have to do with each other
//		CreatedAt time.Time // when it was found
//	}
//
// See [graph.Community].
type Community = graph.Community

// Ontology says which kinds of entities and facts a group looks for.
//
//	type Ontology struct {
//		EntityTypes   []graph.EntityType // kinds of entities, with what to note of them
//		FactTypes     []graph.FactType   // kinds of facts, with what they may connect
//		ExcludedTypes []string           // kinds of entities not to keep
//		Instructions  string             // anything else to heed, in words; may be empty
//	}
//
// See [graph.Ontology].
type Ontology = graph.Ontology

// Query is what is searched for.
//
//	type Query struct {
//		GroupID      string             // the memory that is searched
//		Text         string             // what is asked, in plain words; "a phrase" in double quotation marks
//		Conversation bool               // Text is the last of a conversation and not a question
//		AlsoIn       []string           // more groups to search
//		Limit        int                // hits of each scope at the most; zero: retrieval.DefaultLimit
//		Scopes       []graph.Kind       // kinds of things to find; empty: facts, entities, episodes, communities
//		Methods      []retrieval.Method // how to find them; empty: by terms and vectors
//		Rerank       []retrieval.Rerank // how to order them anew; empty: not
//		Lambda       float64            // of RerankMMR: 1 is relevance alone
//		Seeds        []uuid.UUID        // the entities that MethodGraph starts from; empty: those of the first hits
//		SeedRecent   int                // from the entities of so many of the latest episodes too
//		Hops         int                // how far MethodGraph goes
//		Center       uuid.UUID          // the entity that RerankDistance measures from
//		ValidAt      time.Time          // only facts that held then; zero: those that have not ended
//		KnownAt      time.Time          // as it was believed then; zero: now
//		AskedAt      time.Time          // what dates in Text are read against; zero: now
//		IncludeEnded bool               // facts that have ended as well
//		Filter       retrieval.Filter   // what else hits must be
//		MinScore     float64            // leaves out hits whose score is less
//		Recency      time.Duration      // the half-life of memories; zero: age does not matter
//		MentionBoost float64            // how much it counts to be stated or mentioned often
//		Explain      bool               // has the result tell how each hit was found
//	}
//
// See [retrieval.Query].
type Query = retrieval.Query

// Filter narrows a search: what it does not let pass takes nobody's place.
//
//	type Filter struct {
//		Labels             []string                // of entities, and of facts at both ends: any of them is enough
//		ExcludedLabels     []string
//		Predicates         []string                // of facts
//		ExcludedPredicates []string
//		Attributes         *retrieval.Condition    // on the attributes of facts and entities
//		Valid              retrieval.TimeCondition // when facts began to hold
//		Invalid            retrieval.TimeCondition // when facts ended
//		Created            retrieval.TimeCondition // when we learned of facts and entities
//		Expired            retrieval.TimeCondition // when we learned that facts had ended
//		Sources            []graph.Source          // of episodes, as all that follow
//		Threads            []string
//		Actors             []string
//		Roles              []string
//		Occurred           retrieval.TimeCondition // when they were said
//		Metadata           *retrieval.Condition    // on their metadata
//	}
//
// See [retrieval.Filter].
type Filter = retrieval.Filter

// Result is what was found, the best first.
//
//	type Result struct {
//		Facts       []retrieval.FactHit      // a Fact each, with its Score
//		Entities    []retrieval.EntityHit    // an Entity each, with its Score
//		Episodes    []retrieval.EpisodeHit   // an Episode each, with its Score
//		Communities []retrieval.CommunityHit // a Community each, with its Score
//		Threads     []retrieval.ThreadHit    // conversations, where the scopes name them
//		Explanation *retrieval.Explanation   // nil unless Query.Explain
//	}
//
// See [retrieval.Result].
type Result = retrieval.Result

// Construction says how what was found becomes a string for a model's prompt.
//
//	type Construction struct {
//		Tokens    int    // the most the string may have; zero: no limit
//		Template  string // its form, as text/template reads it; empty: the default one
//		Citations bool   // ends each line with a short id of what it comes from
//		Words     bool   // says dates in words: since 8 March 2024
//		Encoding  string // what counts tokens, o200k_base or cl100k_base; empty: the first
//	}
//
// See [retrieval.Construction].
type Construction = retrieval.Construction
