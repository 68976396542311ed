package upkeep

import (
	"context"
	"errors"
	"slices"

	"github.com/annalsdb/annals/db"
)

// invariant is a rule that holds in every database, with the query for violations and their repair.
type invariant struct {
	name, says, do string
	removes        bool // mending removes the rows found
	ask            func(ctx context.Context, v *Verifier, q *db.Queries, groupID *string) ([]string, error)
	mend           func(ctx context.Context, v *Verifier, i invariant, groupID string) error // nil: it cannot be mended
}

const withFix = "'annals verify --fix' mends it"

func of(query func(q *db.Queries, ctx context.Context, groupID *string) ([]string, error)) func(context.Context, *Verifier, *db.Queries, *string) ([]string, error) {
	return func(ctx context.Context, _ *Verifier, q *db.Queries, groupID *string) ([]string, error) {
		return query(q, ctx, groupID)
	}
}

// invariants returns the rules in the order of their checks: mending one may mend the next. As they
// are a function, they are not linked into programs that never verify.
func invariants() []invariant {
	return []invariant{
		{
			name: "triggers", says: "every trigger of the schema is switched on", do: withFix + ", as the owner of the tables",
			ask: func(ctx context.Context, _ *Verifier, q *db.Queries, _ *string) ([]string, error) {
				return q.VerifyTriggers(ctx)
			},
			mend: switchOn,
		},
		{
			name: "content", says: "every episode has the text that was stored", do: "somebody changed it by SQL: restore the episode from a backup, or erase it",
			ask: of((*db.Queries).VerifyContent),
		},
		{
			name: "tombstones", says: "nothing is there that was erased", do: "erase it again: 'annals erase --group G --episode ID --yes', or without --episode where all of the group was erased; of facts, entities, groups, blocks and agents change the text",
			ask: of((*db.Queries).VerifyTombstones),
		},
		{
			name: "links", says: "no link leads to what is not there", do: withFix, ask: of((*db.Queries).VerifyLinks),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error { return q.MendLinks(ctx, f.groupID) }),
		},
		{
			name: "fact sources", says: "every fact is stated by an episode or was told by hand", do: withFix, ask: of((*db.Queries).VerifyFactSources),
			removes: true,
			mend:    locked(removeFacts),
		},
		{
			name: "trust", says: "every fact is believed as far as who says it is", do: withFix, ask: of((*db.Queries).VerifyTrust),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				_, err := q.FactsWeigh(ctx, db.FactsWeighParams{GroupID: f.groupID, Ids: f.ids})
				return err
			}),
		},
		{
			name: "rejections", says: "no fact is believed that was taken back later", do: withFix, ask: of((*db.Queries).VerifyRejections),
			removes: true,
			mend:    locked(removeFacts),
		},
		{
			name: "entity sources", says: "every entity is mentioned by an episode, has a fact, or was made by hand", do: withFix,
			ask: of((*db.Queries).VerifyEntitySources), removes: true,
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				_, err := q.EntitiesDelete(ctx, db.EntitiesDeleteParams{GroupID: f.groupID, Ids: f.ids})
				return err
			}),
		},
		{
			name: "audit", says: "the audit of every group is a whole chain", do: "somebody changed it by SQL: compare it with a backup, from the position named on",
			ask: of((*db.Queries).VerifyAudit),
		},
		{
			name: "bounds", says: "how the ends of a fact are known fits the ends", do: withFix, ask: of((*db.Queries).VerifyBounds),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				_, err := q.MendBounds(ctx, db.MendBoundsParams{GroupID: f.groupID, Ids: f.ids})
				return err
			}),
		},
		{
			name: "versions", says: "of everything one version is believed at a time, and those of blocks follow one another without a gap, but for what was erased",
			do:  "two versions claim one time, and nothing says which was believed: look at both with 'annals history', and restore the group from a backup",
			ask: of((*db.Queries).VerifyVersions),
		},
		{
			name: "names", says: "every entity is found by each of its names, and by no other", do: withFix, ask: of((*db.Queries).VerifyNames),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				return errors.Join(
					q.MendNamesDrop(ctx, db.MendNamesDropParams{GroupID: f.groupID, Ids: f.ids}),
					q.MendNamesMake(ctx, db.MendNamesMakeParams{GroupID: f.groupID, Ids: f.ids}))
			}),
		},
		{
			name: "words", says: "the terms of every row are those of its text", do: withFix, ask: of((*db.Queries).VerifyWords),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				return errors.Join(
					q.MendPostingsDrop(ctx, db.MendPostingsDropParams{GroupID: f.groupID, Kind: f.kind, Ids: f.ids}),
					q.MendWords(ctx, db.MendWordsParams{GroupID: f.groupID, Ids: f.ids}))
			}),
		},
		{
			name: "postings", says: "every row is found by its terms, and nothing else is", do: withFix, ask: of((*db.Queries).VerifyPostings),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				return errors.Join(
					q.MendPostingsDrop(ctx, db.MendPostingsDropParams{GroupID: f.groupID, Kind: f.kind, Ids: f.ids}),
					q.MendPostingsMake(ctx, db.MendPostingsMakeParams{GroupID: f.groupID, Kind: f.kind, Ids: f.ids}))
			}),
		},
		{
			name: "mentioned", says: "every episode mentions the ends of the facts that it states", do: withFix, ask: of((*db.Queries).VerifyMentioned),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				return q.MendMentioned(ctx, db.MendMentionedParams{GroupID: f.groupID, Ids: f.ids})
			}),
		},
		{name: "mentions", says: "the mentions of every entity are counted rightly", do: withFix, ask: of((*db.Queries).VerifyMentions), mend: recount},
		{name: "members", says: "the members of every community are counted rightly", do: withFix, ask: of((*db.Queries).VerifyCommunitySizes), mend: recount},
		{
			name: "documents", says: "the counts that searches rank by are near what there is", do: withFix, ask: of((*db.Queries).VerifyStatistics),
			mend: eachGroup(recountDocuments),
		},
		{
			name: "frequent terms", says: "terms that are counted as frequent are about that often there", do: withFix, ask: of((*db.Queries).VerifyFrequentTerms),
			mend: eachGroup(recountDocuments),
		},
		{
			name: "vector owners", says: "no vector is of what is gone, or of an embedder that was replaced", do: withFix, ask: of((*db.Queries).VerifyVectorOwners),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				return q.MendVectorOwners(ctx, db.MendVectorOwnersParams{GroupID: f.groupID, Ids: f.ids})
			}),
		},
		{
			name: "vectors", says: "every row that is searched has a vector of the embedder", do: withFix + "; else see that the embedder answers",
			ask: func(ctx context.Context, v *Verifier, q *db.Queries, groupID *string) ([]string, error) {
				return q.VerifyVectors(ctx, db.VerifyVectorsParams{Model: v.embedder.Name(), GroupID: groupID})
			},
			mend: eachGroup(fillAll),
		},
		{
			name: "threads", says: "no summary of a conversation covers what is gone", do: withFix, ask: of((*db.Queries).VerifyThreads),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				_, err := q.ThreadsForget(ctx, db.ThreadsForgetParams{GroupID: f.groupID, Ids: f.names})
				return err
			}),
		},
		{
			name: "standing answers", says: "no standing answer was made from what is not there", do: withFix + ": it is asked again", ask: of((*db.Queries).VerifyAnswers),
			mend: locked(func(ctx context.Context, q *db.Queries, f finding) error {
				return q.MendAnswers(ctx, db.MendAnswersParams{GroupID: f.groupID, Ids: f.ids})
			}),
		},
		{
			name: "communities", says: "communities are described as they are, an hour after they changed at the latest",
			do: withFix + ", as does 'annals communities build'",
			ask: func(ctx context.Context, _ *Verifier, q *db.Queries, groupID *string) ([]string, error) {
				return q.VerifyCommunitiesCurrent(ctx, db.VerifyCommunitiesCurrentParams{GroupID: groupID, GraceSeconds: communityGrace.Seconds()})
			},
			mend: eachGroup(describe),
		},
	}
}

func removeFacts(ctx context.Context, q *db.Queries, f finding) error {
	_, err := q.MendFactSources(ctx, db.MendFactSourcesParams{GroupID: f.groupID, Ids: f.ids})
	return err
}

func invariantNamed(name string) invariant {
	all := invariants()
	return all[slices.IndexFunc(all, func(i invariant) bool { return i.name == name })]
}
