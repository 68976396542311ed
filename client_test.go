package annals_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/model"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		aliceMoved.Drop()
		os.Exit(code)
	}))
}

// A story that all parts must agree on, from two sentences to both time axes.
func TestAMove(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	clienttest.AddAndProcess(t, client, clienttest.Alice("I live in Paris.", "2023-01-10"))
	before := time.Now()
	clienttest.AddAndProcess(t, client, clienttest.Alice("I moved to Lisbon last week.", "2024-03-15"))

	targets := func(f annals.FactFilter) []string {
		f.GroupID = "t"
		facts, err := client.Facts(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, fact := range facts {
			if fact.Predicate == "LIVES_IN" {
				names = append(names, fact.Target)
			}
		}
		return names
	}
	day := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		name   string
		filter annals.FactFilter
		want   []string
	}{
		{"all", annals.FactFilter{}, []string{"Paris", "Lisbon"}},
		{"in 2023", annals.FactFilter{ValidAt: day(2023, 6, 1)}, []string{"Paris"}},
		{"after the move", annals.FactFilter{ValidAt: day(2024, 6, 1)}, []string{"Lisbon"}},
		{"after the move as believed before we heard of it", annals.FactFilter{ValidAt: day(2024, 6, 1), KnownAt: before}, []string{"Paris"}},
		{"before we knew anything", annals.FactFilter{KnownAt: day(2020, 1, 1)}, nil},
	} {
		if got := targets(tt.filter); !slices.Equal(got, tt.want) {
			t.Errorf("%s: lives in %q, want %q", tt.name, got, tt.want)
		}
	}

	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", ValidAt: day(2023, 6, 1)})
	if err != nil || len(facts) != 1 {
		t.Fatalf("facts = %v, %v", facts, err)
	}
	if want := day(2024, 3, 4); !facts[0].Valid.End.Equal(want) || facts[0].ExpiredAt.IsZero() || len(facts[0].Episodes) != 1 {
		t.Errorf("Paris ends %v, expired %v, stated by %v; want an end at %v", facts[0].Valid.End, facts[0].ExpiredAt, facts[0].Episodes, want)
	}
	versions, err := client.History(t.Context(), "t", facts[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(versions) != 2 || versions[0].Current || !versions[0].Valid.Ongoing() || !versions[1].Current {
		t.Errorf("versions = %+v, want the open belief, then the closed one", versions)
	}
	changes, err := client.Timeline(t.Context(), annals.TimelineFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	for _, c := range changes {
		events = append(events, c.Event)
	}
	if want := []string{"began", "ended", "began"}; !slices.Equal(events, want) {
		t.Errorf("timeline %q, want %q", events, want)
	}
}

func TestAddTxIsThereOnlyWhenCommitted(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, outcome := range []error{errors.New("rolled back"), nil} {
		err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
			if _, err := client.AddTx(t.Context(), tx, clienttest.Alice("I live in Paris.", "2023-01-10")); err != nil {
				return err
			}
			return outcome
		})
		if !errors.Is(err, outcome) {
			t.Fatal(err)
		}
	}
	episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t", State: graph.StatePending})
	if err != nil || len(episodes) != 1 {
		t.Errorf("%d episodes, %v; want the committed one", len(episodes), err)
	}
}

func TestAddingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	episode := clienttest.Alice("I live in Paris.", "2023-01-10")
	episode.ExternalID = "line 1"
	first, err := client.Add(t.Context(), episode)
	if err != nil || !first.New {
		t.Fatalf("first Add = %+v, %v", first, err)
	}
	episode.Content = "I live in Rome."
	second, err := client.Add(t.Context(), episode)
	if err != nil || second.New || second.ID != first.ID {
		t.Errorf("second Add = %+v, %v; want the first episode, not new", second, err)
	}
	twice, err := client.AddAll(t.Context(), []annals.Episode{episode, episode})
	if err != nil || twice[0].New || twice[1].New {
		t.Errorf("AddAll = %+v, %v; want nothing new", twice, err)
	}
}

