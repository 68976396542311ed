package longmemeval

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/eval/answer"
	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
	"github.com/annalsdb/annals/internal/eval/suite"
)

// Corpus is the set of turns that is searched.
type Corpus string

// The corpora.
const (
	// UserTurns is the authors' protocol: each question has its own haystack, and
	// only the user's turns are indexed.
	UserTurns Corpus = "user"
	// BothRoles also indexes the assistant's turns, as a memory in use does.
	BothRoles Corpus = "both"
	// Pooled is one memory with the sessions of all questions, both roles.
	Pooled Corpus = "pooled"
)

// Corpora lists all corpora.
var Corpora = []Corpus{UserTurns, BothRoles, Pooled}

// The measures of each question.
var measures = []ranking.Measure{
	ranking.SessionAny(1), ranking.SessionAny(5), ranking.SessionAll(5), ranking.SessionNDCG(5), ranking.SessionAny(10), ranking.SessionAll(10),
	ranking.TurnRecall(5), ranking.TurnRecall(10), ranking.TurnRecall(20), ranking.TurnRecall(50),
	ranking.TurnNDCG(10), ranking.TurnReciprocalRank(),
}

// Evaluate measures how well the evidence of questions is found in each corpus.
// Each haystack is a group of its own, named prefix-longmemeval-corpus-question.
//
// As in the authors' protocol, a turn is gold if it is labelled. A session is
// gold if its id contains "answer" and it has an indexed labelled turn. Questions
// without a labelled turn of the user, and abstention questions, are skipped.
// Sessions are ranked by their best turn, and by a search for conversations.
// Sessions dated after the question are included.
//
// With an examiner, a model also answers the questions, including abstention
// questions.
func Evaluate(
	ctx context.Context, client *annals.Client, questions []Question, corpora []Corpus, prefix string, options retrieve.Options, examiner *answer.Examiner,
) (retrieve.Report, error) {
	run := suite.Begin(client, "LongMemEval", prefix, options, examiner, measures,
		"user: a haystack for each question, only what the user said, as the authors do it; both: with what the assistant said; "+
			"pooled: the sessions of all questions in one memory, both roles.",
		"Of sessions, any and all is whether one or all of the gold ones are found; NDCG is the authors'.")
	run.Report.Questions = len(questions)
	for _, q := range questions {
		switch reason := skipped(q); reason {
		case "":
			run.Report.Scored++
		default:
			run.Report.Skip(reason)
		}
	}
	var searched []string // descriptions of the corpora
	for _, corpus := range corpora {
		sessions, err := search(ctx, run, corpus, questions)
		if err != nil {
			return run.Report, err
		}
		searched = append(searched, fmt.Sprintf("%s: %d sessions, %d turns", corpus, len(sessions), len(turnsOf(sessions, corpus))))
	}
	return run.End(strings.Join(searched, "; ")), nil
}

// skipped returns why a question is not scored; empty: it is.
func skipped(q Question) string {
	switch {
	case q.Abstention():
		return "abstention"
	case len(goldOf(q, UserTurns).Turns) == 0:
		return "no labelled turn of the user"
	}
	return ""
}

// search asks the questions of a corpus, and returns its sessions.
func search(ctx context.Context, run *suite.Run, corpus Corpus, questions []Question) ([]Session, error) {
	if corpus == Pooled {
		sessions := pool(questions...)
		return sessions, ask(ctx, run, corpus, nameOf(questions), sessions, questions)
	}
	var all []Session
	for _, q := range questions {
		if !run.Answers() && skipped(q) != "" {
			continue // its haystack has no question
		}
		sessions := pool(q)
		all = append(all, sessions...)
		if err := ask(ctx, run, corpus, q.ID, sessions, []Question{q}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ask fills a group with sessions and asks the questions of it.
func ask(ctx context.Context, run *suite.Run, corpus Corpus, name string, sessions []Session, questions []Question) error {
	turns := turnsOf(sessions, corpus)
	memory, err := run.Fill(ctx, fmt.Sprintf("longmemeval-%s-%s", corpus, name), turns, retrieve.Threads)
	if err != nil {
		return err
	}
	memory.Beside(retrieve.SessionBaselines(turns))
	for _, q := range questions {
		if err := memory.Answer(ctx, q.task(corpus)); err != nil {
			return err
		}
		if skipped(q) != "" {
			continue
		}
		task := retrieve.Task{
			ID: q.ID, Group: string(corpus), Category: q.Type, Question: retrieve.Question{Text: q.Text, At: q.At}, Gold: goldOf(q, corpus),
		}
		if err := memory.Score(ctx, task); err != nil {
			return err
		}
	}
	return nil
}

// task returns the question for a model, with the rule of its type.
func (q Question) task(corpus Corpus) answer.Task {
	t := answer.Task{Corpus: string(corpus), Category: q.Type, Question: retrieve.Question{Text: q.Text, At: q.At}, Gold: q.Answer, Rule: answer.Contains}
	switch {
	case q.Abstention():
		t.Category, t.Rule = "abstention", answer.Abstained
	case q.Type == "temporal-reasoning":
		t.Rule = answer.Counted
	case q.Type == "knowledge-update":
		t.Rule = answer.Updated
	case q.Type == "single-session-preference":
		t.Rule = answer.Preferred
	}
	return t
}

// nameOf returns a name for the pool of the questions' sessions.
func nameOf(questions []Question) string {
	hash := fnv.New32a()
	for _, q := range questions {
		fmt.Fprintln(hash, q.ID)
	}
	return fmt.Sprintf("%d-%08x", len(questions), hash.Sum32())
}

// pool returns the distinct sessions of the questions, by time.
func pool(questions ...Question) []Session {
	var sessions []Session
	seen := map[string]bool{}
	for _, q := range questions {
		for _, s := range q.Sessions {
			if !seen[s.ID] {
				seen[s.ID] = true
				sessions = append(sessions, s)
			}
		}
	}
	each.Sort(sessions, func(a, b Session) int { return a.At.Compare(b.At) })
	return sessions
}

// turnsOf returns the turns that a corpus indexes, a second apart. It drops empty
// ones.
func turnsOf(sessions []Session, corpus Corpus) []retrieve.Turn {
	var turns []retrieve.Turn
	for _, s := range sessions {
		for i, t := range s.Turns {
			if indexed(t, corpus) {
				turns = append(turns, retrieve.Turn{
					ID: turnID(s, i), Session: s.ID, Role: t.Role, Text: t.Content, At: s.At.Add(time.Duration(i) * time.Second),
				})
			}
		}
	}
	return turns
}

func indexed(t Turn, corpus Corpus) bool {
	return (corpus != UserTurns || t.Role == "user") && strings.TrimSpace(t.Content) != ""
}

func turnID(s Session, i int) string { return fmt.Sprintf("%s:%d", s.ID, i) }

func goldOf(q Question, corpus Corpus) ranking.Gold {
	var gold ranking.Gold
	for _, s := range q.Sessions {
		if !strings.Contains(s.ID, "answer") {
			continue
		}
		before := len(gold.Turns)
		for i, t := range s.Turns {
			if t.HasAnswer && indexed(t, corpus) {
				gold.Turns = append(gold.Turns, turnID(s, i))
			}
		}
		if len(gold.Turns) > before {
			gold.Sessions = append(gold.Sessions, s.ID)
		}
	}
	return gold
}
