package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/engine/timeline"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/pattern"
)

// disputeBelow lets a fact of lower authority dispute one of higher authority. It may not end, date
// or retract it. A withheld fact ranks below every believed one, and hearsay ranks below what
// somebody said of themself. A withheld fact is not ended either: it is disputed until it is
// believed.
func (w *walk) disputeBelow(ctx context.Context, d *draft) error {
	words, err := w.wordsOf(ctx, d)
	if err != nil || len(words) == 0 {
		return err
	}
	own, err := w.saidOfThemselves(ctx, d)
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
			words[k.ID] = word // for the facts that follow
		}
		f.datesNothing = f.duplicateOf != nil && word.below(words[f.duplicateOf.ID])
		f.contradicts = slices.DeleteFunc(f.contradicts, func(k *knownFact) bool {
			reason := fmt.Sprintf("it contradicts %s, which %s does not end: %s", words[k.ID].named(), word.named(), k.Fact.Fact)
			switch {
			case !words[k.ID].withheld && succeeds(word, words[k.ID]):
				return false
			case word.below(words[k.ID]):
			case words[k.ID].withheld && !k.saidIn(f.episode):
				if !word.withheld {
					f.disputes = append(f.disputes, k)
					d.decide(f.episode, stepResolveFacts, decidedDisputed, k.Fact.Fact, k.ID, "it waits to be approved, and contradicts: "+f.fact)
					return true
				}
				reason = "both wait to be approved, and end each other only then: " + k.Fact.Fact
			case own[k.ID] && d.teller(f) != "":
				reason = fmt.Sprintf("it is told at second hand, which does not end what %s said: %s", k.Source, k.Fact.Fact)
			default:
				return false
			}
			f.disputedBy = append(f.disputedBy, k)
			d.decide(f.episode, stepResolveFacts, decidedDisputed, f.fact, k.ID, reason)
			return true
		})
		f.approved, f.cameAt = word.approved, d.cameAt
		for _, k := range f.contradicts {
			k.approved = words[k.ID].approved
			if words[k.ID].below(word) && !succeeds(words[k.ID], word) {
				f.outranks = append(f.outranks, k)
			}
		}
	}
	d.retracted = slices.DeleteFunc(d.retracted, func(r retraction) bool {
		word := d.wordTakingBack(r)
		reason := fmt.Sprintf("it is %s, and %s does not take it back", words[r.fact.ID].named(), word.named())
		switch {
		case word.below(words[r.fact.ID]):
		case word.withheld && words[r.fact.ID].withheld && !r.fact.saidIn(r.episode):
			reason = "both wait to be approved, and take each other back no sooner"
		case own[r.fact.ID] && r.by != nil && d.teller(r.by.facts[0]) != "":
			reason = "what is told at second hand does not take back what " + r.fact.Source + " said"
		default:
			return false
		}
		d.decide(r.episode, stepResolveFacts, decidedDisputed, r.fact.Fact.Fact, r.fact.ID, reason)
		return true
	})
	return nil
}

// word is the authority behind a fact, with whether the group withholds the fact, when it begins,
// and when it was last said and approved.
type word struct {
	graph.Authority                 // of the speaker, or of the approver where that is higher
	against         graph.Authority // for comparisons with others: an approved fact counts as a user's
	withheld        bool
	since, said     time.Time
	approved        time.Time // zero: not approved
}

// word returns the authority behind an episode.
func (d *draft) word(episode int) word {
	e := d.episodes[episode]
	return word{Authority: e.Authority, against: e.Authority, withheld: d.isWithheld(episode), said: e.OccurredAt}
}

func (d *draft) wordOf(f *newFact) word {
	w := d.word(f.episode)
	w.since, w.withheld = f.claimed.Start, d.withholds(f)
	if a := d.approval(f); a != nil {
		w.approved = a.At
		if w.Authority.Below(a.Authority) {
			w.Authority = a.Authority
		}
		if w.against.Below(graph.AuthorityUser) {
			w.against = graph.AuthorityUser
		}
	}
	return w
}

// wordTakingBack returns the authority behind a retraction. A retraction is withheld if the facts
// that state it are, or if the group withholds the predicate of the retracted fact.
func (d *draft) wordTakingBack(r retraction) word {
	w := d.word(r.episode)
	w.withheld = w.withheld || d.withholdsRelation(r.fact.Predicate) || r.by != nil && slices.ContainsFunc(r.by.facts, d.withholds)
	return w
}

