package engine_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/engine/undo"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/testdata"
)

// memory is an offline engine on a database of its own.
type memory struct {
	t      *testing.T
	pool   *pgxpool.Pool
	engine *engine.Engine
	causes int // checked by causesAreThere
}

func newMemory(t *testing.T) *memory {
	t.Helper()
	pool, err := db.Open(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return &memory{t: t, pool: pool, engine: engine.New(pool, offline.New(), hashEmbedder(t), engine.Options{})}
}

// hear stores and processes episodes in a group and returns their ids.
func (m *memory) hear(group string, episodes []graph.Episode) []uuid.UUID {
	m.t.Helper()
	episodes = slices.Clone(episodes)
	for i := range episodes {
		episodes[i].GroupID = group
	}
	var stored []intake.Stored
	err := pgx.BeginFunc(m.t.Context(), m.pool, func(tx pgx.Tx) error {
		var err error
		stored, err = intake.Store(m.t.Context(), tx, episodes)
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	if err := m.engine.Process(m.t.Context(), group, func(engine.Processed) {}); err != nil {
		m.t.Fatal(err)
	}
	ids := make([]uuid.UUID, len(stored))
	for i, s := range stored {
		ids[i] = s.ID
	}
	return ids
}

func (m *memory) undo(group string, ids ...uuid.UUID) undo.Undone {
	m.t.Helper()
	done, err := m.engine.Undo(m.t.Context(), undo.Undoing{GroupID: group, EpisodeIDs: ids})
	if err != nil {
		m.t.Fatal(err)
	}
	return done
}

// believed lists what a group believes, without ids and recorded times.
func (m *memory) believed(group string) []string {
	m.t.Helper()
	rows, err := m.pool.Query(m.t.Context(), `
		SELECT format('fact %s -> %s %s %s %s ends=%s %s', s.name, t.name, f.predicate, f.fact, f.valid, f.ends, f.attributes)
		FROM annals.facts f
		JOIN annals.entities s ON s.group_id = f.group_id AND s.id = f.source_id
		JOIN annals.entities t ON t.group_id = f.group_id AND t.id = f.target_id
		WHERE f.group_id = $1
		UNION ALL
		SELECT format('entity %s %s %s [%s] %s', e.name, e.aliases, e.labels, e.summary, e.attributes)
		FROM annals.entities e WHERE e.group_id = $1
		UNION ALL
		SELECT format('mention %s: %s', left(p.content, 60), e.name)
		FROM annals.mentions m
		JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id
		JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
		WHERE m.group_id = $1
		UNION ALL
		SELECT format('%s %s: %s', c.role, left(p.content, 60), f.fact)
		FROM annals.fact_episodes c
		JOIN annals.facts f ON f.group_id = c.group_id AND f.id = c.fact_id
		JOIN annals.episodes p ON p.group_id = c.group_id AND p.id = c.episode_id
		WHERE c.group_id = $1
		UNION ALL
		SELECT format('vectors %s %s', (SELECT count(*) FROM annals_internal.entity_embeddings WHERE group_id = $1),
			(SELECT count(*) FROM annals_internal.fact_embeddings WHERE group_id = $1))
		ORDER BY 1`, group)
	if err != nil {
		m.t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		m.t.Fatal(err)
	}
	return lines
}

// talk makes up a conversation whose messages contradict, repeat and extend
// each other.
func talk(r *rand.Rand) []graph.Episode {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	city := func() string { return pick("Paris", "Lisbon", "Berlin", "Porto", "Oslo", "Vienna") }
	firm := func() string { return pick("Siemens", "Philips", "Bosch", "Nokia", "Ericsson") }
	person := func() string { return pick("Robert", "Robert Smith", "Bob Smith", "Anna", "Anna Lind", "Carla") }
	month := func() string { return pick("January", "March", "June", "October") + pick(" 2021", " 2022", " 2023") }
	templates := []func() string{
		func() string { return "I live in " + city() + "." },
		func() string { return "I moved to " + city() + " in " + month() + "." },
		func() string { return "I moved to " + city() + " last week." },
		func() string { return "I lived in " + city() + " until " + month() + "." },
		func() string { return "I work at " + firm() + "." },
		func() string { return "I started a new job at " + firm() + " in " + month() + "." },
		func() string { return "I no longer work at " + firm() + "." },
		func() string { return "I quit my job at " + firm() + "." },
		func() string { return person() + " lives in " + city() + " and works at " + firm() + "." },
		func() string { return person() + " moved to " + city() + " in " + month() + "." },
		func() string { return person() + " is my " + pick("brother", "sister", "boss", "friend") + "." },
		func() string { return "She moved to " + city() + " yesterday." },
		func() string { return "He works at " + firm() + " now." },
		func() string { return "I stopped playing " + pick("tennis", "chess") + "." },
		func() string { return "I play " + pick("tennis", "chess") + " with " + person() + "." },
		func() string { return person() + " and " + person() + " visited " + city() + " last month." },
		func() string { return "My favourite city is " + city() + "." },
		func() string { return "What about you?" },
	}
	at := time.Date(2024, 1, 2, 9, 0, 0, 0, time.UTC)
	speakers := []string{"Alice", "Tom"}
	var episodes []graph.Episode
	for range 3 + r.IntN(6) {
		at = at.Add(time.Duration(1+r.IntN(20*24)) * time.Hour)
		occurred := at
		if r.IntN(6) == 0 {
			occurred = at.AddDate(0, -2, 0) // it is heard late
		}
		episodes = append(episodes, graph.Episode{
			Actor: speakers[r.IntN(2)*r.IntN(2)], Content: templates[r.IntN(len(templates))](), OccurredAt: occurred,
			ThreadID: pick("one", "one", "two"),
		})
	}
	return episodes
}

func sample(t *testing.T) []graph.Episode {
	t.Helper()
	var episodes []graph.Episode
	lines := bufio.NewScanner(bytes.NewReader(testdata.Conversation))
	for lines.Scan() {
		var line struct {
			Content    string    `json:"content"`
			OccurredAt time.Time `json:"occurred_at"`
			Actor      string    `json:"actor"`
			Role       string    `json:"role"`
			ThreadID   string    `json:"thread_id"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		episodes = append(episodes, graph.Episode{
			Content: line.Content, OccurredAt: line.OccurredAt, Actor: line.Actor, Role: line.Role, ThreadID: line.ThreadID,
		})
	}
	return episodes
}

// The test ingests A, B and C and deletes B: the graph believes what A and C alone give.
func TestUndoIsAsIfItNeverCame(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	told := sample(t)
	changed, conversations := 0, slow.Of(4, 15, 50)
	for seed := range conversations {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		episodes := talk(r)
		if seed%5 == 0 {
			from := r.IntN(len(told) - 6)
			episodes = append(episodes, told[from:from+6]...)
		}
		group := fmt.Sprintf("with-%d", seed)
		ids := m.hear(group, episodes)
		before := m.believed(group)
		left := slices.Clone(episodes)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(ids))
			m.undo(group, ids[at])
			ids, left = slices.Delete(ids, at, at+1), slices.Delete(left, at, at+1)
			if len(ids) == 0 {
				break
			}
		}
		m.causesAreThere(group)
		m.hear(fmt.Sprintf("without-%d", seed), left)
		want := m.believed(fmt.Sprintf("without-%d", seed))
		if got := m.believed(group); !cmp.Equal(want, got) {
			t.Errorf("seed %d: what is believed differs (-without +undone):\n%s\nof %s", seed, cmp.Diff(want, got), contents(episodes))
		}
		if !cmp.Equal(before, want) {
			changed++
		}
	}
	if m.causes < 2*conversations {
		t.Errorf("only %d causes were looked at", m.causes)
	}
	if changed < conversations*4/5 {
		t.Errorf("only %d of %d conversations had anything to undo", changed, conversations)
	}
}

// causesAreThere checks that existing episodes cause and end the current and past facts, and that
// there are some.
func (m *memory) causesAreThere(group string) {
	m.t.Helper()
	var causes, gone int
	if err := m.pool.QueryRow(m.t.Context(), `
		WITH cause AS (
			SELECT unnest(caused_by) AS id FROM annals.facts WHERE group_id = $1
			UNION ALL SELECT unnest(caused_by) FROM annals.entities WHERE group_id = $1
			UNION ALL SELECT unnest(caused_by || ended_by) FROM annals_internal.facts_history WHERE group_id = $1
			UNION ALL SELECT unnest(caused_by || ended_by) FROM annals_internal.entities_history WHERE group_id = $1
		)
		SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (
			SELECT FROM annals.episodes p WHERE p.group_id = $1 AND p.id = c.id))
		FROM cause c`, group).Scan(&causes, &gone); err != nil {
		m.t.Fatal(err)
	}
	if gone > 0 {
		m.t.Errorf("%s: %d of %d causes are episodes that were taken back", group, gone, causes)
	}
	m.causes += causes
}

func contents(episodes []graph.Episode) string {
	var lines []string
	for _, e := range episodes {
		lines = append(lines, e.OccurredAt.Format(time.DateOnly)+" "+e.ThreadID+" "+e.Actor+": "+e.Content)
	}
	return strings.Join(lines, "\n")
}
