package service

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// maxTold is how many characters of an episode are shown.
const maxTold = 200

// identify finds the fact, entity or episode with the id, including one that is gone.
func (w *searchedFor) identify(ctx context.Context) error {
	for _, try := range []func(context.Context) (bool, error){w.asFact, w.asEntity, w.asEpisode} {
		if known, err := try(ctx); known || err != nil {
			return err
		}
	}
	w.because("no_such", "The group %s has no fact, entity or episode with this id, and had none.", w.query.GroupID)
	return nil
}

// unless returns err, or nil if it says that something does not exist.
func unless(err error) error {
	if annals.CodeOf(err) == annals.CodeNotFound {
		return nil
	}
	return err
}

func (w *searchedFor) asFact(ctx context.Context) (bool, error) {
	history, err := w.service.client.History(ctx, w.query.GroupID, w.expected.ID)
	if err != nil {
		return false, unless(err)
	}
	w.fact = history[len(history)-1]
	w.expected.Kind, w.expected.Text, w.gone = graph.KindFact, w.fact.Told(), !w.fact.Current
	return true, nil
}

func (w *searchedFor) asEntity(ctx context.Context) (bool, error) {
	history, err := w.service.client.EntityHistory(ctx, w.query.GroupID, w.expected.ID)
	if err != nil {
		return false, unless(err)
	}
	last := history[len(history)-1]
	w.expected.Kind, w.expected.Text, w.gone = graph.KindEntity, last.Name, !last.Current
	return true, nil
}

func (w *searchedFor) asEpisode(ctx context.Context) (bool, error) {
	episode, err := w.service.client.Episode(ctx, w.query.GroupID, w.expected.ID)
	if err != nil {
		return false, unless(err)
	}
	w.expected.Kind, w.expected.Text, w.state = graph.KindEpisode, graph.Brief(episode.Content, maxTold), episode.State
	return true, nil
}

// goneBecause records why the expected hit exists no longer.
func (w *searchedFor) goneBecause(ctx context.Context) error {
	group, id := w.query.GroupID, w.expected.ID
	if w.expected.Kind == graph.KindEntity {
		now, err := w.service.client.Entity(ctx, group, id.String())
		if err == nil && now.ID != id {
			w.because("merged", "It was merged into %q, which is %s; look for that one.", now.Name, now.ID)
			return nil
		}
		w.because("gone", "It is no longer there: nothing tells of it any more, or it was removed. known_at with a time at which it was known finds it.")
		return unless(err)
	}
	rejections, err := w.service.Rejections(ctx, RejectionFilter{GroupID: group, ID: id})
	if err != nil {
		return err
	}
	why := fmt.Sprintf("It is not believed any more since %s: what told of it was undone, or it was superseded at once.", atTime(w.fact.Recorded.End))
	for _, r := range rejections {
		why = fmt.Sprintf("It was withdrawn on %s; restoring it brings it back.", atTime(r.RejectedAt))
		if r.EpisodeID != uuid.Nil {
			why = fmt.Sprintf("Episode %s took it back on %s; restoring it brings it back.", r.EpisodeID, atTime(r.RejectedAt))
		}
	}
	w.because("gone", "%s known_at with a time before finds it.", why)
	return nil
}
