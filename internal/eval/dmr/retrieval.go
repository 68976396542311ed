package dmr

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/eval/answer"
	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
	"github.com/annalsdb/annals/internal/eval/suite"
)

// Evaluate measures, for want of evidence, what of the answer a context shows:
// the share of the answer's words (as stems, without frequent words and those
// that the question has already) that are in the first hits, or in a context of
// so many tokens. An answer that shares no word with its conversation is
// skipped. It is a stand-in: it sees neither paraphrases nor what the words are
// said of. Recorded answers are measured likewise, and as they were judged.
//
// The examiner, if there is one, has a model answer the questions as well.
func Evaluate(
	ctx context.Context, client *annals.Client, file File, prefix string, options retrieve.Options, examiner *answer.Examiner,
) (retrieve.Report, error) {
	run := suite.Begin(client, "DMR", prefix, options, examiner, measures(),
		"No turn is labelled as evidence. What is measured is the share of the answer's words that is shown; the benchmark itself is judged by a model.")
	run.Report.Questions = len(file.Samples) + len(file.Recorded)
	turns := 0
	for i, s := range file.Samples {
		said := s.turns()
		turns += len(said)
		memory, err := run.Fill(ctx, fmt.Sprintf("dmr-%d-%s", i, s.ID), said)
		if err != nil {
			return run.Report, err
		}
		if err := memory.Answer(ctx, answer.Task{Question: question(s), Gold: s.Answer, Rule: answer.Generous}); err != nil {
			return run.Report, err
		}
		if err := ask(ctx, run, memory, s, said); err != nil {
			return run.Report, err
		}
	}
	for _, r := range file.Recorded {
		recorded(r, run)
	}
	return run.End(fmt.Sprintf("%d conversations, %d turns, each searched by itself; %d recorded answers", len(file.Samples), turns, len(file.Recorded))), nil
}

// What stands in the place of a session for a recorded answer: how it was judged.
const right, wrong = "right", "wrong"

func measures() []ranking.Measure {
	all := []ranking.Measure{{Name: "judged right", Of: ranking.SessionAny(1).Of}}
	for _, k := range []int{1, 5, 10, 20} {
		all = append(all, ranking.Measure{Name: fmt.Sprintf("answer words in %d hits", k), Of: func(r ranking.Ranking, g ranking.Gold) float64 {
			shown := r[:min(k, len(r))].Turns()
			return ranking.Recall(shown, g.Turns, len(shown))
		}})
	}
	return all
}

func (s Sample) turns() []retrieve.Turn {
	var turns []retrieve.Turn
	for i, session := range s.Sessions {
		for j, t := range session.Turns {
			if strings.TrimSpace(t.Text) == "" {
				continue
			}
			turns = append(turns, retrieve.Turn{
				ID: fmt.Sprintf("S%d:%d", i+1, j+1), Session: fmt.Sprintf("S%d", i+1), Speaker: t.Speaker, Text: t.Text,
				At: session.At.Add(time.Duration(j) * time.Second),
			})
		}
	}
	return turns
}

func ask(ctx context.Context, run *suite.Run, memory *suite.Memory, s Sample, turns []retrieve.Turn) error {
	var said []string
	for _, t := range turns {
		said = append(said, ranking.Stems(t.Text)...)
	}
	words := slices.DeleteFunc(answerWords(s.Question, s.Answer), func(word string) bool { return !slices.Contains(said, word) })
	if len(words) == 0 {
		run.Report.Skip("no word of the answer was said")
		return nil
	}
	run.Report.Scored++
	all, contexts, err := memory.Find(ctx, question(s))
	if err != nil {
		return err
	}
	gold := ranking.Gold{Turns: words}
	for _, found := range all {
		found.Ranking = wordsShown(found.Ranking, words)
		run.Scores.AddRanks(found, "", gold)
	}
	for _, found := range contexts {
		found.Ranking = wordsShown(found.Ranking, words)
		run.Scores.AddContexts(found, "", gold)
	}
	return nil
}

// question is asked the day after the last session.
func question(s Sample) retrieve.Question {
	return retrieve.Question{Text: s.Question, At: LastSession.Add(24 * time.Hour)}
}

// answerWords are the stems that tell the answer from the question.
func answerWords(question, answer string) []string {
	asked := ranking.Stems(question)
	words := slices.DeleteFunc(ranking.Stems(answer), func(word string) bool { return slices.Contains(asked, word) })
	slices.Sort(words)
	return slices.Compact(words)
}

// wordsShown is a ranking of lines as one of the answer's words in them.
func wordsShown(r ranking.Ranking, words []string) ranking.Ranking {
	out := make(ranking.Ranking, len(r))
	for i, hit := range r {
		out[i] = ranking.Hit{Line: hit.Line, Tokens: hit.Tokens}
		stems := ranking.Stems(hit.Line)
		for _, word := range words {
			if slices.Contains(stems, word) {
				out[i].Sources = append(out[i].Sources, ranking.Source{Turn: word})
			}
		}
	}
	return out
}

func recorded(r Recorded, run *suite.Run) {
	run.Report.Scored++
	words := answerWords(r.Question, r.Answer)
	hit := wordsShown(ranking.Ranking{{Line: *r.Response, Tokens: retrieve.Tokens(*r.Response)}}, words)[0]
	verdict := wrong
	if r.Score > 0 {
		verdict = right
	}
	hit.Sources = append(hit.Sources, ranking.Source{Session: verdict})
	took := time.Duration(r.SearchMS * float64(time.Millisecond))
	found := retrieve.Found{Method: "answers recorded in the file", Ranking: ranking.Ranking{hit}, Took: took}
	run.Scores.AddRanks(found, "", ranking.Gold{Turns: words, Sessions: []string{right}})
}
