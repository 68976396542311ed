package graph

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/temporal"
)

// FactJSON is the JSON form of a fact, the same at every door. Times are in RFC
// 3339, and null if unbounded or not yet known.
type FactJSON struct {
	ID          uuid.UUID       `json:"id"`
	Fact        string          `json:"fact" doc:"The sentence, as it was written"`
	Told        string          `json:"told" doc:"The sentence for a reader of any later day, with dates in the place of words such as last week"`
	Predicate   string          `json:"predicate"`
	Source      string          `json:"source"`
	Target      string          `json:"target"`
	SourceID    uuid.UUID       `json:"source_id"`
	TargetID    uuid.UUID       `json:"target_id"`
	Kind        FactKind        `json:"kind" enum:"state,event" doc:"state: it goes on; event: it happens, and does not end"`
	ValidAt     *time.Time      `json:"valid_at"`
	InvalidAt   *time.Time      `json:"invalid_at"`
	ValidFrom   BoundJSON       `json:"valid_from" doc:"How valid_at is known"`
	ValidUntil  BoundJSON       `json:"valid_until" doc:"How invalid_at is known"`
	When        string          `json:"when" doc:"When it holds or happened, in words, as exactly as that is known"`
	SaidAt      *time.Time      `json:"said_at" doc:"When it was said first; null: it was made by hand"`
	CreatedAt   time.Time       `json:"created_at"`
	ExpiredAt   *time.Time      `json:"expired_at"`
	KnownFrom   *time.Time      `json:"known_from"` // when this version began to be believed
	KnownUntil  *time.Time      `json:"known_until"`
	StatementID uuid.UUID       `json:"statement_id"`
	Attributes  json.RawMessage `json:"attributes,omitempty"`
	Score       *float64        `json:"score,omitempty"`
	Episodes    []uuid.UUID     `json:"episodes"`
	Trust       Trust           `json:"trust,omitempty" enum:"candidate,disputed,believed" doc:"candidate: it waits to be confirmed; disputed: a higher authority contradicts it"`
	DisputedBy  []uuid.UUID     `json:"disputed_by,omitempty" doc:"Facts of a higher authority that contradict it"`
	Marks       *MarksJSON      `json:"marks,omitempty" doc:"What is noted about it; left out: nothing"`
}

// BoundJSON is the JSON form of how one end of a fact's time is known.
type BoundJSON struct {
	Basis     string `json:"basis" enum:"stated,planned,said,inferred,unknown" doc:"stated: the text says it; planned: the text announces it, and nobody has said that it came; said: it held, or was over, when it was said; inferred: another fact ended it"`
	Precision string `json:"precision" doc:"instant, day, week, month, season, year or decade; empty where unknown"`
}

func boundJSON(b temporal.Bound) BoundJSON {
	return BoundJSON{Basis: cmp.Or(string(b.Basis), "unknown"), Precision: string(b.Precision)}
}

// JSON returns the JSON form of the fact for a reader of now.
func (f Fact) JSON() FactJSON { return f.JSONAt(time.Now()) }

// JSONAt returns the JSON form of the fact for a reader at the given time,
// which decides the words of When. Zero means now.
func (f Fact) JSONAt(reading time.Time) FactJSON {
	return FactJSON{
		ID: f.ID, Fact: f.Fact, Told: f.Told(), Predicate: f.Predicate, Source: f.Source, Target: f.Target,
		SourceID: f.SourceID, TargetID: f.TargetID,
		Kind: cmp.Or(f.Kind, FactState), ValidAt: orNull(f.Valid.Start), InvalidAt: orNull(f.Valid.End),
		ValidFrom: boundJSON(f.Valid.From), ValidUntil: boundJSON(f.Valid.Until), When: f.When(cmp.Or(reading, time.Now())), SaidAt: orNull(f.SaidAt),
		CreatedAt: f.CreatedAt, ExpiredAt: orNull(f.ExpiredAt),
		KnownFrom: orNull(f.Recorded.Start), KnownUntil: orNull(f.Recorded.End),
		StatementID: f.StatementID, Attributes: f.Attributes, Episodes: orEmpty(f.Episodes), DisputedBy: f.DisputedBy, Trust: f.Trust, Marks: f.Marks.JSON(),
	}
}

