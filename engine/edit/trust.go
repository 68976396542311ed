package edit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// TrustPolicy returns the policy that says what a group withholds until somebody confirms it.
func (e *Editor) TrustPolicy(ctx context.Context, groupID string) (graph.TrustPolicy, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return graph.TrustPolicy{}, err
	}
	return TrustPolicyOf(ctx, db.New(e.Pool), groupID)
}

// TrustPolicyOf is [Editor.TrustPolicy] within a transaction.
func TrustPolicyOf(ctx context.Context, q *db.Queries, groupID string) (graph.TrustPolicy, error) {
	row, err := q.TrustPolicyGet(ctx, groupID)
	if errors.Is(err, pgx.ErrNoRows) {
		return graph.TrustPolicy{}, change.NotFound("group", "there is none called %q", groupID)
	}
	if err != nil {
		return graph.TrustPolicy{}, fmt.Errorf("read what %s withholds: %w", groupID, err)
	}
	return graph.TrustPolicy{
		Assistants: row.HoldAssistants, Documents: row.HoldDocuments, Threads: row.HoldThreads, RecordsSucceed: row.RecordsSucceed,
		Doors: row.HoldDoors, Roles: row.HoldRoles, Sources: row.HoldSources, Relations: row.HoldRelations, SkillProof: int(row.ProofOfSkills),
	}, nil
}

// maxHeld bounds the conversations, doors, roles, sources or relations of a policy.
const maxHeld = 1000

// maxProof bounds how often in a row a procedure must work to be confirmed.
const maxProof = 1000

// prepared validates a policy, and normalises its names to those of episodes and facts, sorted and
// without duplicates.
func prepared(p graph.TrustPolicy) (graph.TrustPolicy, error) {
	if p.SkillProof < 0 || p.SkillProof > maxProof {
		return p, graph.Invalid("skill_proof", "is %d; it must be 0 to %d", p.SkillProof, maxProof)
	}
	role := func(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
	for _, list := range []struct {
		field   string
		names   *[]string
		written func(string) string
	}{
		{"threads", &p.Threads, strings.Clone},
		{"doors", &p.Doors, role},
		{"roles", &p.Roles, role},
		{"sources", &p.Sources, strings.Clone},
		{"relations", &p.Relations, wording.Predicate},
	} {
		if n := len(*list.names); n > maxHeld {
			return p, graph.Invalid(list.field, "are %d; the limit is %d", n, maxHeld)
		}
		names := make([]string, 0, len(*list.names))
		for _, name := range *list.names {
			if err := graph.ValidateText(list.field, name, graph.MaxName); err != nil {
				return p, err
			}
			if name = list.written(name); name == "" {
				return p, graph.Invalid(list.field, "names an empty one; leave it out")
			}
			names = append(names, name)
		}
		slices.Sort(names)
		*list.names = slices.Compact(names)
	}
	return p, nil
}

// mayTrust fails for models and documents: only users and persons decide what is believed.
func mayTrust(ctx context.Context) error {
	if own := graph.OriginOf(ctx).Cap; own.Below(graph.AuthorityUser) {
		return change.Forbidden("authority", "the word of %s does not say what is believed; use a way in or a key with the authority of a user or a person",
			own.Article())
	}
	return nil
}

// SetTrustPolicy sets what a group withholds until somebody confirms it, and makes the group if it
// is missing. The policy applies to all facts at once, except that RecordsSucceed applies to later
// episodes only.
func (e *Editor) SetTrustPolicy(ctx context.Context, groupID string, p graph.TrustPolicy) error {
	p, err := prepared(p)
	if err != nil {
		return err
	}
	if err := mayTrust(ctx); err != nil {
		return err
	}
	err = e.ByHand(ctx, groupID, "policy", func(t *change.Tx) error {
		if err := intake.EnsureGroup(ctx, t.Queries, groupID); err != nil {
			return err
		}
		if err := t.Queries.WeighLater(ctx, true); err != nil {
			return err
		}
		err := t.Queries.TrustPolicySet(ctx, db.TrustPolicySetParams{
			GroupID: groupID, HoldAssistants: p.Assistants, HoldDocuments: p.Documents, HoldThreads: p.Threads, RecordsSucceed: p.RecordsSucceed,
			HoldDoors: p.Doors, HoldRoles: p.Roles, HoldSources: p.Sources, HoldRelations: p.Relations, ProofOfSkills: int32(p.SkillProof),
		})
		if err != nil {
			return err
		}
		return Settle(ctx, t, nil) // a trigger forgets the summaries of conversations
	})
	return change.Failed(err, "set what %s withholds", groupID)
}

// Confirm confirms facts by hand, or takes that back (undo): all of them, or none. A confirmed fact
// is believed. The facts that dispute it are weighed against the authority of the confirmer, later
// ones against that of a user. It returns the facts as they are afterwards, without those to which
// others of them left no time. Versions are those of [Decision].
func (e *Editor) Confirm(ctx context.Context, groupID string, ids []uuid.UUID, undo bool, versions ...string) ([]graph.Fact, error) {
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
	var facts []graph.Fact
	err := e.ByHand(ctx, groupID, action, func(t *change.Tx) (err error) {
		if err := thereToConfirm(ctx, t, ids); err != nil && len(versions) == 0 {
			return err
		}
		if err := inVersions(ctx, t.Queries, groupID, ids, versions); err != nil {
			return err
		}
		if err := decide(ctx, t, action, ids, undo); err != nil {
			return err
		}
		if err := Settle(ctx, t, slices.Clone(ids)); err != nil {
			return err
		}
		if undo {
			moments, err := confirmedAt(ctx, t, ids...)
			if err := errors.Join(err, unsettle(ctx, t, moments)); err != nil {
				return err
			}
		}
		facts, err = t.Facts(ctx, ids)
		return err
	})
	if err != nil {
		return nil, change.Failed(err, "%s %s", action, each.Count(len(ids), "fact"))
	}
	each.Sort(facts, func(a, b graph.Fact) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return facts, nil
}

// thereToConfirm fails if a fact to confirm or unconfirm does not exist. A confirmed fact passes
// even if it has lost all its time since.
func thereToConfirm(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	confirmed, err := t.Queries.FactsConfirmed(ctx, db.FactsConfirmedParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return err
	}
	rejected, err := t.Queries.FactsStandRejected(ctx, db.FactsStandRejectedParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return err
	}
	_, err = believed(ctx, t, slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool {
		return slices.Contains(confirmed, id) && !slices.Contains(rejected, id)
	}))
	return err
}

// believed reads current facts in the order of their ids.
func believed(ctx context.Context, t *change.Tx, ids []uuid.UUID) ([]graph.Fact, error) {
	facts := make([]graph.Fact, len(ids))
	for i, id := range ids {
		var err error
		if facts[i], err = t.Fact(ctx, id); err != nil {
			return nil, err
		}
	}
	return facts, nil
}

// decide records that facts become confirmed, or cease to be. A lower authority does not undo a
// higher one.
func decide(ctx context.Context, t *change.Tx, action string, ids []uuid.UUID, undo bool) error {
	confirmed, err := t.Queries.FactsConfirmed(ctx, db.FactsConfirmedParams{GroupID: t.GroupID, Ids: ids})
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
		if err := t.MayChange(ctx, open...); err != nil {
			return err
		}
	}
	return t.Queries.DecisionsNote(ctx, db.DecisionsNoteParams{GroupID: t.GroupID, Action: action, Kind: graph.KindFact, Ids: open})
}

