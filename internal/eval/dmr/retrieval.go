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

// Evaluate measures how much of the answer a context shows, since no evidence is
// labelled. The measure is the share of the answer's words in the first hits, or
// in a context of a given size. Words are compared as stems; frequent words and
// those of the question are excluded. A question is skipped if no word of its
// answer occurs in the conversation. The measure ignores paraphrases and what the
// words refer to. Recorded answers get the same measure, and their published
// verdict.
//
// With an examiner, a model also answers the questions.
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

// Recorded answers have a verdict in place of a session.
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

// question returns the sample's question, asked the day after the last session.
func question(s Sample) retrieve.Question {
	return retrieve.Question{Text: s.Question, At: LastSession.Add(24 * time.Hour)}
}

// answerWords returns the stems of the answer that are not in the question.
func answerWords(question, answer string) []string {
	asked := ranking.Stems(question)
	words := slices.DeleteFunc(ranking.Stems(answer), func(word string) bool { return slices.Contains(asked, word) })
	slices.Sort(words)
	return slices.Compact(words)
}

// wordsShown converts a ranking of lines to a ranking of the answer's words in
// them.
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