// below reports whether a word ranks below another.
func (w word) below(other word) bool {
	if w.withheld != other.withheld {
		return w.withheld
	}
	return w.Authority.Below(other.against)
}

func (w word) named() string {
	if w.withheld {
		return "the word of " + w.Article() + " that is withheld"
	}
	return "the word of " + w.Article()
}

// keepsTimeOverLower keeps the time of a fact that a fact of lower authority would end, and
// disputes the lower one.
func (d *draft) keepsTimeOverLower(f *newFact, k *knownFact, r timeline.Resolution) bool {
	if !slices.Contains(f.outranks, k) || r.Expired != timeline.New && r.New.Equal(f.valid) {
		return false
	}
	f.disputes = append(f.disputes, k)
	d.decide(f.episode, stepApplyTime, decidedDisputed, k.Fact.Fact, k.ID, "it does not end what a higher authority says: "+f.fact)
	return true
}

// wordsOf finds the authority behind each known fact that the draft repeats, contradicts or
// retracts.
func (w *walk) wordsOf(ctx context.Context, d *draft) (map[uuid.UUID]word, error) {
	words := map[uuid.UUID]word{}
	candidates := map[uuid.UUID]bool{}
	since := map[uuid.UUID]time.Time{}
	var stored []uuid.UUID
	for _, k := range d.relatedFacts() {
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
		words[row.ID] = word{
			Authority: row.Authority, against: row.AgainstOthers, withheld: candidates[row.ID], since: since[row.ID], said: row.LastSaid, approved: row.ConfirmedAt,
		}
	}
	return words, nil
}

// relatedFacts lists the known facts that the draft repeats, contradicts or retracts.
func (d *draft) relatedFacts() []*knownFact {
	var facts []*knownFact
	for _, f := range d.facts {
		if f.duplicateOf != nil {
			facts = append(facts, f.duplicateOf)
		}
		facts = append(facts, f.contradicts...)
	}
	return append(facts, each.Of(d.retracted, func(r retraction) *knownFact { return r.fact })...)
}

