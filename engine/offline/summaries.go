package offline

import (
	"cmp"
	"context"
	"slices"
	"strings"

	english "github.com/kljensen/snowball/english"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// How many members and topics a community's name has.
const (
	membersInName = 3
	topicsInName  = 2
)

// SummariseMembers quotes the members: the first sentence of each that fits the limit, then the
// second ones and so on, each once. If nothing fits, it lists their names. Like all summaries of
// the rules it is an extract: nothing is rephrased.
func (*Analyst) SummariseMembers(ctx context.Context, q prompts.SummariseMembers) (prompts.Summary, error) {
	texts := make([][]string, len(q.Members))
	var names []string
	for i, m := range q.Members {
		texts[i] = sentencesOf(m.Summary)
		names = append(names, m.Name)
	}
	if extract := inTurns(texts, q.Limit); extract != "" {
		return prompts.Summary{Summary: extract}, ctx.Err()
	}
	for n := len(names); n > 0; n-- {
		if list := listOf(names[:n]) + "."; len(list) <= q.Limit {
			return prompts.Summary{Summary: list}, ctx.Err()
		}
	}
	return prompts.Summary{}, ctx.Err()
}

// CombineSummaries quotes the summaries in the same way.
func (*Analyst) CombineSummaries(ctx context.Context, q prompts.CombineSummaries) (prompts.Summary, error) {
	texts := make([][]string, len(q.Summaries))
	for i, s := range q.Summaries {
		texts[i] = sentencesOf(s)
	}
	return prompts.Summary{Summary: inTurns(texts, q.Limit)}, ctx.Err()
}

// NameCommunity joins the names of the best connected members and the words that occur in most
// sentences of the summary, except those names.
func (*Analyst) NameCommunity(ctx context.Context, q prompts.NameCommunity) (prompts.CommunityName, error) {
	name := strings.Join(q.Members[:min(len(q.Members), membersInName)], ", ")
	if topics := topicsOf(q.Summary, q.Members); len(topics) > 0 {
		name = strings.TrimPrefix(name+": ", ": ") + strings.Join(topics, ", ")
	}
	return prompts.CommunityName{Name: name}, ctx.Err()
}

// inTurns takes the first sentence of each text, then the second of each and so on, if it still
// fits the limit and is no repetition. It returns them in the order of the texts.
func inTurns(texts [][]string, limit int) string {
	taken := make([][]string, len(texts))
	seen := map[string]bool{}
	length, longest := -1, 0 // no space before the first
	for _, t := range texts {
		longest = max(longest, len(t))
	}
	for turn := range longest {
		for i, t := range texts {
			if turn >= len(t) || t[turn] == "" || seen[fold(t[turn])] || length+1+len(t[turn]) > limit {
				continue
			}
			seen[fold(t[turn])] = true
			length += 1 + len(t[turn])
			taken[i] = append(taken[i], t[turn])
		}
	}
	return strings.Join(slices.Concat(taken...), " ")
}

// topicsOf returns words that at least two sentences of a text share and that are in no name, the
// most frequent first.
func topicsOf(text string, names []string) []string {
	inNames := contentWords(strings.Join(names, " "))
	sentences := map[string]int{}
	spelled := map[string]string{}
	for _, sentence := range sentencesOf(text) {
		for stem, word := range topicWords(sentence) {
			if !inNames[stem] {
				sentences[stem]++
				spelled[stem] = cmp.Or(spelled[stem], word)
			}
		}
	}
	var topics []string
	for stem, n := range sentences {
		if n > 1 {
			topics = append(topics, stem)
		}
	}
	slices.SortFunc(topics, func(a, b string) int { return cmp.Or(cmp.Compare(sentences[b], sentences[a]), cmp.Compare(a, b)) })
	topics = topics[:min(len(topics), topicsInName)]
	for i, stem := range topics {
		topics[i] = spelled[stem]
	}
	return topics
}

// topicWords returns the words of a sentence that may name a topic, by their stems: no common
// words, names or numbers, and of inflected verbs only gerunds.
func topicWords(sentence string) map[string]string {
	words := map[string]string{}
	for _, w := range strings.FieldsFunc(sentence, notInWord) {
		if len(w) > 2 && w == strings.ToLower(w) && !strings.ContainsAny(w, "0123456789") && !isCommon(w) && !english.IsStopWord(w) &&
			!dateWords[w] && !prepositions[w] && !modals[w] && !adverbs[w] && !isInflected(w) {
			words[english.Stem(w, false)] = w
		}
	}
	return words
}

// isInflected reports whether a word can only be a verb: "works", "played".
func isInflected(word string) bool {
	base := lemma(word)
	return base != "" && base != word && !isGerund(word)
}

// listOf joins names with commas and "and".
func listOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// SummariseThread keeps the latest plain statements of the conversation that fit the limit, each
// once.
func (*Analyst) SummariseThread(ctx context.Context, q prompts.SummariseThread) (prompts.ThreadSummary, error) {
	all := sentencesOf(q.Summary)
	for _, m := range q.Messages {
		if err := ctx.Err(); err != nil {
			return prompts.ThreadSummary{}, err
		}
		for _, s := range read(prompts.Episode{
			Source: string(graph.SourceMessage), Speaker: m.Speaker, Content: m.Content, OccurredAt: m.OccurredAt,
		}).said {
			for _, c := range s.claims {
				all = append(all, c.sentence)
			}
		}
	}
	return prompts.ThreadSummary{Summary: latest(all, q.Limit)}, nil
}

// latest returns the last sentences that fit, in order. It skips a sentence that is too long by
// itself.
func latest(sentences []string, limit int) string {
	var kept []string
	seen := map[string]bool{}
	length := -1 // no space before the first
	for _, s := range slices.Backward(sentences) {
		s = strings.TrimSpace(s)
		if s == "" || seen[fold(s)] || len(s) > limit {
			continue
		}
		if length += 1 + len(s); length > limit {
			break
		}
		seen[fold(s)] = true
		kept = append(kept, s)
	}
	slices.Reverse(kept)
	return strings.Join(kept, " ")
}