// Release takes episodes out of quarantine by hand, or puts them back, and returns how many it
// changed. The facts of released episodes become believed and end what they contradict. When
// episodes are put back, those endings are undone.
func (e *Editor) Release(ctx context.Context, groupID string, r graph.Release) (int, error) {
	if err := errors.Join(r.Validate(), mayTrust(ctx)); err != nil {
		return 0, err
	}
	action := "release"
	if r.Hold {
		action = "hold"
	}
	var changed []uuid.UUID
	err := e.ByHand(ctx, groupID, action, func(t *change.Tx) (err error) {
		changed, err = release(ctx, t, action, r)
		return err
	})
	if err != nil {
		return 0, change.Failed(err, "%s episodes of %s", action, groupID)
	}
	return len(changed), nil
}

func release(ctx context.Context, t *change.Tx, action string, r graph.Release) ([]uuid.UUID, error) {
	if err := episodesThere(ctx, t, r.EpisodeIDs); err != nil {
		return nil, err
	}
	var named []uuid.UUID // nil: any
	if len(r.EpisodeIDs) > 0 {
		named = r.EpisodeIDs
	}
	changed, err := t.Queries.EpisodesToRelease(ctx, db.EpisodesToReleaseParams{
		GroupID: t.GroupID, Ids: named, ThreadID: db.Nullable(r.ThreadID), Hold: r.Hold,
	})
	if err != nil || len(changed) == 0 {
		return nil, err
	}
	facts, err := t.Queries.FactsStatedBy(ctx, db.FactsStatedByParams{GroupID: t.GroupID, EpisodeIds: changed})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(
		t.Queries.DecisionsNote(ctx, db.DecisionsNoteParams{GroupID: t.GroupID, Action: action, Kind: graph.KindEpisode, Ids: changed}),
		Settle(ctx, t, append([]uuid.UUID{}, facts...)), forgetThreads(ctx, t, changed)); err != nil {
		return nil, err
	}
	if !r.Hold {
		return changed, nil
	}
	moments, err := releasedAt(ctx, t, changed)
	return changed, errors.Join(err, unsettle(ctx, t, moments))
}

// forgetThreads deletes the summaries of conversations whose messages enter or leave quarantine.
func forgetThreads(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	threads, err := t.Queries.ThreadsOfMessages(ctx, db.ThreadsOfMessagesParams{GroupID: t.GroupID, Ids: ids})
	if err != nil || len(threads) == 0 {
		return err
	}
	_, err = t.Queries.ThreadsForget(ctx, db.ThreadsForgetParams{GroupID: t.GroupID, Ids: threads})
	return err
}

func episodesThere(ctx context.Context, t *change.Tx, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	there, err := t.Queries.EpisodesThere(ctx, db.EpisodesThereParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.Contains(there, id) {
			return change.NotFound("episodes", "group %s has no episode %s; 'annals episodes' lists them", t.GroupID, id)
		}
	}
	return nil
}
