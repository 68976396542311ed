package torture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/migrations"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/worker"
)

// run is a run of an operation in a database.
type run struct {
	url   string // of the database, possibly behind a wire
	again bool   // set for the run after a harmed one
	acked []string
}

// ack records what a program was told is done.
func (r *run) ack(what string) { r.acked = append(r.acked, what) }

// operation is an operation that is interrupted.
type operation struct {
	name  string
	share int // of a thousand points
	base  *base
	// do performs the operation, or completes one that was begun before.
	do func(ctx context.Context, r *run) error
	// lost returns what was acknowledged and is missing.
	lost     func(ctx context.Context, r *run, url string) ([]string, error)
	portrait string
	open     []string // invariants that may be broken until it is repeated, as documented
}

// with calls do with a client and closes it.
func with(ctx context.Context, config annals.Config, do func(*annals.Client) error) error {
	client, err := annals.Open(ctx, config)
	if err != nil {
		return err
	}
	defer client.Close()
	return do(client)
}

func said(line int, actor, content string) annals.Episode {
	return annals.Episode{
		GroupID: "t", Actor: actor, Content: content, ThreadID: "talk", ExternalID: fmt.Sprint("line-", line),
		OccurredAt: time.Date(2024, 3, 1+line, 9, 0, 0, 0, time.UTC),
	}
}

func conversation() []annals.Episode {
	return []annals.Episode{
		said(0, "Alice", "I live in Paris with my friend Bob."),
		said(1, "Bob", "I work for Acme and I know Alice."),
		said(2, "Alice", "My sister Qzvortex moved to Vienna last week."),
		said(3, "Alice", "I moved to Lisbon last week."),
		said(4, "Bob", "Carol works for Acme. Carol lives in Rome."),
		said(5, "Alice", "I visited Carol in Rome with Bob."),
		said(6, "Bob", "I no longer work for Acme."),
	}
}

// secret is a word of the erased episode.
const secret = "Qzvortex"

// counted are the counts with which searches weigh words. They are written after
// the last episode in a separate statement, and again after the next.
var counted = []string{"documents"}

// operations prepares the starting state of each operation.
func operations(t *testing.T) []*operation {
	empty, lived := newBase(t, pgtest.New(t)), newBase(t, pgtest.New(t))
	nothing := newBase(t, pgtest.Empty(t))
	waiting, talking := newBase(t, pgtest.New(t)), newBase(t, pgtest.New(t))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	var exported bytes.Buffer
	must(with(ctx, annals.Config{DatabaseURL: lived.url}, func(c *annals.Client) error {
		return errors.Join(live(ctx, c), second(c.Export(ctx, "t", &exported, annals.ExportOptions{})))
	}))
	must(with(ctx, annals.Config{DatabaseURL: waiting.url}, func(c *annals.Client) error {
		_, err := c.AddAll(ctx, conversation())
		return err
	}))
	thinking := scripted(t)
	must(with(ctx, annals.Config{DatabaseURL: talking.url, LLM: thinking}, func(c *annals.Client) error {
		_, err := agent.New(c, agent.Options{}).Create(ctx, agent.Spec{GroupID: "g", Name: "sam"})
		return err
	}))
	return []*operation{
		{name: "ingest", share: 260, base: empty, do: ingest, lost: lostEpisodes, portrait: portrait, open: counted},
		{name: "undo", share: 150, base: lived, do: undo, lost: lostRemoval, portrait: portrait, open: counted},
		{name: "erase", share: 170, base: lived, do: erase, lost: lostRemoval, portrait: portrait, open: counted},
		{name: "reembed", share: 80, base: lived, do: reembed, lost: lostNothing, portrait: portrait, open: []string{"vector owners"}},
		{name: "migrate", share: 40, base: nothing, do: migrate, lost: lostNothing, portrait: schemaPortrait},
		{name: "import", share: 80, base: empty, do: importing(exported.Bytes()), lost: lostImport, portrait: portrait, open: []string{"vectors", "documents"}},
		{name: "agent step", share: 120, base: talking, do: telling(thinking), lost: lostTurn, portrait: portrait},
		{name: "worker", share: 100, base: waiting, do: work, lost: lostEpisodes, portrait: portrait, open: counted},
	}
}

func second[T any](_ T, err error) error { return err }

