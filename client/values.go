package client

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// The functions below convert the JSON forms of REST to the types of the library.

func orZero[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}

// factOf converts a fact. BoundedBy is not sent.
func factOf(groupID string, j graph.FactJSON) annals.Fact {
	return annals.Fact{
		GroupID: groupID, ID: j.ID, SourceID: j.SourceID, TargetID: j.TargetID, Source: j.Source, Target: j.Target, Predicate: j.Predicate, Fact: j.Fact, ToldAs: j.Told,
		Attributes: j.Attributes, Kind: j.Kind,
		Valid: temporal.Validity{
			Interval: temporal.Interval{Start: orZero(j.ValidAt), End: orZero(j.InvalidAt)}, From: boundOf(j.ValidFrom), Until: boundOf(j.ValidUntil),
		},
		Recorded: temporal.Interval{Start: orZero(j.KnownFrom), End: orZero(j.KnownUntil)}, SaidAt: orZero(j.SaidAt), CreatedAt: j.CreatedAt,
		ExpiredAt: orZero(j.ExpiredAt), DisputedBy: j.DisputedBy, Trust: j.Trust, StatementID: j.StatementID, Episodes: j.Episodes, Marks: marksOf(j.Marks),
	}
}

// marksOf converts marks; nil: none.
func marksOf(j *graph.MarksJSON) graph.Marks {
	if j == nil {
		return graph.Marks{}
	}
	return graph.Marks{ExpiresAt: orZero(j.ExpiresAt), Pinned: j.Pinned, Useful: j.Useful, Wrong: j.Wrong, Outdated: j.Outdated}
}

func boundOf(j graph.BoundJSON) temporal.Bound {
	if j.Basis == "unknown" {
		j.Basis = ""
	}
	return temporal.Bound{Basis: temporal.Basis(j.Basis), Precision: temporal.Precision(j.Precision)}
}

// factIn returns a converter of the facts of a group.
func factIn(groupID string) func(graph.FactJSON) annals.Fact {
	return func(j graph.FactJSON) annals.Fact { return factOf(groupID, j) }
}

// entityOf converts an entity. The header holds the version of a single entity.
func entityOf(groupID string, j graph.EntityJSON, header http.Header) annals.Entity {
	return annals.Entity{
		GroupID: groupID, ID: j.ID, Name: j.Name, Aliases: j.Aliases, Labels: j.Labels, Summary: j.Summary, Attributes: j.Attributes, CreatedAt: j.CreatedAt,
		Mentions: j.Mentions, Marks: marksOf(j.Marks), Recorded: temporal.Interval{Start: versionIn(header)},
	}
}

// versionIn returns the version of a row from its ETag; zero: none.
func versionIn(header http.Header) time.Time {
	micro, err := strconv.ParseInt(strings.Trim(header.Get("ETag"), `"`), 36, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(micro).UTC()
}

// unless makes a request conditional on the row having one of the versions.
func (k call) unless(versions []time.Time) call {
	var tags []string
	for _, v := range versions {
		tags = append(tags, strconv.Quote(strconv.FormatInt(v.UnixMicro(), 36)))
	}
	if len(tags) > 0 {
		k.header.Set("If-Match", strings.Join(tags, ", "))
	}
	return k
}

// episodeIn returns a converter of the episodes of a group.
func episodeIn(groupID string) func(graph.EpisodeJSON) annals.Episode {
	return func(j graph.EpisodeJSON) annals.Episode { return episodeOf(groupID, j) }
}

func episodeOf(groupID string, j graph.EpisodeJSON) annals.Episode {
	e := annals.Episode{
		GroupID: groupID, ID: j.ID, ExternalID: j.ExternalID, Source: j.Source, Content: j.Content, Actor: j.Actor, Role: j.Role, Name: j.Name,
		SourceDescription: j.SourceDescription, ThreadID: j.ThreadID, OccurredAt: j.OccurredAt, CreatedAt: j.CreatedAt, Metadata: j.Metadata,
		State: j.State, Attempts: j.Attempts, Error: j.Error, Door: j.Door, WrittenBy: j.WrittenBy, Authority: j.Authority, Marks: marksOf(j.Marks),
	}
	switch {
	case j.Withdrawn:
		e.TakenBack = graph.TakenBackWhole
	case j.WithdrawnInPart:
		e.TakenBack = graph.TakenBackInPart
	}
	return e
}

func communityOf(groupID string, j graph.CommunityJSON) annals.Community {
	return annals.Community{GroupID: groupID, ID: j.ID, Name: j.Name, Summary: j.Summary, CreatedAt: j.CreatedAt}
}
