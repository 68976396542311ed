package retrieval

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/prose"
)

// readReplies reads the messages before short ones. With a filter or KnownAt it reads none, as they
// might not pass.
func (v *view) readReplies(together *db.Together, episodes []uuid.UUID, into *[]db.EpisodeRow) {
	if len(episodes) > 0 && !v.filtered {
		trust := cmp.Or(v.trusted(), string(graph.TrustAll))
		if trust != string(graph.TrustCandidate) && !v.shape.WithholdsEpisodes { // all are shown
			trust = string(graph.TrustAll)
		}
		db.Ask(together, (*db.Queries).EpisodesAnswered, db.EpisodesAnsweredParams{GroupID: v.query.GroupID, Ids: episodes, MaxBytes: prose.MostAnswering, Trust: trust, Unexpired: v.shape.Expired}, into)
	}
}

// noteReplies sets the question that each short message answers.
func noteReplies(hits []EpisodeHit, answered []db.EpisodeRow) {
	before := each.Of(answered, db.Episode)
	for i, h := range hits {
		if !prose.NeedsQuestion(h.Content) {
			continue
		}
		var last *graph.Episode
		for j, e := range before {
			if e.ThreadID == h.ThreadID && isBefore(e, h.Episode) && (last == nil || isBefore(*last, e)) {
				last = &before[j]
			}
		}
		if last != nil && answersTo(h.Episode, *last) {
			hits[i].ReplyTo = last
		}
	}
}

// isBefore reports whether one message of a thread was said before another.
func isBefore(a, b graph.Episode) bool {
	return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), slices.Compare(a.ID[:], b.ID[:])) < 0
}

// answersTo reports whether a message may answer the one before it.
func answersTo(e, before graph.Episode) bool {
	return before.ThreadID == e.ThreadID && before.Speaker() != e.Speaker() && prose.LastQuestion(before.Content) != ""
}
