package retrieval

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// The limits and defaults of a query.
const (
	DefaultLimit  = 10   // hits of each scope
	MaxLimit      = 1000 // hits of each scope
	MaxQueryBytes = 8192 // of the query's text; what is longer is cut
	DefaultHops   = 2    // of the walk over facts
	MaxHops       = 4
	DefaultLambda = 0.5 // of maximal marginal relevance
	MaxSeeds      = 100
	MaxGroups     = 20 // of one search

	MaxMentionBoost = 10
)

// Method is a way of finding rows, each of which gives a ranking.
type Method string

// The methods.
const (
	MethodTerms  Method = "bm25"   // Okapi BM25 over the words
	MethodVector Method = "cosine" // similarity of the vectors
	MethodGraph  Method = "bfs"    // what lies around the seeds: facts and entities
)

// Methods that a query's text implies. They cannot be asked for by name; an
// explanation shows what they did.
const (
	MethodPhrase Method = "phrase" // with MethodTerms: contains what the query has in quotation marks
	MethodDates  Method = "dates"  // facts, of those that were found: they fit the time that the query names
	MethodFit    Method = "fit"    // words and vectors together, of episodes with what stands around them

	// MethodRelation, with MethodTerms and MethodVector: facts of whom the query names, of the relation
	// that it asks about. They come first.
	MethodRelation Method = "relation"
)

// Rerank is a way of putting what was found into another order.
type Rerank string

// The rerankers. They are applied in the order given, to three times as many
// candidates as are asked for.
const (
	RerankMMR      Rerank = "mmr"           // maximal marginal relevance: near to the query, far from each other
	RerankMentions Rerank = "mentions"      // by how many episodes state a fact or mention an entity
	RerankSalience Rerank = "salience"      // by how much an entity, or an end of a fact, is spoken of of late
	RerankDistance Rerank = "node_distance" // by the length of the shortest path from Center
	RerankModel    Rerank = "cross_encoder" // a model reads the query with each hit
)

