package db

import (
	"time"

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

// Nullable is nil for the zero value, which the database writes as NULL.
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

// Vector makes a vector ready to be stored.
func Vector(v []float32) pgvector.HalfVector { return pgvector.NewHalfVector(v) }

// Episode reads a row of episodes.
func Episode(groupID string, r EpisodeListRow) graph.Episode {
	return graph.Episode{
		GroupID: groupID, ID: r.ID, Source: r.Source, Content: r.Content, Actor: r.Actor, Role: r.Role, Name: r.Name,
		SourceDescription: r.SourceDescription, ThreadID: r.ThreadID, OccurredAt: r.OccurredAt.UTC(), CreatedAt: r.CreatedAt.UTC(),
		Metadata: r.Metadata, ExternalID: orZero(r.ExternalID), Deferred: r.Deferred, State: r.State, Attempts: int(r.Attempts), Error: orZero(r.Error),
	}
}

// ClaimedEpisode reads an episode that was claimed for processing.
func ClaimedEpisode(groupID string, r EpisodesClaimRow) graph.Episode {
	return graph.Episode{
		GroupID: groupID, ID: r.ID, Source: r.Source, Content: r.Content, Actor: r.Actor, Role: r.Role, Name: r.Name,
		SourceDescription: r.SourceDescription, ThreadID: r.ThreadID, OccurredAt: r.OccurredAt.UTC(),
		Previous: wholeInt(r.Previous), State: graph.StateProcessing,
		Attempts: int(r.Attempts),
	}
}

func wholeInt(n *int32) *int {
	if n == nil {
		return nil
	}
	whole := int(*n)
	return &whole
}

// Entity reads a row of entities.
func Entity(groupID string, r EntitiesByIDsRow) graph.Entity {
	return graph.Entity{
		GroupID: groupID, ID: r.ID, Name: r.Name, Aliases: r.Aliases, Labels: r.Labels, Summary: r.Summary,
		Attributes: r.Attributes, CreatedAt: r.CreatedAt.UTC(), Recorded: Interval(r.Recorded),
	}
}

// Community reads a row of communities.
func Community(groupID string, r CommunitiesByIDsRow) graph.Community {
	return graph.Community{GroupID: groupID, ID: r.ID, Name: r.Name, Summary: r.Summary, CreatedAt: r.CreatedAt.UTC()}
}

// Fact reads a row of facts.
func Fact(groupID string, r FactsByIDsRow) graph.Fact {
	return graph.Fact{
		GroupID: groupID, ID: r.ID, SourceID: r.SourceID, TargetID: r.TargetID, Source: r.Source, Target: r.Target,
		Predicate: r.Predicate, Fact: r.Fact, Attributes: r.Attributes, Valid: Interval(r.Valid), Recorded: Interval(r.Recorded),
		CreatedAt: r.CreatedAt.UTC(), ExpiredAt: orZero(r.ExpiredAt).UTC(), StatementID: r.StatementID, Episodes: r.Episodes,
	}
}
