package truth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// atOnce is how many cases run at a time. Each has a group of its own.
const atOnce = 4

// Options configures a run. The zero value is ready to use.
type Options struct {
	// Window is how many messages arrive at a time, which the pipeline then reads
	// together. The client must have the same window. Zero or one: each by
	// itself.
	Window int

	// Reverse lets the messages arrive in reverse order, singly, each with its
	// own time. Expectations as of a message are then skipped.
	Reverse bool

	// Keep keeps the groups in the database for inspection.
	Keep bool
}

// Run runs the cases through the client's pipeline. analyst must be the client's
// analyst; nil: the client has another one, which reads only the texts.
func Run(ctx context.Context, client *annals.Client, analyst *Analyst, cases []Case, options Options) (Report, error) {
	options.Window = max(options.Window, 1)
	if options.Reverse && options.Window > 1 {
		return Report{}, graph.Invalid("reverse", "reads each message by itself, not in a window")
	}
	report := Report{Analyst: client.Analyst(), Cases: make([]Result, len(cases))}
	run := uuid.Must(uuid.NewV7())
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(atOnce)
	for i := range cases {
		work.Go(func() error {
			p := &play{
				Case: options.arriving(cases[i]), Options: options, client: client, analyst: analyst, notes: &notes{},
				group: fmt.Sprintf("eval-truth-%s-%d", run, i+1),
			}
			var err error
			report.Cases[i], err = p.result(ctx)
			if err != nil {
				return fmt.Errorf("case %s: %w", cases[i].ID, err)
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return Report{}, err
	}
	for _, r := range report.Cases {
		if r.Right() {
			report.Right++
		}
	}
	return report, nil
}

// arriving returns the case with its messages in reading order.
func (o Options) arriving(c Case) *Case {
	if o.Reverse {
		c = c.reversed()
	}
	return &c
}

// play is the run of a case.
type play struct {
	*Case
	Options
	client   *annals.Client
	analyst  *Analyst
	notes    *notes
	group    string
	episodes []uuid.UUID // of the messages
	known    []time.Time // when each message was read
	failures []Failure
}

func (p *play) result(ctx context.Context) (Result, error) {
	r := Result{ID: p.ID, Rule: p.Rule, messages: p.Messages}
	err := p.filled(ctx, func() (err error) {
		if len(p.failures) == 0 { // otherwise the graph is incomplete
			if r.Judged, err = p.check(ctx); err != nil {
				return err
			}
		}
		if r.Failures = p.failures; r.Right() {
			return nil
		}
		if p.Keep {
			r.Group = p.group
		}
		r.Decided, err = p.decided(ctx)
		return err
	})
	return r, err
}

// filled runs the case through the pipeline, calls look, and then removes the
// group unless it is to be kept.
func (p *play) filled(ctx context.Context, look func() error) (err error) {
	if !p.Keep {
		defer func() { err = errors.Join(err, p.remove(context.WithoutCancel(ctx))) }()
	}
	for start := 0; start < len(p.Messages); start += p.Window {
		if err := p.read(ctx, start, min(start+p.Window, len(p.Messages))); err != nil {
			return err
		}
	}
	return look()
}

// Fill runs the messages of a case through the client's pipeline into a group,
// one by one, and calls look. It then removes the group unless keep is set.
// analyst is as in [Run].
func Fill(ctx context.Context, client *annals.Client, analyst *Analyst, c Case, group string, keep bool, look func() error) error {
	p := &play{Case: &c, Options: Options{Window: 1, Keep: keep}, client: client, analyst: analyst, notes: &notes{}, group: group}
	return p.filled(ctx, func() error {
		if len(p.failures) > 0 {
			return errors.New(p.failures[0].What)
		}
		return look()
	})
}

// read runs some of the messages through the pipeline together.
func (p *play) read(ctx context.Context, start, end int) error {
	episodes := make([]annals.Episode, end-start)
	for i, m := range p.Messages[start:end] {
		episodes[i] = annals.Episode{
			GroupID: p.group, ID: uuid.Must(uuid.NewV7()), Source: graph.SourceMessage, Content: m.Text,
			Actor: m.Actor, Role: m.Role, ThreadID: "talk", OccurredAt: m.At,
		}
		p.episodes = append(p.episodes, episodes[i].ID)
		if p.analyst != nil {
			p.analyst.open(episodes[i].ID, page{Case: p.Case, message: start + i, notes: p.notes})
		}
	}
	if _, err := p.client.AddAll(ctx, episodes); err != nil {
		return err
	}
	read := 0
	err := p.client.Process(ctx, p.group, func(done annals.Processed) {
		read++
		if done.Err != nil {
			p.fail(fmt.Sprintf("message %d could not be read: %v", slices.Index(p.episodes, done.Episode.ID)+1, done.Err))
		}
	})
	if err == nil && read < len(episodes) {
		err = errors.New("somebody else reads the episodes of this database; stop its workers while cases are run")
	}
	if err != nil {
		return err
	}
	now, err := p.now(ctx)
	for range episodes {
		p.known = append(p.known, now)
	}
	return err
}

// now returns the time of the clock that dates the graph's records.
func (p *play) now(ctx context.Context) (now time.Time, err error) {
	err = p.client.InGroup(ctx, p.group, func(tx pgx.Tx) error {
		now, err = db.New(tx).EditBegin(ctx, db.EditBeginParams{GroupID: p.group, Origin: graph.OriginOf(ctx).Doing("look")})
		return err
	})
	return now, err
}

// remove deletes the group. Unlike an erasure it leaves no tombstone and waits
// for no vacuum, since cases contain no secrets.
func (p *play) remove(ctx context.Context) error {
	return p.client.InGroup(ctx, p.group, func(tx pgx.Tx) error {
		_, err := db.New(tx).EraseGroup(ctx, p.group)
		return err
	})
}

// decided lists the pipeline's decisions that go beyond storing what the messages
// say.
func (p *play) decided(ctx context.Context) ([]string, error) {
	lines := slices.Clone(p.notes.lines)
	for i, id := range p.episodes {
		entries, err := p.client.Trace(ctx, p.group, id)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			switch e.Decision {
			case "extracted", "matched", "created", "shortened":
				continue
			}
			line := fmt.Sprintf("message %d: %s: %q", i+1, e.Decision, e.Subject)
			if e.Reason != "" {
				line += ": " + e.Reason
			}
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines, nil
}
