package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// TrustPolicy is what a group does not believe until somebody confirms it.
func (e *Engine) TrustPolicy(ctx context.Context, groupID string) (graph.TrustPolicy, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return graph.TrustPolicy{}, err
	}
	return trustPolicy(ctx, db.New(e.pool), groupID)
}

func trustPolicy(ctx context.Context, q *db.Queries, groupID string) (graph.TrustPolicy, error) {
	row, err := q.TrustPolicyGet(ctx, groupID)
	if errors.Is(err, pgx.ErrNoRows) {
		return graph.TrustPolicy{}, noSuchGroup(groupID)
	}
	if err != nil {
		return graph.TrustPolicy{}, fmt.Errorf("read what %s withholds: %w", groupID, err)
	}
	return graph.TrustPolicy{Assistants: row.HoldAssistants, Documents: row.HoldDocuments, Threads: row.HoldThreads, RecordsSucceed: row.RecordsSucceed}, nil
}

// SetTrustPolicy says what a group does not believe until somebody confirms it. All
// facts of the group follow at once: what is withheld from now on are candidates,
// what is not any more is believed. What was believed before stays in the history.
// Whether records succeed counts for what is read from now on.
func (e *Engine) SetTrustPolicy(ctx context.Context, groupID string, p graph.TrustPolicy) error {
	p, err := p.Prepared()
	if err != nil {
		return err
	}
	if err := mayTrust(ctx); err != nil {
		return err
	}
	err = e.edit(ctx, groupID, "policy", func(q *db.Queries) error {
		if err := q.WeighLater(ctx, true); err != nil {
			return err
		}
		rows, err := q.TrustPolicySet(ctx, db.TrustPolicySetParams{
			GroupID: groupID, HoldAssistants: p.Assistants, HoldDocuments: p.Documents, HoldThreads: p.Threads, RecordsSucceed: p.RecordsSucceed,
		})
		if err == nil && rows == 0 {
			err = noSuchGroup(groupID)
		}
		if err != nil {
			return err
		}
		return errors.Join(e.weigh(ctx, q, groupID, nil), forgetThreads(ctx, q, groupID, nil))
	})
	if err != nil {
		return wrapEdit(err, "set what %s withholds", groupID)
	}
	return nil
}