func TestAddRefusesBadEpisodes(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	good := clienttest.Alice("I live in Paris.", "2023-01-10")
	for _, tt := range []struct {
		field string
		spoil func(*annals.Episode)
	}{
		{"group", func(e *annals.Episode) { e.GroupID = "" }},
		{"source", func(e *annals.Episode) { e.Source = "video" }},
		{"content", func(e *annals.Episode) { e.Content = " \n" }},
		{"content", func(e *annals.Episode) { e.Content = "\xff\xfe" }},
		{"content", func(e *annals.Episode) { e.Content = "a\x00b" }},
		{"content", func(e *annals.Episode) { e.Content = string(make([]byte, graph.MaxContent+1)) }},
		{"content", func(e *annals.Episode) { e.Source, e.Content = graph.SourceJSON, "{" }},
		{"actor", func(e *annals.Episode) { e.Actor = string(make([]byte, graph.MaxName+1)) }},
		{"occurred_at", func(e *annals.Episode) { e.OccurredAt = time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC) }},
		{"occurred_at", func(e *annals.Episode) { e.OccurredAt = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC) }},
		{"metadata", func(e *annals.Episode) { e.Metadata = []byte("[]") }},
		{"metadata", func(e *annals.Episode) { e.Metadata = []byte(`{"a":"\u0000"}`) }},
	} {
		bad := good
		tt.spoil(&bad)
		_, err := client.AddAll(t.Context(), []annals.Episode{good, bad})
		var e *annals.Error
		if !errors.As(err, &e) || e.Code != annals.CodeInvalid || e.Field != tt.field {
			t.Errorf("%s: %v; want it refused for that field", tt.field, err)
		}
	}
	counts, err := client.EpisodeCounts(t.Context(), "t")
	if err != nil || len(counts) != 0 {
		t.Errorf("counts = %v, %v; want all or none to be stored", counts, err)
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	small, err := model.NewHashEmbedder(64)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		config annals.Config
		code   annals.Code
	}{
		{"not a URL", annals.Config{DatabaseURL: "postgres://%%"}, annals.CodeInvalid},
		{"nobody there", annals.Config{DatabaseURL: "postgres://nobody@127.0.0.1:1/none"}, annals.CodeUnavailable},
		{"not migrated", annals.Config{DatabaseURL: pgtest.Empty(t)}, annals.CodeConflict},
		{"another dimension", annals.Config{DatabaseURL: pgtest.New(t), Embedder: small}, annals.CodeConflict},
	} {
		client, err := annals.Open(t.Context(), tt.config)
		if err == nil {
			client.Close()
		}
		if annals.CodeOf(err) != tt.code {
			t.Errorf("%s: %v; want %s", tt.name, err, tt.code)
		}
	}
}

func TestHistoryOfNothing(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	if _, err := client.History(t.Context(), "t", uuid.New()); annals.CodeOf(err) != annals.CodeNotFound {
		t.Errorf("History = %v; want not found", err)
	}
}

// What no row can have is refused by the field that has it, and is no defect of the service.
func TestReadsRefuseWhatNoRowHas(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	far, early := time.Date(300_000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC)
	ends := annals.Triple{
		GroupID: "t", Source: graph.TripleEnd{Name: "Ana"}, Target: graph.TripleEnd{Name: "Bonn"}, Predicate: "LIVES_IN", ExternalID: "a\xffb",
	}
	for _, tt := range []struct {
		name, field string
		read        func() error
	}{
		{"facts of a year", "as_of", func() error { return second(client.Facts(t.Context(), annals.FactFilter{GroupID: "t", ValidAt: far})) }},
		{"facts known in a year", "known_at", func() error {
			return second(client.Facts(t.Context(), annals.FactFilter{GroupID: "t", KnownAt: early}))
		}},
		{"episodes of a state", "state", func() error {
			return second(client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t", State: "lost"}))
		}},
		{"episodes of a source", "source", func() error {
			return second(client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t", Source: "film"}))
		}},
		{"episodes of a thread", "thread", func() error {
			return second(client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "t", ThreadID: "a\xff"}))
		}},
		{"entity", "entity", func() error { return second(client.Entity(t.Context(), "t", "a\xffb")) }},
		{"entity of a time", "entity", func() error { return second(client.EntityAt(t.Context(), "t", "a\x00b", time.Now())) }},
		{"thread", "thread", func() error { return second(client.Thread(t.Context(), "t", "a\xffb")) }},
		{"thread to undo", "thread", func() error { return second(client.UndoThread(t.Context(), "t", "a\x00b", false)) }},
		{"thread to summarise", "thread", func() error { return second(client.SummariseThread(t.Context(), "t", "a\xffb")) }},
		{"groups", "after", func() error { return second(client.Groups(t.Context(), annals.GroupFilter{After: "a\xffb"})) }},
		{"work", "name", func() error {
			return second(client.RunExclusively(t.Context(), "t", "a\x00b", func(func() error) error { return nil }))
		}},
		{"thread to create", "thread_id", func() error { return annals.NewThread{GroupID: "t", ID: ".."}.Validate() }},
		{"triple", "external_id", func() error { return second(client.AddTriple(t.Context(), ends)) }},
		{"encoding", "encoding", func() error { return second(annals.CountTokens("text", "latin")) }},
	} {
		err := tt.read()
		var e *annals.Error
		if !errors.As(err, &e) || e.Code != annals.CodeInvalid || e.Field != tt.field {
			t.Errorf("%s: %v; want %s refused", tt.name, err, tt.field)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestListBounds(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	if _, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: annals.MaxRows + 1}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("Facts = %v; want the limit refused", err)
	}
	if _, err := client.Entities(t.Context(), annals.EntityFilter{}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("Entities = %v; want the group refused", err)
	}
}
