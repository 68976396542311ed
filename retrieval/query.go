package retrieval

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
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

// Method is a way of finding rows. Each gives a ranking.
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
	MethodPhrase Method = "phrase" // with MethodTerms: rows that contain a quoted phrase of the query
	MethodDates  Method = "dates"  // found facts that fit the time that the query names
	MethodFit    Method = "fit"    // the sum of words and vectors, for episodes with their neighbours

	// MethodRelation, with MethodTerms and MethodVector, finds the facts of entities that the query
	// names, of the relation that it asks about. They come first.
	MethodRelation Method = "relation"
)

// Rerank is a way of reordering what was found.
type Rerank string

// The rerankers. They are applied in the order given, to three times as many
// candidates as are asked for.
const (
	RerankMMR      Rerank = "mmr"           // maximal marginal relevance: near to the query, far from each other
	RerankMentions Rerank = "mentions"      // by how many episodes state a fact or mention an entity
	RerankSalience Rerank = "salience"      // by how often an entity, or one of a fact, was mentioned lately
	RerankDistance Rerank = "node_distance" // by the length of the shortest path from Center
	RerankModel    Rerank = "cross_encoder" // a model reads the query with each hit
)

// Query says what to search for. Any text is valid.
type Query struct {
	GroupID string

	// Text is the question, in plain words. Text in double quotation marks is a phrase: rows that
	// contain it come first.
	Text string

	// Conversation says that Text is the end of a conversation and not a question. It is searched
	// as it stands, which is quicker: "since March" or a quotation in it has no effect, and
	// episodes are ranked by their own words, not by their speakers and neighbours.
	Conversation bool

	// AlsoIn are more groups to search, at most MaxGroups with GroupID. Each is searched by itself,
	// with its own word statistics. Then the rankings are fused, so that scores are those of
	// reciprocal rank fusion. Hits carry their GroupID. The caller decides who may read which
	// group.
	AlsoIn []string

	// Limit is the most hits of each scope, 1 to MaxLimit. Zero: DefaultLimit.
	Limit int

	// Scopes are the kinds of rows to search. Empty: facts, entities, episodes and communities;
	// with Filter.ToldBy or for candidates, facts and episodes; for what is disputed, facts.
	// Observations and threads must be named, and need MethodTerms.
	Scopes []graph.Kind

	// Methods find the candidates; their rankings are fused. Empty: terms and
	// vectors.
	Methods []Method

	// Rerank reorders the fused ranking. Empty: it stays.
	Rerank []Rerank

	// Lambda weighs relevance against diversity in RerankMMR: 1 is relevance
	// alone. Zero: DefaultLambda.
	Lambda float64

	// Seeds are the entities that MethodGraph starts from, at most MaxSeeds.
	// Empty: those of the first hits.
	Seeds []uuid.UUID

	// SeedRecent is how many of the latest episodes add their entities to the seeds, 0 to 100.
	SeedRecent int

	// Hops is how far MethodGraph goes, 1 to MaxHops. Zero: DefaultHops.
	Hops int

	// Center is the entity that RerankDistance measures from.
	Center uuid.UUID

	// ValidAt keeps the facts that held at that time. Zero: those that have not ended and, if Text
	// asks about a past time, those that held then.
	ValidAt time.Time

	// KnownAt searches facts, entities and communities as they were believed at that time, with the
	// names, summaries and vectors that they had, also those that have left the graph since. It
	// searches the episodes that had been added by then. Zero: as believed now.
	KnownAt time.Time

	// AskedAt is when the question is asked. Dates in it are read relative to that time. Zero: now.
	AskedAt time.Time

	// IncludeEnded finds ended facts as well. It has no effect with ValidAt.
	IncludeEnded bool

	// Trust says which facts are found: graph.TrustCandidate those that wait to be
	// confirmed, with the episodes that are in quarantine; graph.TrustDisputed those
	// that a higher authority contradicts; graph.TrustAll all. Empty, or
	// graph.TrustBelieved: what is believed or disputed.
	Trust graph.Trust

	// Filter narrows the search, before hits are counted.
	Filter Filter

	// MinScore leaves out hits with a lower final score. The scales of scores differ between
	// methods and rerankers. Zero: all stay.
	MinScore float64

	// MinFit leaves out everything if not even the best hit fits so well, 0 to 1; each of several
	// groups is judged by itself. At [NothingKnown] a memory has nothing about the question. The
	// fit of a hit is the share of the question's words that it holds, weighted by rarity, or a
	// fifth of the lead of the nearest vector in cosine similarity, unless vectors stand for
	// spellings. Zero or less: the nearest rows are found. A search along the graph alone, or of
	// threads alone, ignores it.
	MinFit float64

	// Recency is the half-life of memories: the final score of facts, entities and episodes is
	// multiplied by (1 + 0.5^(age/Recency)) / 2, which is 3/4 after one half-life and never less
	// than 1/2. Ages are those at AskedAt. Zero: age does not matter.
	Recency time.Duration

	// MentionBoost multiplies the final score of facts and entities by 1 + MentionBoost·ln(1 + n),
	// where n is how many episodes state or mention them, 0 to MaxMentionBoost. Zero: mentions do
	// not matter.
	MentionBoost float64

	// Replies reads, for each episode of a few words, the message before it if that asks something,
	// such as the question for "Yes, last week". A context shows both. With a filter, or KnownAt,
	// none is read. Facts then do not bring up the episodes that state them, as a context shows
	// these facts.
	Replies bool

	// Former adds up to three ended facts to those that answer by their relation: a context says
	// what held before.
	Former bool

	// Changes adds to episodes what became of their statements, to facts what disputes them, and to
	// entities what they no longer are: a context shows nothing that has ended without its end.
	Changes bool

	// SaidByThen leaves out episodes that were said after a past ValidAt, if episodes are ranked
	// with their neighbours.
	SaidByThen bool

	// Pinned puts the pinned rows of a group before the hits, whatever is asked: up to 20, the
	// latest that the filter lets pass. A context shows them first. Of several groups each puts its
	// own first, before their rankings are fused.
	Pinned bool

	// Explain adds to Result where each method ranked each hit, and how long each step took.
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
	q.Limit, q.Hops, q.Lambda = cmp.Or(q.Limit, DefaultLimit), cmp.Or(q.Hops, DefaultHops), cmp.Or(q.Lambda, DefaultLambda)
	switch {
	case len(q.Scopes) > 0:
	case q.Trust == graph.TrustDisputed:
		q.Scopes = facts
	case len(q.Filter.ToldBy) > 0 || q.Trust == graph.TrustCandidate:
		q.Scopes = []graph.Kind{graph.KindFact, graph.KindEpisode}
	default:
		q.Scopes = allScopes
	}
	if len(q.Methods) == 0 {
		q.Methods = hybrid
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
	return unique(append([]string{q.GroupID}, q.AlsoIn...))
}

func (q Query) validateNames() error {
	return cmp.Or(
		validateAmong("scope", q.Scopes, append(slices.Clone(allScopes), graph.KindObservation, graph.KindThread)),
		validateAmong("method", q.Methods, everything),
		validateAmong("rerank", q.Rerank, []Rerank{RerankMMR, RerankMentions, RerankSalience, RerankDistance, RerankModel}),
		q.Filter.validate())
}

// validateAmong refuses a name that is none of the known ones.
func validateAmong[Name ~string](field string, names, known []Name) error {
	for _, name := range names {
		if !slices.Contains(known, name) {
			return graph.Invalid(field, "%q is not one of %s", name, strings.Join(each.Of(known, func(n Name) string { return string(n) }), ", "))
		}
	}
	return nil
}

// readAt is the time at which facts are read; zero: now.
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

// cleanQuery turns any bytes into a text that the database accepts.
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