// Confirm confirms facts by hand: they are believed, and count as the word of who
// confirms them, until that is taken back (undo). It returns the facts as they are
// then. All are confirmed, or none.
func (e *Engine) Confirm(ctx context.Context, groupID string, ids []uuid.UUID, undo bool) ([]graph.Fact, error) {
	if len(ids) == 0 || len(ids) > graph.MaxRows {
		return nil, graph.Invalid("facts", "are %d; name 1 to %d", len(ids), graph.MaxRows)
	}
	if err := mayTrust(ctx); err != nil {
		return nil, err
	}
	action := "confirm"
	if undo {
		action = "unconfirm"
	}
	facts := make([]graph.Fact, len(ids))
	err := e.edit(ctx, groupID, action, func(q *db.Queries) error {
		for _, id := range ids {
			if _, err := currentFact(ctx, q, groupID, id); err != nil {
				return err
			}
		}
		if err := decide(ctx, q, groupID, action, ids, undo); err != nil {
			return err
		}
		if err := q.WeighLater(ctx, true); err != nil { // with the others
			return err
		}
		settled, err := q.DisputesSettle(ctx, groupID)
		if err != nil {
			return err
		}
		if err := errors.Join(q.WeighLater(ctx, false), e.weigh(ctx, q, groupID, append(settled, ids...))); err != nil {
			return err
		}
		for i, id := range ids {
			var err error
			if facts[i], err = currentFact(ctx, q, groupID, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrapEdit(err, "%s %d facts", action, len(ids))
	}
	return facts, nil
}

// decide notes that facts are confirmed, or are not any more. What is so already is not
// noted again. What a higher authority confirmed a lower one does not take back.
func decide(ctx context.Context, q *db.Queries, groupID, action string, ids []uuid.UUID, undo bool) error {
	confirmed, err := q.FactsConfirmed(ctx, db.FactsConfirmedParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return err
	}
	var open []uuid.UUID
	for _, id := range ids {
		if slices.Contains(confirmed, id) == undo && !slices.Contains(open, id) {
			open = append(open, id)
		}
	}
	if len(open) == 0 {
		return nil
	}
	if undo {
		if err := mayChange(ctx, q, groupID, open...); err != nil {
			return err
		}
	}
	return q.DecisionsNote(ctx, db.DecisionsNoteParams{GroupID: groupID, Action: action, Kind: graph.KindFact, Ids: open})
}

// Release takes documents, or what an assistant said, out of quarantine by hand, or
// puts it back. It returns how many episodes it changed. What was read in them
// becomes believed; what it contradicts stays, until the graph is rebuilt.
func (e *Engine) Release(ctx context.Context, groupID string, r graph.Release) (int, error) {
	if err := errors.Join(r.Validate(), mayTrust(ctx)); err != nil {
		return 0, err
	}
	action := "release"
	if r.Hold {
		action = "hold"
	}
	var changed, named []uuid.UUID // nil: whichever they are
	if len(r.EpisodeIDs) > 0 {
		named = r.EpisodeIDs
	}
	err := e.edit(ctx, groupID, action, func(q *db.Queries) error {
		if err := episodesThere(ctx, q, groupID, r.EpisodeIDs); err != nil {
			return err
		}
		var err error
		changed, err = q.EpisodesToRelease(ctx, db.EpisodesToReleaseParams{
			GroupID: groupID, Ids: named, ThreadID: db.Nullable(r.ThreadID), Hold: r.Hold,
		})
		if err != nil || len(changed) == 0 {
			return err
		}
		facts, err := q.FactsStatedBy(ctx, db.FactsStatedByParams{GroupID: groupID, EpisodeIds: changed})
		if err != nil {
			return err
		}
		return errors.Join(
			q.DecisionsNote(ctx, db.DecisionsNoteParams{GroupID: groupID, Action: action, Kind: graph.KindEpisode, Ids: changed}),
			e.weigh(ctx, q, groupID, facts), forgetThreads(ctx, q, groupID, changed))
	})
	if err != nil {
		return 0, wrapEdit(err, "%s episodes of %s", action, groupID)
	}
	return len(changed), nil
}

// forgetThreads forgets the summaries of the conversations of documents that come into
// quarantine, or out of it, so that they are made anew; nil: of all.
func forgetThreads(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) error {
	threads, err := q.ThreadsWithDocuments(ctx, db.ThreadsWithDocumentsParams{GroupID: groupID, Ids: ids})
	if err != nil || len(threads) == 0 {
		return err
	}
	_, err = q.ThreadsForget(ctx, db.ThreadsForgetParams{GroupID: groupID, Ids: threads})
	return err
}

func episodesThere(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	there, err := q.EpisodesThere(ctx, db.EpisodesThereParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.Contains(there, id) {
			return &graph.Error{
				Code: graph.CodeNotFound, Field: "episodes", Message: fmt.Sprintf("group %s has no episode %s; 'annals episodes' lists them", groupID, id),
			}
		}
	}
	return nil
}

// mayTrust fails where a model or a document writes: only a user or a person says
// what is believed.
func mayTrust(ctx context.Context) error {
	if own := graph.OriginOf(ctx).Cap; own.Below(graph.AuthorityUser) {
		return &graph.Error{
			Code: graph.CodeForbidden, Field: "authority",
			Message: fmt.Sprintf("the word of %s does not say what is believed; use a way in or a key with the authority of a user or a person", own.Article()),
		}
	}
	return nil
}

func noSuchGroup(groupID string) error {
	return &graph.Error{Code: graph.CodeNotFound, Field: "group", Message: fmt.Sprintf("there is none called %q", groupID)}
}

// weigh brings the trust of facts to what follows now, and makes anew what is made of
// those that changed: summaries and communities. Without ids it weighs all facts of the group.
func (e *Engine) weigh(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) error {
	if ids != nil && len(ids) == 0 {
		return nil
	}
	changed, err := q.FactsWeigh(ctx, db.FactsWeighParams{GroupID: groupID, Ids: ids})
	if err != nil || len(changed) == 0 {
		return err
	}
	rows, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: changed})
	if err != nil {
		return err
	}
	facts := factsIn(rows)
	doubted := slices.DeleteFunc(slices.Clone(facts), func(f graph.Fact) bool { return f.Trust == graph.TrustBelieved })
	if _, err := e.retell(ctx, q, groupID, endsOf(facts...), doubted...); err != nil {
		return err
	}
	return errors.Join(outdateCommunities(ctx, q, groupID, endsOf(facts...)...),
		q.ObservationsOfWeighed(ctx, db.ObservationsOfWeighedParams{GroupID: groupID, Ids: changed}))
}

// findHeld finds out which episodes of the draft are withheld. The word of a user or a
// person never is, so that nothing is asked about it.
func (e *Engine) findHeld(ctx context.Context, d *draft) error {
	d.held = make([]bool, len(d.episodes))
	p := db.EpisodesWithheldParams{GroupID: d.groupID}
	var places []int
	for i, episode := range d.episodes {
		if episode.Authority.Below(graph.AuthorityUser) {
			places = append(places, i)
			p.Ids, p.Authorities, p.Threads = append(p.Ids, episode.ID), append(p.Authorities, string(episode.Authority)), append(p.Threads, episode.ThreadID)
		}
	}
	if len(places) == 0 {
		return nil
	}
	held, err := db.New(e.store).EpisodesWithheld(ctx, p)
	if err != nil {
		return fmt.Errorf("find what is withheld: %w", err)
	}
	for _, place := range held {
		d.held[places[place-1]] = true
	}
	return nil
}

// isHeld reports whether an episode of the draft is withheld.
func (d *draft) isHeld(episode int) bool { return episode < len(d.held) && d.held[episode] }

// heldName reports whether only withheld episodes speak of a name: what they say of an
// entity that is known does not change it.
func (d *draft) heldName(place int) bool {
	return !slices.ContainsFunc(d.names[place].episodes, func(episode int) bool { return !d.isHeld(episode) })
}

// candidate reports whether a known fact is not believed: it is stored as a candidate,
// or only withheld episodes of the draft state it.
func (d *draft) candidate(k *knownFact) bool {
	if k.sibling == nil {
		return k.Trust == graph.TrustCandidate
	}
	return d.isHeld(k.sibling.episode)
}
