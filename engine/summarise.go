package engine

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

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
// is to expire. What a repetition confirms is new to it.
func newsOf(n *node, d *draft) []string {
	var news []string
	for _, f := range d.facts {
		about := f.source == n || f.target == n
		disputed := slices.ContainsFunc(f.disputedBy, func(k *knownFact) bool { return !k.expired })
		if k := f.duplicateOf; about && k != nil && !k.expired && d.candidate(k) && !d.isHeld(f.episode) && !strings.Contains(n.Summary, stopped(k.Told())) && !slices.Contains(news, k.Told()) {
			news = append(news, k.Told())
		}
		if !about || !d.episodes[f.episode].ExpiresAt.IsZero() || f.duplicateOf != nil || f.expired || disputed || d.isHeld(f.episode) || f.valid.Until.Basis == temporal.Inferred {
			continue
		}
		if sentence := f.asFact(d.groupID).Told(); !strings.Contains(n.Summary, stopped(sentence)) && !slices.Contains(news, sentence) {
			news = append(news, sentence)
		}
	}
	for _, k := range d.changes() {
		if k.reopened() && !d.candidate(k) && !d.newlyDisputed(k) && (k.SourceID == n.ID || k.TargetID == n.ID) && !strings.Contains(n.Summary, stopped(k.Told())) {
			news = append(news, k.Told())
		}
	}
	return news
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
