package db

import "github.com/annalsdb/annals/graph"

// Observation reads a row of observations.
func Observation(groupID string, r ObservationListRow) graph.Observation {
	return graph.Observation{
		GroupID: groupID, ID: r.ID, SubjectID: r.SubjectID, Subject: r.Subject, Predicate: r.Predicate, Text: r.Observation, Reader: r.Reader,
		Proof: int(r.Proof), Against: int(r.Against), FirstSeen: r.FirstSeen.UTC(), LastSeen: r.LastSeen.UTC(),
		Valid: Interval(r.Valid), Recorded: Interval(r.Recorded), CreatedAt: r.CreatedAt.UTC(), Facts: r.Evidence, Episodes: r.Episodes,
	}
}
