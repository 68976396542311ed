package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

const (
	// The most questions put to the analyst while placing a draft. With the two
	// that read it they make four.
	maxQuestions = 2

	// How long a summary may grow while no question is left to shorten it.
	overlongSummary = 4 * DefaultSummaryLimit
)

// summarise extends the summaries of the entities by their new facts, and removes
// what ended. The analyst is asked only to shorten those that grow
// over the limit, all in one question. When the draft has used up its
// questions, they wait for the next one that has not.
func (e *Engine) summarise(ctx context.Context, d *draft) error {
	if err := e.loadClosedEnds(ctx, d); err != nil {
		return err
	}
	if err := e.findExpiring(ctx, d); err != nil {
		return err
	}
	for _, n := range d.touched() {
		n.forget(d)
	}
	var question prompts.SummariseEntities
	var open []*node
	for _, n := range d.mentioned() {
		news := newsOf(n, d)
		extended := join(n.Summary, news)
		if len(news) == 0 || len(extended) <= DefaultSummaryLimit || d.questions == maxQuestions {
			n.setSummary(latestWords(extended, overlongSummary))
			continue
		}
		open = append(open, n)
		question.Entities = append(question.Entities, prompts.EntityToSummarise{
			ID: len(open), Name: n.Name, Summary: n.Summary, NewFacts: news, Limit: DefaultSummaryLimit,
		})
	}
	if len(open) == 0 {
		return nil
	}
	return e.shorten(ctx, d, question, open)
}