// Query is what is searched for. Any text is a valid one.
type Query struct {
	GroupID string

	// Text is what is asked, in plain words; what stands in double quotation
	// marks is a phrase, and what contains it comes first.
	Text string

	// Conversation says that Text is the last of a conversation and not a
	// question. It is looked for as it stands, which is quicker: "since March"
	// or a quotation in it is not what is asked about, and episodes are ranked by
	// their own words, not by who says them and by what stands around them.
	Conversation bool

	// AlsoIn are more groups to search, with GroupID at most MaxGroups. Each is
	// searched by itself, with what its own words weigh; then the rankings are
	// fused, so that scores are those of reciprocal rank fusion. Hits carry
	// their GroupID. The caller decides who may read which group.
	AlsoIn []string

	// Limit is how many hits each scope gives at the most, 1 to MaxLimit.
	// Zero: DefaultLimit.
	Limit int

	// Scopes are the kinds of things that are looked for. Empty: facts,
	// entities, episodes and communities, but not observations and threads, which are
	// found by words only; of Filter.ToldBy and of candidates facts and episodes, of
	// what is disputed facts.
	Scopes []graph.Kind

	// Methods find the candidates; their rankings are fused. Empty: terms and
	// vectors.
	Methods []Method

	// Rerank puts what was fused into another order. Empty: it stays.
	Rerank []Rerank

	// Lambda weighs relevance against diversity in RerankMMR: 1 is relevance
	// alone. Zero: DefaultLambda.
	Lambda float64

	// Seeds are the entities that MethodGraph starts from, at most MaxSeeds.
	// Empty: those of the first hits.
	Seeds []uuid.UUID

	// SeedRecent starts MethodGraph also from the entities of so many of the
	// latest episodes, 0 to 100.
	SeedRecent int

	// Hops is how far MethodGraph goes, 1 to MaxHops. Zero: DefaultHops.
	Hops int

	// Center is the entity that RerankDistance measures from.
	Center uuid.UUID

	// ValidAt keeps the facts that held at that time. Zero: those that have
	// not ended and, where Text asks of a time that is past, those that held
	// then.
	ValidAt time.Time

	// KnownAt searches facts, entities and communities as they were believed at
	// that time, with the names, summaries and vectors they had, those among them
	// that have left the graph since; and the episodes that had been taken in.
	// Zero: as believed now.
	KnownAt time.Time

	// AskedAt is when the question is asked: dates in it are read against that
	// time. Zero: now.
	AskedAt time.Time

	// IncludeEnded keeps the facts that have ended as well. It has no effect
	// together with ValidAt.
	IncludeEnded bool

	// Trust says which facts are found: graph.TrustCandidate those that wait to be
	// confirmed, with the episodes that are in quarantine; graph.TrustDisputed those
	// that a higher authority contradicts; graph.TrustAll all. Empty, or
	// graph.TrustBelieved: what is believed or disputed.
	Trust graph.Trust

	// Filter narrows the search, before hits are counted.
	Filter Filter

	// MinScore leaves out hits whose final score is less. Scores of different
	// methods and rerankers are of different size. Zero: all stay.
	MinScore float64

	// MinFit leaves out everything where not even the best hit fits so well, 0
	// to 1: of several groups in each. At [NothingKnown] a memory has nothing
	// about what is asked. A fit is the share of what the question says, by how
	// rare its words are, that stands in one hit, or a fifth of how much nearer
	// the nearest vector lies than others, unless that is one of spellings. Zero
	// or less: whatever comes nearest is found. A search along the graph alone,
	// or of threads alone, is not held to it.
	MinFit float64

	// Recency is the half-life of memories: the final score of facts, entities
	// and episodes is multiplied by (1 + 0.5^(age/Recency)) / 2, which is 3/4
	// after one half-life and never less than 1/2. An age is that at AskedAt.
	// Zero: age does not matter.
	Recency time.Duration

	// MentionBoost multiplies the final score of facts and entities by
	// 1 + MentionBoost·ln(1 + n), where n is how many episodes state or mention
	// them, 0 to MaxMentionBoost. Zero: that does not matter.
	MentionBoost float64

	// Replies reads, for each episode of a few words, the message before it if that
	// asks something: what "Yes, last week" answers. A context shows both. With
	// a filter, or KnownAt, none is read. Facts do not bring up the episodes that
	// state them, as a context shows these facts.
	Replies bool

	// Former adds to the facts that answer by their relation up to three that have
	// ended: a context says what held before.
	Former bool

	// Changes adds to episodes what became of what they say, to facts what they are
	// disputed with, and to entities what they are no longer: a context shows nothing
	// that has ended without its end.
	Changes bool

	// SaidByThen leaves out, of the episodes that are ranked by what stands around
	// them, those that were said after ValidAt, where that has passed.
	SaidByThen bool

	// Pinned puts what is pinned in a group before what was found, whatever is asked, up
	// to 20 of the latest that the filter lets pass: a context shows it first. Of several
	// groups none is.
	Pinned bool

	// Explain adds to Result where each method ranked each hit, and how long each
	// step took.
	Explain bool
}

// prepared checks the query and fills in its defaults.
func (q Query) prepared() (Query, error) {
	if err := graph.ValidateGroupID(q.GroupID); err != nil {
		return q, err
	}
	if err := q.validateGroups(); err != nil {
		return q, err
	}
	q.Text = cleanQuery(q.Text)
	if q.Limit == 0 {
		q.Limit = DefaultLimit
	}
	if q.Hops == 0 {
		q.Hops = DefaultHops
	}
	if q.Lambda == 0 {
		q.Lambda = DefaultLambda
	}
	if len(q.Scopes) == 0 && q.Trust == graph.TrustDisputed {
		q.Scopes = []graph.Kind{graph.KindFact}
	}
	if len(q.Scopes) == 0 && (len(q.Filter.ToldBy) > 0 || q.Trust == graph.TrustCandidate) {
		q.Scopes = []graph.Kind{graph.KindFact, graph.KindEpisode}
	}
	if len(q.Scopes) == 0 {
		q.Scopes = []graph.Kind{graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindCommunity}
	}
	if len(q.Methods) == 0 {
		q.Methods = []Method{MethodTerms, MethodVector}
	}
	q.Scopes, q.Methods = unique(q.Scopes), unique(q.Methods)
	return q, q.validate()
}

