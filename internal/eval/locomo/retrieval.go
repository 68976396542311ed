package locomo

import (
	"context"
	"encoding/json"
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

// The measures of each question.
var measures = []ranking.Measure{
	ranking.TurnRecall(5), ranking.TurnRecall(10), ranking.TurnRecall(20), ranking.TurnRecall(50),
	ranking.TurnNDCG(10), ranking.TurnReciprocalRank(),
	ranking.SessionAny(1), ranking.SessionAny(5), ranking.SessionAny(10), ranking.SessionAll(5),
}

// Evaluate measures how well the evidence of questions is found. Each
// conversation is a group of its own, named prefix-locomo-sample. It asks the
// questions of categories 1 to 4, except those whose evidence is in no session.
// Recall is the share of the evidence found, as in the paper.
//
// With an examiner, a model also answers the questions.
func Evaluate(
	ctx context.Context, client *annals.Client, conversations []Conversation, prefix string, options retrieve.Options, examiner *answer.Examiner,
) (retrieve.Report, error) {
	run := suite.Begin(client, "LoCoMo", prefix, options, examiner, measures,
		"Captions of shared pictures are part of the text; summaries and observations of the data set are not searched.",
		"Adversarial questions have no true evidence. Evidence ids are read as they were meant (several in one, leading zeros); ids of no turn do not count.")
	turns, sessions := 0, 0
	for _, c := range conversations {
		said, err := turnsOf(c)
		if err != nil {
			return run.Report, err
		}
		turns, sessions = turns+len(said), sessions+len(c.Sessions)
		memory, err := run.Fill(ctx, "locomo-"+c.SampleID, said, retrieve.Threads)
		if err != nil {
			return run.Report, err
		}
		if err := ask(ctx, &run.Report, memory, c, said); err != nil {
			return run.Report, err
		}
	}
	return run.End(fmt.Sprintf("%d conversations, %d sessions, %d turns, each conversation searched by itself", len(conversations), sessions, turns)), nil
}

func turnsOf(c Conversation) ([]retrieve.Turn, error) {
	lines, err := Convert(spoken(c))
	if err != nil {
		return nil, err
	}
	turns := make([]retrieve.Turn, len(lines))
	for i, l := range lines {
		metadata, err := json.Marshal(l.Metadata)
		if err != nil {
			return nil, err
		}
		turns[i] = retrieve.Turn{
			ID: l.ExternalID, Session: l.ThreadID, Speaker: l.Actor, Text: l.Content, At: l.OccurredAt, Metadata: metadata,
		}
	}
	return turns, nil
}

// spoken removes empty turns, in which there is nothing to find.
func spoken(c Conversation) Conversation {
	c.Sessions = slices.Clone(c.Sessions)
	for i, session := range c.Sessions {
		c.Sessions[i].Turns = slices.DeleteFunc(slices.Clone(session.Turns), func(t Turn) bool { return strings.TrimSpace(contentOf(t)) == "" })
	}
	return c
}

// ask asks the questions of a conversation, as of its last turn.
func ask(ctx context.Context, report *retrieve.Report, memory *suite.Memory, c Conversation, turns []retrieve.Turn) error {
	sessions := map[string]string{}
	var at time.Time
	for _, t := range turns {
		sessions[t.ID], at = t.Session, t.At
	}
	for i, q := range c.Questions {
		report.Questions++
		if q.Category == Adversarial {
			report.Skip("adversarial")
			continue
		}
		question := retrieve.Question{Text: q.Text, At: at}
		err := memory.Answer(ctx, answer.Task{Category: q.Category.String(), Question: question, Gold: q.Answer, Rule: answer.Generous})
		if err != nil {
			return err
		}
		gold := goldOf(c.SampleID, q, sessions)
		if len(gold.Turns) == 0 {
			report.Skip("no usable evidence")
			continue
		}
		report.Scored++
		task := retrieve.Task{ID: fmt.Sprintf("%s:q%d", c.SampleID, i), Category: q.Category.String(), Question: question, Gold: gold}
		if err := memory.Score(ctx, task); err != nil {
			return err
		}
	}
	return nil
}

// goldOf returns the evidence that is in a session, by ids of episodes.
func goldOf(sample string, q Question, sessions map[string]string) ranking.Gold {
	var gold ranking.Gold
	for _, id := range q.Evidence {
		turn := sample + ":" + id
		session, there := sessions[turn]
		if !there {
			continue
		}
		if !slices.Contains(gold.Turns, turn) {
			gold.Turns = append(gold.Turns, turn)
		}
		if !slices.Contains(gold.Sessions, session) {
			gold.Sessions = append(gold.Sessions, session)
		}
	}
	return gold
}