// findExpiring notes which known facts that the draft repeats or opens again are to
// expire. Of these no summary tells, as it would outlive them.
func (e *Engine) findExpiring(ctx context.Context, d *draft) error {
	d.expiring = map[uuid.UUID]bool{}
	var ids []uuid.UUID
	for _, f := range d.facts {
		if k := f.duplicateOf; k != nil && k.sibling == nil {
			ids = append(ids, k.ID)
		}
	}
	for _, k := range d.changes() {
		if k.reopened() {
			ids = append(ids, k.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := db.New(e.store).Expiring(ctx, db.ExpiringParams{GroupID: d.groupID, Ids: ids})
	if err != nil {
		return fmt.Errorf("find what is to expire: %w", err)
	}
	for _, row := range rows {
		d.expiring[row.ID] = row.Itself
	}
	return nil
}

// shorten asks for summaries within the limit. Without one that fits, the
// summary keeps its latest words.
func (e *Engine) shorten(ctx context.Context, d *draft, question prompts.SummariseEntities, open []*node) error {
	d.questions++
	summaries := make([]string, len(open))
	for batch := range slices.Chunk(question.Entities, maxAsked/2) {
		answer, err := e.analyst.SummariseEntities(ctx, prompts.SummariseEntities{Entities: batch})
		if err != nil {
			return analysed(ctx, stepSummarise, err)
		}
		for _, s := range answer.Summaries {
			if s.ID >= 1 && s.ID <= len(open) && summaries[s.ID-1] == "" {
				summaries[s.ID-1], _ = cleanText(s.Summary, 2*DefaultSummaryLimit)
			}
		}
	}
	for i, n := range open {
		reason := "by " + e.analyst.Name()
		if summaries[i] == "" || len(summaries[i]) > 2*DefaultSummaryLimit {
			summaries[i] = latestWords(join(question.Entities[i].Summary, question.Entities[i].NewFacts), DefaultSummaryLimit)
			reason = "to its latest sentences, as no summary was given that fits"
		}
		n.setSummary(summaries[i])
		d.note(note{step: stepSummarise, decision: decidedShortened, subject: n.Name, reason: reason, entity: n})
	}
	return nil
}

// latestWords keeps the end of a text, from the beginning of a sentence where
// there is one.
func latestWords(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = strings.ToValidUTF8(s[len(s)-limit:], "")
	if i := strings.Index(s, ". "); i >= 0 && i+2 < len(s) {
		return s[i+2:]
	}
	return strings.TrimSpace(s)
}

// loadClosedEnds brings in the entities of facts that change or are disputed from
// now on, whose summaries may speak of them.
func (e *Engine) loadClosedEnds(ctx context.Context, d *draft) error {
	var missing []uuid.UUID
	for _, k := range append(d.changes(), d.outOfSummaries()...) {
		for _, id := range []uuid.UUID{k.SourceID, k.TargetID} {
			if !slices.ContainsFunc(d.nodes, func(n *node) bool { return n.ID == id }) {
				missing = append(missing, id)
			}
		}
	}
	nodes, err := e.loadNodes(ctx, d.groupID, missing)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		d.extra = append(d.extra, n)
	}
	return nil
}

// newsOf lists the sentences of the new facts about an entity, without those
// its summary already holds, without what other facts had ended already, without
// what is disputed or withheld, for which a summary has no mark, and without what
// is to expire. What a repetition confirms, or keeps from expiring, is new to it.
func newsOf(n *node, d *draft) []string {
	var news []string
	tell := func(sentence string) {
		if !strings.Contains(n.Summary, stopped(sentence)) && !slices.Contains(news, sentence) {
			news = append(news, sentence)
		}
	}
	for _, f := range d.facts {
		disputed := slices.ContainsFunc(f.disputedBy, func(k *knownFact) bool { return !k.expired })
		switch {
		case f.source != n && f.target != n, d.isHeld(f.episode), d.passes(f.episode):
		case f.duplicateOf != nil && d.firmer(f.duplicateOf):
			tell(f.duplicateOf.Told())
		case f.duplicateOf != nil, f.expired, disputed, f.valid.Until.Basis == temporal.Inferred:
		default:
			tell(f.asFact(d.groupID).Told())
		}
	}
	for _, k := range d.changes() {
		if k.reopened() && !d.candidate(k) && !d.passing(k) && !d.newlyDisputed(k) && (k.SourceID == n.ID || k.TargetID == n.ID) {
			tell(k.Told())
		}
	}
	return news
}

// passes reports whether an episode of the draft is to expire.
func (d *draft) passes(episode int) bool { return !d.episodes[episode].ExpiresAt.IsZero() }

// passing reports whether a known fact was to expire before the draft.
func (d *draft) passing(k *knownFact) bool {
	if k.sibling != nil {
		return d.passes(k.sibling.episode)
	}
	_, passing := d.expiring[k.ID]
	return passing
}

// firmer reports whether a known fact that is repeated for good may be told of from now
// on, and was not before: it was withheld, or only what is to expire stated it.
func (d *draft) firmer(k *knownFact) bool {
	return !k.expired && !d.expiring[k.ID] && (d.candidate(k) || d.passing(k))
}

// forget removes the sentences of facts that ended, or are disputed from now on,
// from the summary.
func (n *node) forget(d *draft) {
	for _, k := range d.outOfSummaries() {
		if k.SourceID == n.ID || k.TargetID == n.ID {
			n.setSummary(withoutSentence(n.Summary, k.Told()))
		}
	}
}

// outOfSummaries are the known facts of which summaries do not speak any more.
func (d *draft) outOfSummaries() []*knownFact {
	return slices.DeleteFunc(slices.Clone(d.known), func(k *knownFact) bool {
		return !k.expired && !k.ended() && !d.newlyDisputed(k)
	})
}

// newlyDisputed reports whether a new fact disputes a known one.
func (d *draft) newlyDisputed(k *knownFact) bool {
	return slices.ContainsFunc(d.facts, func(f *newFact) bool {
		return slices.ContainsFunc(f.disputes, func(o *knownFact) bool { return o.ID == k.ID })
	})
}

func (n *node) setSummary(s string) {
	if s != n.Summary {
		n.Summary = s
		n.changed = true
	}
}

func join(summary string, sentences []string) string {
	for _, s := range sentences {
		summary = strings.TrimSpace(summary + " " + stopped(s))
	}
	return summary
}

// stopped is a sentence with a final stop, so that it can be told from its neighbours.
func stopped(sentence string) string {
	sentence = strings.TrimSpace(sentence)
	if last, _ := utf8.DecodeLastRuneInString(sentence); sentence == "" || unicode.Is(unicode.STerm, last) {
		return sentence
	}
	return sentence + "."
}

// withoutSentence removes a whole sentence from a summary, wherever it stands.
func withoutSentence(summary, sentence string) string {
	sentence = stopped(sentence)
	kept := " " + summary + " "
	for sentence != "" && strings.Contains(kept, " "+sentence+" ") {
		kept = strings.Replace(kept, " "+sentence+" ", " ", 1)
	}
	return strings.Join(strings.Fields(kept), " ")
}
