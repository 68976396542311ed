// Package suite runs the benchmarks of retrieval alike. It fills memories with
// conversations, asks questions, scores the results and writes a report.
package suite

import (
	"context"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/eval/answer"
	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
)

// Run is a running benchmark.
type Run struct {
	Report retrieve.Report
	Scores retrieve.Scores

	client   *annals.Client
	prefix   string
	options  retrieve.Options
	examiner *answer.Examiner
}

// Begin starts a benchmark. The names of groups begin with prefix. With a nil examiner no
// model answers.
func Begin(
	client *annals.Client, name, prefix string, options retrieve.Options, examiner *answer.Examiner, measures []ranking.Measure, notes ...string,
) *Run {
	r := &Run{
		Report: retrieve.NewReport(name, client, options), Scores: retrieve.NewScores(options, measures...),
		client: client, prefix: prefix, options: options, examiner: examiner,
	}
	r.Report.Notes = append(r.Report.Notes, notes...)
	return r
}

// Answers reports whether a model also answers the questions.
func (r *Run) Answers() bool { return r.examiner != nil }

// Memory is a stored conversation, ready for questions.
type Memory struct {
	*retrieve.Memory
	run       *Run
	desk      *answer.Desk
	probes    []retrieve.Probe
	baselines []retrieve.Baseline
}

// Fill stores turns in the group of a name. The views are taken from a search for
// conversations.
func (r *Run) Fill(ctx context.Context, name string, turns []retrieve.Turn, views ...retrieve.View) (*Memory, error) {
	group := retrieve.GroupName(r.client, r.prefix+"-"+name, r.options)
	memory, err := retrieve.Fill(ctx, r.client, retrieve.Haystack{Group: group, Turns: turns}, r.options)
	if err != nil {
		return nil, err
	}
	desk, err := r.examiner.Open(ctx, memory)
	return &Memory{memory, r, desk, retrieve.Probes(r.options, views...), retrieve.Baselines(turns)}, err
}

// Beside adds baselines.
func (m *Memory) Beside(more []retrieve.Baseline) { m.baselines = append(m.baselines, more...) }

// Answer lets a model answer a question, if there is an examiner.
func (m *Memory) Answer(ctx context.Context, t answer.Task) error { return m.desk.Ask(ctx, t) }

// Score asks a question and scores the results.
func (m *Memory) Score(ctx context.Context, t retrieve.Task) error {
	done, err := m.Memory.Score(ctx, m.run.Scores, t, m.probes, m.baselines)
	if err == nil {
		m.run.Report.Cases = append(m.run.Report.Cases, done)
	}
	return err
}

// Find returns the results of each search for a question, and what contexts show of them.
func (m *Memory) Find(ctx context.Context, q retrieve.Question) (found, contexts []retrieve.Found, err error) {
	if found, err = m.Memory.Find(ctx, q, m.probes, m.baselines); err != nil {
		return nil, nil, err
	}
	contexts, err = m.Contexts(ctx, q, found)
	return found, contexts, err
}

// End returns the report. corpus describes the searched data.
func (r *Run) End(corpus string) retrieve.Report {
	r.Report.Corpus = corpus
	r.Scores.Report(&r.Report)
	r.examiner.Report(&r.Report)
	return r.Report
}
