package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// yield keeps what a higher authority said from being ended, dated or taken back
// by a lower one. What the lower one says against it is disputed instead.
func (e *Engine) yield(ctx context.Context, d *draft) error {
	words, err := e.wordsOf(ctx, d)
	if err != nil || len(words) == 0 {
		return err
	}
	below := func(episode int, k *knownFact) bool { return d.episodes[episode].Authority.Below(words[k.ID]) }
	for _, f := range d.facts {
		f.yields = f.duplicateOf != nil && below(f.episode, f.duplicateOf)
		f.contradicts = slices.DeleteFunc(f.contradicts, func(k *knownFact) bool {
			if !below(f.episode, k) {
				return false
			}
			f.disputedBy = append(f.disputedBy, k)
			d.note(note{
				episodes: []int{f.episode}, step: stepResolveFacts, decision: decidedDisputed, subject: f.fact, fact: k.ID,
				reason: fmt.Sprintf("it contradicts what a %s said, which a %s does not end: %s", words[k.ID], d.episodes[f.episode].Authority, k.Fact.Fact),
			})
			return true
		})
	}
	d.retracted = slices.DeleteFunc(d.retracted, func(r retraction) bool {
		if !below(r.episode, r.fact) {
			return false
		}
		d.note(note{
			episodes: []int{r.episode}, step: stepResolveFacts, decision: decidedDisputed, subject: r.fact.Fact.Fact, fact: r.fact.ID,
			reason: fmt.Sprintf("a %s said it, and a %s does not take it back", words[r.fact.ID], d.episodes[r.episode].Authority),
		})
		return true
	})
	return nil
}

// wordsOf finds whose word the known facts are that the draft would change. It
// is empty where nobody's word is above that of the episodes.
func (e *Engine) wordsOf(ctx context.Context, d *draft) (map[uuid.UUID]graph.Authority, error) {
	words := map[uuid.UUID]graph.Authority{}
	var stored []uuid.UUID
	for _, k := range d.concerned() {
		switch {
		case k.sibling != nil:
			words[k.ID] = d.episodes[k.sibling.episode].Authority
		case words[k.ID] == "":
			stored = append(stored, k.ID)
		}
	}
	if len(stored) == 0 || !slices.ContainsFunc(d.episodes, func(e graph.Episode) bool { return e.Authority != graph.AuthorityPerson }) {
		return words, nil
	}
	rows, err := db.New(e.store).FactAuthorities(ctx, db.FactAuthoritiesParams{GroupID: d.groupID, Ids: stored})
	if err != nil {
		return nil, fmt.Errorf("find whose word the known facts are: %w", err)
	}
	for _, row := range rows {
		words[row.ID] = row.Authority
	}
	return words, nil
}

// concerned lists the known facts that the draft repeats, contradicts or takes back.
func (d *draft) concerned() []*knownFact {
	var facts []*knownFact
	for _, f := range d.facts {
		if f.duplicateOf != nil {
			facts = append(facts, f.duplicateOf)
		}
		facts = append(facts, f.contradicts...)
	}
	for _, r := range d.retracted {
		facts = append(facts, r.fact)
	}
	return facts
}

// disputes lists what is stored although it contradicts a higher authority.
func (d *draft) disputes() []db.DisputeInsertParams {
	var rows []db.DisputeInsertParams
	for _, f := range d.facts {
		id := f.id
		if f.duplicateOf != nil {
			id = f.duplicateOf.ID
		}
		if f.expired || f.duplicateOf != nil && f.duplicateOf.expired {
			continue
		}
		for _, k := range f.disputedBy {
			if k.expired || k.ID == id {
				continue
			}
			rows = append(rows, db.DisputeInsertParams{GroupID: d.groupID, FactID: id, DisputedBy: k.ID, EpisodeID: d.episodes[f.episode].ID})
		}
	}
	return rows
}

// mayChange fails where who writes stands below who said the fact.
func mayChange(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) error {
	own := graph.OriginOf(ctx).Cap
	if own == graph.AuthorityPerson {
		return nil
	}
	rows, err := q.FactAuthorities(ctx, db.FactAuthoritiesParams{GroupID: groupID, Ids: []uuid.UUID{id}})
	if err != nil {
		return fmt.Errorf("find whose word fact %s is: %w", id, err)
	}
	if len(rows) == 1 && own.Below(rows[0].Authority) {
		return &graph.Error{
			Code: graph.CodeForbidden, Field: "fact",
			Message: fmt.Sprintf("it is the word of a %s, which a %s does not change; use a way in or a key with more authority", rows[0].Authority, own),
		}
	}
	return nil
}