// live creates the memory with which undo, erase, reembed and import start.
func live(ctx context.Context, c *annals.Client) error {
	if _, err := c.AddAll(ctx, conversation()); err != nil {
		return err
	}
	if err := c.Process(ctx, "t", nil); err != nil {
		return err
	}
	return errors.Join(
		second(c.AddTriple(ctx, annals.Triple{
			GroupID: "t", Source: graph.TripleEnd{Name: "Carol"}, Predicate: "STUDIED_AT", Target: graph.TripleEnd{Name: "Sapienza"},
			Fact: "Carol studied at Sapienza.", OccurredAt: time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC),
			ValidAt: time.Date(2015, 10, 1, 0, 0, 0, 0, time.UTC), InvalidAt: time.Date(2019, 6, 1, 0, 0, 0, 0, time.UTC),
		})),
		second(c.BuildCommunities(ctx, "t")), second(c.SummariseThread(ctx, "t", "talk")))
}

// ingest adds a conversation line by line and reads it.
func ingest(ctx context.Context, r *run) error {
	return with(ctx, annals.Config{DatabaseURL: r.url}, func(c *annals.Client) error {
		for _, e := range conversation() {
			if _, err := c.Add(ctx, e); err != nil {
				return err
			}
			r.ack(e.ExternalID)
		}
		return c.Process(ctx, "t", nil)
	})
}

func byLine(ctx context.Context, c *annals.Client, line string) (id uuid.UUID, there bool, err error) {
	episodes, err := c.Episodes(ctx, annals.EpisodeFilter{GroupID: "t", Limit: annals.MaxRows})
	for _, e := range episodes {
		if e.ExternalID == line {
			return e.ID, true, err
		}
	}
	return uuid.Nil, false, err
}

// lostEpisodes returns added episodes that are missing.
func lostEpisodes(ctx context.Context, r *run, url string) (lost []string, err error) {
	err = with(ctx, annals.Config{DatabaseURL: url}, func(c *annals.Client) error {
		for _, line := range r.acked {
			if _, there, err := byLine(ctx, c, line); err != nil {
				return err
			} else if !there {
				lost = append(lost, line)
			}
		}
		return nil
	})
	return lost, err
}

// undo undoes a line of the conversation.
func undo(ctx context.Context, r *run) error {
	return with(ctx, annals.Config{DatabaseURL: r.url}, func(c *annals.Client) error {
		id, there, err := byLine(ctx, c, "line-3")
		if err != nil || !there {
			return err
		}
		if _, err := c.Undo(ctx, "t", id); err != nil {
			return err
		}
		r.ack("line-3")
		return nil
	})
}

// erase erases everything said about a person.
func erase(ctx context.Context, r *run) error {
	return with(ctx, annals.Config{DatabaseURL: r.url}, func(c *annals.Client) error {
		id, there, err := byLine(ctx, c, "line-2")
		if err != nil || !there {
			return err
		}
		if _, err := c.Erase(ctx, annals.Erasure{GroupID: "t", EpisodeIDs: []uuid.UUID{id}}); err != nil {
			return err
		}
		r.ack("line-2")
		return nil
	})
}

// lostRemoval returns removed data that is still there.
func lostRemoval(ctx context.Context, r *run, url string) (lost []string, err error) {
	err = with(ctx, annals.Config{DatabaseURL: url}, func(c *annals.Client) error {
		for _, line := range r.acked {
			if _, there, err := byLine(ctx, c, line); err != nil {
				return err
			} else if there {
				lost = append(lost, "removal of "+line)
			}
		}
		return nil
	})
	if err != nil || !slices.Contains(r.acked, "line-2") {
		return lost, err
	}
	lines, err := portraitOf(ctx, url, portrait)
	for _, line := range lines {
		if strings.Contains(line, secret) {
			lost = append(lost, "erasure: "+line)
		}
	}
	return lost, err
}

func reembed(ctx context.Context, r *run) error {
	to, err := model.NewHashEmbedder(128)
	if err != nil {
		return err
	}
	return with(ctx, annals.Config{DatabaseURL: r.url}, func(c *annals.Client) error { return second(c.Reembed(ctx, to, nil)) })
}

func lostNothing(context.Context, *run, string) ([]string, error) { return nil, nil }

func migrate(ctx context.Context, r *run) error {
	return second(migrations.Up(ctx, r.url, migrations.Options{}))
}

// schemaPortrait lists the objects of a schema.
const schemaPortrait = `
SELECT 'relation ' || c.relname || ' ' || c.relkind::text || ' ' || c.relrowsecurity::text AS line FROM pg_class c WHERE c.relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)
UNION ALL SELECT 'function ' || p.proname || ' ' || pg_get_function_identity_arguments(p.oid) FROM pg_proc p WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)
UNION ALL SELECT 'trigger ' || c.relname || ' ' || t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND NOT t.tgisinternal
UNION ALL SELECT 'policy ' || tablename || ' ' || policyname FROM pg_policies WHERE schemaname IN ('annals', 'annals_internal')
UNION ALL SELECT 'setting ' || group_id || ' ' || name FROM annals_internal.settings
UNION ALL SELECT 'migration ' || version FROM annals.migrations
ORDER BY 1`