func (q Query) validate() error {
	switch {
	case q.Limit < 1 || q.Limit > MaxLimit:
		return graph.Invalid("limit", "is %d; it must be 1 to %d", q.Limit, MaxLimit)
	case q.Hops < 1 || q.Hops > MaxHops:
		return graph.Invalid("hops", "is %d; it must be 1 to %d", q.Hops, MaxHops)
	case !(q.Lambda >= 0 && q.Lambda <= 1):
		return graph.Invalid("lambda", "is %g; it must be 0 to 1", q.Lambda)
	case len(q.Seeds) > MaxSeeds:
		return graph.Invalid("seeds", "are %d; the limit is %d", len(q.Seeds), MaxSeeds)
	case q.SeedRecent < 0 || q.SeedRecent > 100:
		return graph.Invalid("seed_recent", "is %d; it must be 0 to 100", q.SeedRecent)
	case q.Recency < 0:
		return graph.Invalid("recency", "is %s; it must not be negative", q.Recency)
	case !(q.MentionBoost >= 0 && q.MentionBoost <= MaxMentionBoost):
		return graph.Invalid("mention_boost", "is %g; it must be 0 to %d", q.MentionBoost, MaxMentionBoost)
	case !(q.MinFit >= -1 && q.MinFit <= 1):
		return graph.Invalid("min_fit", "is %g; it must be -1 to 1", q.MinFit)
	case math.IsNaN(q.MinScore):
		return graph.Invalid("min_score", "is not a number")
	case slices.Contains(q.Rerank, RerankDistance) && q.Center == uuid.Nil:
		return graph.Invalid("center", "is empty; node_distance needs the entity to measure from")
	}
	if err := graph.ValidateTrust("trust", q.Trust); err != nil {
		return err
	}
	for name, at := range map[string]time.Time{"as_of": q.ValidAt, "known_at": q.KnownAt, "asked_at": q.AskedAt} {
		if err := graph.ValidateTime(name, at); err != nil {
			return err
		}
	}
	return q.validateNames()
}

func (q Query) validateGroups() error {
	if n := len(q.groups()); n > MaxGroups {
		return graph.Invalid("group_id", "are %d groups; the limit is %d", n, MaxGroups)
	}
	for _, group := range q.AlsoIn {
		if err := graph.ValidateGroupID(group); err != nil {
			return err
		}
	}
	return nil
}

// groups are those to search, each once.
func (q Query) groups() []string {
	groups := []string{q.GroupID}
	for _, group := range q.AlsoIn {
		if !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

func (q Query) validateNames() error {
	for _, s := range q.Scopes {
		switch s {
		case graph.KindFact, graph.KindEntity, graph.KindEpisode, graph.KindCommunity, graph.KindObservation, graph.KindThread:
		default:
			return graph.Invalid("scope", "%q is not one of fact, entity, episode, community, observation, thread", s)
		}
	}
	for _, m := range q.Methods {
		switch m {
		case MethodTerms, MethodVector, MethodGraph:
		default:
			return graph.Invalid("method", "%q is not one of bm25, cosine, bfs", m)
		}
	}
	for _, r := range q.Rerank {
		switch r {
		case RerankMMR, RerankMentions, RerankSalience, RerankDistance, RerankModel:
		default:
			return graph.Invalid("rerank", "%q is not one of mmr, mentions, salience, node_distance, cross_encoder", r)
		}
	}
	return q.Filter.validate()
}

// readAt is the time the facts are read at; zero: now.
func (q Query) readAt() time.Time {
	if !q.ValidAt.IsZero() {
		return q.ValidAt
	}
	return q.AskedAt
}

func (q Query) askedAt() time.Time {
	if q.AskedAt.IsZero() {
		return time.Now().UTC()
	}
	return q.AskedAt
}

// cleanQuery makes any bytes a text that the database takes.
func cleanQuery(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), MaxQueryBytes)], " ")
	s = strings.Map(func(r rune) rune {
		if r == 0 || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}
