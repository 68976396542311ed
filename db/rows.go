package db

import (
	"cmp"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/pgvector/pgvector-go"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// Interval reads a tstzrange. An unbounded side is a zero time.
func Interval(r pgtype.Range[pgtype.Timestamptz]) temporal.Interval {
	return temporal.Interval{Start: bound(r.Lower, r.LowerType), End: bound(r.Upper, r.UpperType)}
}

func bound(t pgtype.Timestamptz, kind pgtype.BoundType) time.Time {
	if kind == pgtype.Unbounded || !t.Valid || t.InfinityModifier != pgtype.Finite {
		return time.Time{}
	}
	return t.Time.UTC()
}

// Nullable returns nil for the zero value, which the database stores as NULL.
func Nullable[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}

// Vector converts a vector for storage.
func Vector(v []float32) pgvector.HalfVector { return pgvector.NewHalfVector(v) }

// Episode reads a row of episodes.
func Episode(r EpisodeRow) graph.Episode {
	return graph.Episode{
		GroupID: r.GroupID, ID: r.ID, Source: r.Source, Content: r.Content, Actor: r.Actor, Role: r.Role, Name: r.Name,
		SourceDescription: r.SourceDescription, ThreadID: r.ThreadID, OccurredAt: r.OccurredAt.UTC(), CreatedAt: r.CreatedAt.UTC(),
		Metadata: r.Metadata, ExternalID: orZero(r.ExternalID), Deferred: r.Deferred, State: r.State, Attempts: int(r.Attempts), Error: orZero(r.Error),
		Door: r.Door, WrittenBy: r.WrittenBy, Authority: r.Authority, TakenBack: r.TakenBack,
	}
}

// FoundEpisode reads an episode that a search found.
func FoundEpisode(r EpisodesFoundRow) graph.Episode {
	return Episode(EpisodeRow{
		GroupID: r.GroupID, ID: r.ID, Source: r.Source, Content: r.Content, Actor: r.Actor, Role: r.Role, Name: r.Name,
		SourceDescription: r.SourceDescription, ThreadID: r.ThreadID, OccurredAt: r.OccurredAt, CreatedAt: r.CreatedAt, Metadata: r.Metadata,
		ExternalID: r.ExternalID, State: r.State, Attempts: r.Attempts, Error: r.Error, Deferred: r.Deferred, Door: r.Door,
		WrittenBy: r.WrittenBy, Authority: r.Authority, TakenBack: r.TakenBack,
	})
}

// ClaimedEpisode reads an episode that was claimed for processing.
func ClaimedEpisode(groupID string, r EpisodesClaimRow) graph.Episode {
	e := graph.Episode{
		GroupID: groupID, ID: r.ID, Source: r.Source, Content: r.Content, Actor: r.Actor, Role: r.Role, Name: r.Name,
		SourceDescription: r.SourceDescription, ThreadID: r.ThreadID, OccurredAt: r.OccurredAt.UTC(), State: graph.StateProcessing,
		Attempts: int(r.Attempts), Authority: r.Authority, ExpiresAt: r.ExpiresAt.UTC(),
	}
	if r.Previous != nil {
		e.Previous = new(int(*r.Previous))
	}
	return e
}

// Entity reads a version of an entity, current or past.
func Entity(r EntityRow) graph.Entity {
	return graph.Entity{
		GroupID: r.GroupID, ID: r.ID, Name: r.Name, Aliases: r.Aliases, Labels: r.Labels, Summary: r.Summary,
		Attributes: r.Attributes, CreatedAt: r.CreatedAt.UTC(), Recorded: Interval(r.Recorded),
	}
}

// EntityVersion reads a version of an entity, with the episodes that caused and ended it.
func EntityVersion(r EntityRow) graph.EntityVersion {
	return graph.EntityVersion{Entity: Entity(r), Current: r.IsCurrent, CausedBy: r.CausedBy, EndedBy: orEmpty(r.EndedBy)}
}

// Community reads a version of a community, current or past.
func Community(r CommunityRow) graph.Community {
	return graph.Community{GroupID: r.GroupID, ID: r.ID, Name: r.Name, Summary: r.Summary, CreatedAt: r.CreatedAt.UTC()}
}

// Fact reads a version of a fact, current or past.
func Fact(r FactRow) graph.Fact {
	return graph.Fact{
		GroupID: r.GroupID, ID: r.ID, SourceID: r.SourceID, TargetID: r.TargetID, Source: r.Source, Target: r.Target,
		Predicate: r.Predicate, Fact: r.Fact, ToldAs: r.Told, Attributes: r.Attributes, Kind: r.Kind, Valid: validity(r), Recorded: Interval(r.Recorded), SaidAt: orZero(r.SaidAt).UTC(), BoundedBy: orZero(r.BoundedBy), DisputedBy: r.DisputedBy, Trust: r.Trust,
		CreatedAt: r.CreatedAt.UTC(), ExpiredAt: orZero(r.ExpiredAt).UTC(), StatementID: r.StatementID, Episodes: r.Episodes,
	}
}

// validity is when a fact holds, and how each bound is known.
func validity(r FactRow) temporal.Validity {
	return temporal.Validity{
		Interval: Interval(r.Valid), From: BoundOf(r.FromBasis, r.FromPrecision), Until: BoundOf(r.UntilBasis, r.UntilPrecision),
	}
}

// BoundOf reads how a bound is known.
func BoundOf(b temporal.Basis, p temporal.Precision) temporal.Bound {
	if b == unknown {
		return temporal.Bound{}
	}
	return temporal.Bound{Basis: b, Precision: p}
}

// unknown is the value of the columns for a bound that is not known.
const unknown = "unknown"

// Basis is the stored value for how a bound is known.
func Basis(b temporal.Bound) temporal.Basis { return cmp.Or(b.Basis, unknown) }

// Exactness is the stored value for how exactly a bound is known.
func Exactness(b temporal.Bound) temporal.Precision { return cmp.Or(b.Precision, unknown) }

// FactVersion reads a version of a fact, with the episodes that caused and ended it.
func FactVersion(r FactRow) graph.FactVersion {
	fact := Fact(r)
	return graph.FactVersion{Fact: fact, Current: fact.Recorded.Ongoing(), CausedBy: r.CausedBy, EndedBy: orEmpty(r.EndedBy)}
}

// orEmpty makes a nil list empty, as the JSON of versions has no null.
func orEmpty(ids []uuid.UUID) []uuid.UUID {
	if ids == nil {
		return []uuid.UUID{}
	}
	return ids
}