// importing imports a group.
func importing(exported []byte) func(context.Context, *run) error {
	return func(ctx context.Context, r *run) error {
		return with(ctx, annals.Config{DatabaseURL: r.url}, func(c *annals.Client) error {
			_, err := c.Import(ctx, bytes.NewReader(exported), annals.ImportOptions{})
			if annals.CodeOf(err) == annals.CodeConflict { // it is there; the vectors may be missing
				_, err = service.New(c).Embed(ctx, "t", nil)
			}
			if err == nil {
				r.ack("import")
			}
			return err
		})
	}
}

func lostImport(ctx context.Context, r *run, url string) (lost []string, err error) {
	for _, line := range r.acked {
		err = with(ctx, annals.Config{DatabaseURL: url}, func(c *annals.Client) error {
			_, there, err := byLine(ctx, c, "line-6")
			if !there {
				lost = append(lost, line)
			}
			return err
		})
	}
	return lost, err
}

// scripted is a model that edits a block, keeps a passage and answers. Its
// actions follow from what it sees, so that it resumes after a crash.
func scripted(t *testing.T) *model.LLM {
	t.Helper()
	call := func(name string, heartbeat bool, arguments map[string]any) modeltest.Reply {
		if heartbeat {
			arguments["request_heartbeat"] = true
		}
		return modeltest.Reply{Text: "I call " + name + ".", Calls: []modeltest.Call{{Name: name, Arguments: arguments}}}
	}
	server := modeltest.NewServer(t, func(r modeltest.Request) modeltest.Reply {
		if r.Tools == nil {
			return modeltest.Reply{JSON: map[string]string{"summary": "I talked with the user."}}
		}
		archived := false
		for _, turn := range r.Turns {
			archived = archived || turn.Function == "archival_memory_insert"
		}
		switch {
		case !strings.Contains(r.System, "Likes tea."):
			return call("core_memory_append", true, map[string]any{"name": "human", "content": "Likes tea."})
		case !archived:
			return call("archival_memory_insert", true, map[string]any{"content": "On tea: Eva drinks it green."})
		}
		return call("send_message", false, map[string]any{"message": "Noted."})
	})
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: server.URL, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	return llm
}

// telling sends a message to an agent.
func telling(llm *model.LLM) func(context.Context, *run) error {
	return func(ctx context.Context, r *run) error {
		return with(ctx, annals.Config{DatabaseURL: r.url, LLM: llm}, func(c *annals.Client) error {
			at := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
			agents := agent.New(c, agent.Options{Now: func() time.Time { return at }})
			sam, err := agents.Open(ctx, "g", "sam")
			if err != nil {
				return err
			}
			if _, err := sam.Tell(ctx, agent.Event{Content: "I like green tea.", ExternalID: "one", OccurredAt: at}, nil); err != nil {
				return err
			}
			r.ack("turn")
			return nil
		})
	}
}

func lostTurn(ctx context.Context, r *run, url string) ([]string, error) {
	lines, err := portraitOf(ctx, url, portrait)
	if err != nil || len(r.acked) == 0 {
		return nil, err
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "agent message") && strings.Contains(line, "Noted.") {
			return nil, nil
		}
	}
	return []string{"the answer of the agent"}, nil
}

// work runs a worker until nothing waits. Work held by a dead worker is free
// after ten minutes, or at once for Process.
func work(ctx context.Context, r *run) error {
	return with(ctx, annals.Config{DatabaseURL: r.url}, func(c *annals.Client) error {
		if r.again {
			return c.Process(ctx, "t", nil)
		}
		for _, e := range conversation() {
			r.ack(e.ExternalID)
		}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		ended := make(chan error, 1)
		go func() { ended <- worker.Run(ctx, c, worker.Options{}) }()
		for {
			select {
			case err := <-ended:
				return err
			case <-time.After(10 * time.Millisecond):
			}
			read, err := allRead(ctx, c)
			if err == nil && read {
				stop()
				return <-ended
			}
			if err != nil && ctx.Err() != nil {
				return err
			}
		}
	})
}

// allRead reports whether every episode is done and the worker is idle.
func allRead(ctx context.Context, c *annals.Client) (bool, error) {
	episodes, err := c.Episodes(ctx, annals.EpisodeFilter{GroupID: "t", Limit: annals.MaxRows})
	for _, e := range episodes {
		if e.State != graph.StateDone {
			return false, err
		}
	}
	if err != nil {
		return false, err
	}
	q, err := service.New(c).Queue(ctx)
	return err == nil && q.Running+q.Waiting == 0, err
}