// disputes lists the disputes to store: facts that contradict a higher authority. A fact that was
// left no time is disputed if it comes back.
func (d *draft) disputes() []db.DisputeInsertParams {
	var rows []db.DisputeInsertParams
	for _, f := range d.facts {
		if f.duplicateOf != nil && f.duplicateOf.expired {
			continue
		}
		id := f.storedID()
		for _, k := range f.disputes {
			if f.expired || k.expired || k.ID == id {
				continue
			}
			episode := d.episodes[f.episode].ID
			if k.Trust == graph.TrustCandidate && len(k.Episodes) > 0 {
				episode = k.Episodes[0] // another fact may take the place of this one
			}
			rows = append(rows, db.DisputeInsertParams{GroupID: d.groupID, FactID: k.ID, DisputedBy: id, EpisodeID: episode})
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

// confirmed lists the disputed facts that the draft repeats first-hand.
func (d *draft) confirmed() []uuid.UUID {
	ids := []uuid.UUID{}
	for _, f := range d.facts {
		if k := f.duplicateOf; k != nil && k.Trust == graph.TrustDisputed && len(f.disputedBy) == 0 && d.teller(f) == "" {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

// believedAgain lists the candidates and disputed facts that the draft repeats in a statement that
// is not withheld.
func (d *draft) believedAgain() []uuid.UUID {
	var ids []uuid.UUID
	for _, f := range d.facts {
		if k := f.duplicateOf; k != nil && k.sibling == nil && k.Trust != graph.TrustBelieved && !k.expired && !f.datesNothing && !d.withholds(f) {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

// A record of a tool or a document tells of a time. If that time is later than a user's statement,
// the two need not contradict each other: somebody who moved has two addresses. If the policy of
// the group says so, the record ends the older statement.

// successions returns a function that reports whether a record succeeds a statement. It reads the
// policy only if a later record meets the word of a user.
func (w *walk) successions(ctx context.Context, d *draft, words map[uuid.UUID]word) (func(record, statement word) bool, error) {
	never := func(word, word) bool { return false }
	for _, f := range d.facts {
		for _, k := range f.contradicts {
			a, b := d.wordOf(f), words[k.ID]
			if !a.isLaterRecord(b) && !b.isLaterRecord(a) {
				continue
			}
			policy, err := edit.TrustPolicyOf(ctx, db.New(w.store), d.groupID)
			if err != nil || !policy.RecordsSucceed {
				return never, err
			}
			return word.isLaterRecord, nil
		}
	}
	return never, nil
}

// isLaterRecord reports whether a word is a believed record whose time is a later day than a user's
// statement.
func (w word) isLaterRecord(statement word) bool {
	if w.Authority != graph.AuthorityDocument || w.withheld || statement.Authority != graph.AuthorityUser || w.since.IsZero() {
		return false
	}
	day := w.since.UTC().Truncate(24 * time.Hour)
	return day.After(statement.said) && day.After(statement.since)
}

// reportsSpeech matches phrases of reported speech, and captures who tells and the verb.
var reportsSpeech = pattern.New(`(?i)(?:([\p{L}'-]+) (?:has |have |just |also )*(says?|said|tells?|told|claims?|claimed|heard|hears|reports?|reported|mentioned)\b|\b(?:according to|apparently|reportedly|supposedly|rumou?rs?\b|word has it|i was told))`)

// somebody is the name of an unnamed source of hearsay.
const somebody = "somebody"

// teller returns the source of a fact that is hearsay: neither the speaker nor the subject of the
// fact. It is empty for any other fact.
func (d *draft) teller(f *newFact) string {
	speaker := d.episodes[f.episode].Speaker()
	if f.source.GoesUnder(speaker) {
		return ""
	}
	for _, text := range []string{f.fact, d.episodes[f.episode].Content} {
		m := reportsSpeech().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		named, heard := m[1], strings.HasPrefix(strings.ToLower(m[2]), "hear")
		switch low := strings.ToLower(named); {
		case low == "she" || low == "he" || low == "they" || low == "you" || low == "it":
			return ""
		case low == "i" || low == "we" || strings.EqualFold(named, speaker):
			if heard {
				return somebody
			}
			return ""
		case named == "":
			return somebody
		}
		if slices.ContainsFunc(append([]string{f.source.Name}, f.source.Aliases...), func(name string) bool { return wording.HoldsName(name, named) }) {
			return ""
		}
		if r, _ := utf8.DecodeRuneInString(named); !unicode.IsUpper(r) { // "a colleague says"
			return somebody
		}
		return named
	}
	return ""
}

// saidOfThemselves finds the known facts that their own subject stated and that hearsay of the
// draft contradicts or retracts.
func (w *walk) saidOfThemselves(ctx context.Context, d *draft) (map[uuid.UUID]bool, error) {
	own := map[uuid.UUID]bool{}
	stated := map[uuid.UUID][]*knownFact{} // by the id of the episode that states them
	note := func(f *newFact, k *knownFact) {
		if f.source.ID != k.SourceID {
			return
		}
		if k.sibling != nil {
			own[k.ID] = own[k.ID] || f.source.GoesUnder(d.episodes[k.sibling.episode].Speaker())
			return
		}
		for _, id := range k.Episodes {
			stated[id] = append(stated[id], k)
		}
	}
	for _, f := range d.facts {
		if len(f.contradicts) > 0 && d.teller(f) != "" {
			for _, k := range f.contradicts {
				note(f, k)
			}
		}
	}
	for _, r := range d.retracted {
		if r.by != nil && d.teller(r.by.facts[0]) != "" {
			note(r.by.facts[0], r.fact)
		}
	}
	if len(stated) == 0 {
		return own, nil
	}
	rows, err := db.New(w.store).EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: d.groupID, Ids: change.Keys(stated)})
	if err != nil {
		return nil, fmt.Errorf("find who said the known facts: %w", err)
	}
	for _, row := range rows {
		speaker := (graph.Episode{Actor: row.Actor, Role: row.Role}).Speaker()
		for _, k := range stated[row.ID] {
			own[k.ID] = own[k.ID] || d.subjectOf(k).GoesUnder(speaker)
		}
	}
	return own, nil
}

func (d *draft) subjectOf(k *knownFact) *change.Entity {
	for _, n := range d.nodes {
		if n.ID == k.SourceID {
			return n
		}
	}
	return &change.Entity{Entity: graph.Entity{Name: k.Source}}
}