// EntityJSON is the JSON form of an entity, the same at every door.
type EntityJSON struct {
	ID         uuid.UUID       `json:"id"`
	Name       string          `json:"name"`
	Aliases    []string        `json:"aliases"`
	Labels     []string        `json:"labels"`
	Summary    string          `json:"summary"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	CreatedAt  time.Time       `json:"created_at"`
	Mentions   int             `json:"mentions,omitempty" doc:"How many episodes mention it; only lists say so"`
	Marks      *MarksJSON      `json:"marks,omitempty" doc:"What is noted about it; left out: nothing"`
	Score      *float64        `json:"score,omitempty"`
}

// JSON returns the JSON form of the entity.
func (e Entity) JSON() EntityJSON {
	return EntityJSON{
		ID: e.ID, Name: e.Name, Aliases: orEmpty(e.Aliases), Labels: orEmpty(e.Labels), Summary: e.Summary,
		Attributes: e.Attributes, CreatedAt: e.CreatedAt, Mentions: e.Mentions, Marks: e.Marks.JSON(),
	}
}

// EpisodeJSON is the JSON form of an episode, the same at every door.
type EpisodeJSON struct {
	ID                uuid.UUID       `json:"id"`
	ExternalID        string          `json:"external_id,omitempty"`
	Source            Source          `json:"source"`
	Content           string          `json:"content"`
	Actor             string          `json:"actor"`
	Role              string          `json:"role"`
	Name              string          `json:"name,omitempty"`
	SourceDescription string          `json:"source_description,omitempty"`
	ThreadID          string          `json:"thread_id"`
	OccurredAt        time.Time       `json:"occurred_at"`
	CreatedAt         time.Time       `json:"created_at"`
	Metadata          json.RawMessage `json:"metadata,omitempty"`
	State             State           `json:"state"`
	Attempts          int             `json:"attempts"`
	Error             string          `json:"error,omitempty"`
	Door              string          `json:"door,omitempty" doc:"The way it came in: library, cli, rest, mcp, zep, graphiti, agent, import or sql"`
	WrittenBy         string          `json:"written_by,omitempty" doc:"The API key or the user of the database that stored it"`
	Authority         Authority       `json:"authority,omitempty" doc:"Whose word it is: of an assistant, a document, a user or a person"`
	Withdrawn         bool            `json:"withdrawn,omitempty" doc:"What it says was withdrawn since, or taken back"`
	WithdrawnInPart   bool            `json:"withdrawn_in_part,omitempty" doc:"Some of what it says was"`
	Note              string          `json:"note,omitempty" doc:"What became of what it says, in words: until May 2024, now Porto; left out: nothing that is known"`
	Marks             *MarksJSON      `json:"marks,omitempty" doc:"What is noted about it; left out: nothing"`
	Score             *float64        `json:"score,omitempty"`
}

// JSON returns the JSON form of the episode.
func (e Episode) JSON() EpisodeJSON {
	return EpisodeJSON{
		ID: e.ID, ExternalID: e.ExternalID, Source: e.Source, Content: e.Content, Actor: e.Actor, Role: e.Role, Name: e.Name,
		SourceDescription: e.SourceDescription, ThreadID: e.ThreadID, OccurredAt: e.OccurredAt, CreatedAt: e.CreatedAt,
		Metadata: e.Metadata, State: e.State, Attempts: e.Attempts, Error: e.Error,
		Door: e.Door, WrittenBy: e.WrittenBy, Authority: e.Authority,
		Withdrawn: e.TakenBack == TakenBackWhole, WithdrawnInPart: e.TakenBack == TakenBackInPart, Marks: e.Marks.JSON(),
	}
}

// CommunityJSON is the JSON form of a community, the same at every door.
type CommunityJSON struct {
	ID        uuid.UUID `json:"id"`
	Name      string    `json:"name"`
	Summary   string    `json:"summary"`
	CreatedAt time.Time `json:"created_at"`
	Score     *float64  `json:"score,omitempty"`
}

// JSON returns the JSON form of the community.
func (c Community) JSON() CommunityJSON {
	return CommunityJSON{ID: c.ID, Name: c.Name, Summary: c.Summary, CreatedAt: c.CreatedAt}
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
