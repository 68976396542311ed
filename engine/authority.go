package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// yield keeps what a higher authority said from being ended, dated or taken back
// by a lower one. What the lower one says against it is disputed instead. What is
// withheld counts for less than anything that is believed, and what is told at second
// hand for less than what somebody said of themself.
func (w *walk) yield(ctx context.Context, d *draft) error {
	words, err := w.wordsOf(ctx, d)
	if err != nil || len(words) == 0 {
		return err
	}
	below := func(episode int, k *knownFact) bool { return d.word(episode).below(words[k.ID]) }
	own, err := w.ownWords(ctx, d)
	if err != nil {
		return err
	}
	succeeds, err := w.successions(ctx, d, words)
	if err != nil {
		return err
	}
	for _, f := range d.facts {
		word := d.wordOf(f)
		if k := f.duplicateOf; k != nil && !word.below(words[k.ID]) {
			words[k.ID] = word // for what comes after it
		}
		f.yields = f.duplicateOf != nil && below(f.episode, f.duplicateOf)
		f.contradicts = slices.DeleteFunc(f.contradicts, func(k *knownFact) bool {
			reason := fmt.Sprintf("it contradicts %s, which %s does not end: %s", words[k.ID].named(), word.named(), k.Fact.Fact)
			switch {
			case succeeds(word, words[k.ID]):
				return false
			case below(f.episode, k):
			case own[k.ID] && d.teller(f) != "":
				reason = fmt.Sprintf("it is told at second hand, which does not end what %s said: %s", k.Source, k.Fact.Fact)
			default:
				return false
			}
			f.disputedBy = append(f.disputedBy, k)
			d.note(note{
				episodes: []int{f.episode}, step: stepResolveFacts, decision: decidedDisputed, subject: f.fact, fact: k.ID, reason: reason,
			})
			return true
		})
		for _, k := range f.contradicts {
			if words[k.ID].below(word) && !succeeds(words[k.ID], word) {
				f.outranks = append(f.outranks, k)
			}
		}
	}
	d.retracted = slices.DeleteFunc(d.retracted, func(r retraction) bool {
		reason := fmt.Sprintf("it is %s, and %s does not take it back", words[r.fact.ID].named(), d.word(r.episode).named())
		switch {
		case below(r.episode, r.fact):
		case own[r.fact.ID] && r.by != nil && d.teller(r.by.facts[0]) != "":
			reason = "what is told at second hand does not take back what " + r.fact.Source + " said"
		default:
			return false
		}
		d.note(note{
			episodes: []int{r.episode}, step: stepResolveFacts, decision: decidedDisputed, subject: r.fact.Fact.Fact, fact: r.fact.ID, reason: reason,
		})
		return true
	})
	return nil
}

// word is whose word something is, whether it is believed at all, and of which time it
// tells: since when, if it says so, and when it was last said.
type word struct {
	graph.Authority
	withheld    bool
	since, said time.Time
}

func (d *draft) word(episode int) word {
	return word{Authority: d.episodes[episode].Authority, withheld: d.isHeld(episode), said: d.episodes[episode].OccurredAt}
}

// wordOf is the word that states a new fact.
func (d *draft) wordOf(f *newFact) word {
	w := d.word(f.episode)
	w.since = f.claimed.Start
	return w
}

// below reports whether a word gives way to another.
func (w word) below(other word) bool {
	if w.withheld != other.withheld {
		return w.withheld
	}
	return w.Authority.Below(other.Authority)
}

func (w word) named() string {
	if w.withheld {
		return "the word of " + w.Article() + " that is withheld"
	}
	return "the word of " + w.Article()
}

// keepsItsTime lets a fact of a higher authority hold as long as it says although
// one of a lower authority begins meanwhile: that one is disputed by it.
func (d *draft) keepsItsTime(f *newFact, k *knownFact, r temporal.Resolution) bool {
	if !slices.Contains(f.outranks, k) || r.Expired != temporal.New && r.New.Equal(f.valid) {
		return false
	}
	f.disputes = append(f.disputes, k)
	d.note(note{
		episodes: []int{f.episode}, step: stepApplyTime, decision: decidedDisputed, subject: k.Fact.Fact, fact: k.ID,
		reason: "it does not end what a higher authority says: " + f.fact,
	})
	return true
}

// wordsOf finds whose word the known facts are that the draft repeats,
// contradicts or takes back.
func (w *walk) wordsOf(ctx context.Context, d *draft) (map[uuid.UUID]word, error) {
	words := map[uuid.UUID]word{}
	candidates := map[uuid.UUID]bool{}
	since := map[uuid.UUID]time.Time{}
	var stored []uuid.UUID
	for _, k := range d.concerned() {
		switch {
		case k.sibling != nil:
			words[k.ID] = d.wordOf(k.sibling)
		case !slices.Contains(stored, k.ID):
			stored, candidates[k.ID], since[k.ID] = append(stored, k.ID), k.Trust == graph.TrustCandidate, k.Valid.Start
		}
	}
	if len(stored) == 0 {
		return words, nil
	}
	rows, err := db.New(w.store).FactAuthorities(ctx, db.FactAuthoritiesParams{GroupID: d.groupID, Ids: stored})
	if err != nil {
		return nil, fmt.Errorf("find whose word the known facts are: %w", err)
	}
	for _, row := range rows {
		words[row.ID] = word{row.Authority, candidates[row.ID], since[row.ID], row.LastSaid}
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
		for _, k := range f.disputes {
			if !k.expired && k.ID != id {
				rows = append(rows, db.DisputeInsertParams{GroupID: d.groupID, FactID: k.ID, DisputedBy: id, EpisodeID: d.episodes[f.episode].ID})
			}
		}
		if f.expired || f.duplicateOf != nil && f.duplicateOf.expired {
			continue
		}
		for _, k := range f.disputedBy {
			if k.expired || k.ID == id {
				continue
			}
			rows = append(rows, db.DisputeInsertParams{GroupID: d.groupID, FactID: id, DisputedBy: k.ID, EpisodeID: d.episodes[f.episode].ID, ToldBy: d.teller(f)})
		}
	}
	return rows
}

// confirmed lists the disputed facts that the draft says again, not at second hand.
func (d *draft) confirmed() []uuid.UUID {
	ids := []uuid.UUID{}
	for _, f := range d.facts {
		if k := f.duplicateOf; k != nil && k.Trust == graph.TrustDisputed && len(f.disputedBy) == 0 && d.teller(f) == "" {
			ids = append(ids, k.ID)
		}
	}
	return ids
}
