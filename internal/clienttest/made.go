package clienttest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/annalsdb/annals/db"
)

// Made is an invented group of any size, written in one transaction. It has
// people who live, work and meet in places over three years. The facts became
// known over three months, and one in four was superseded meanwhile. It has no
// vectors.
type Made struct {
	Group                      string
	People, Facts              int
	Began                      time.Time // start of those three months
	tx                         pgx.Tx
	random                     *rand.Rand
	entities                   []uuid.UUID
	names                      []string
	episodes, facts, past      [][]any
	mentions, cited, entityRow [][]any
}

var madePredicates = []struct {
	name, words string
	event       bool
}{
	{"LIVES_IN", "lives in", false},
	{"WORKS_AT", "works at", false},
	{"KNOWS", "knows", false},
	{"LIKES", "likes", false},
	{"VISITED", "visited", true},
	{"MET", "met", true},
	{"MEMBER_OF", "is a member of", false},
	{"BOUGHT", "bought", true},
}

var madeLabels = []string{"Person", "Person", "Person", "Place", "Organisation", "Thing"}

// Write creates the group in the database, in one transaction.
func (m Made) Write(ctx context.Context, conn *pgx.Conn) error {
	m.random = rand.New(rand.NewPCG(24, uint64(m.Facts)))
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		m.tx = tx
		if err := db.PlanForAny(ctx, tx); err != nil {
			return err
		}
		if err := db.New(tx).GroupEnsure(ctx, m.Group); err != nil {
			return err
		}
		m.people()
		for i := range m.Facts {
			m.fact(i)
		}
		return m.copy(ctx)
	})
}

func (m *Made) people() {
	for i := range m.People {
		label := madeLabels[m.random.IntN(len(madeLabels))]
		name := fmt.Sprintf("%s %s %d", label, []string{"Ada", "Bo", "Cleo", "Dara", "Emil", "Fay", "Gil", "Hana"}[i%8], i)
		id := uuid.Must(uuid.NewV7())
		m.entities, m.names = append(m.entities, id), append(m.names, name)
		m.entityRow = append(m.entityRow, []any{id, name, []string{label}, m.Began, span(m.Began, time.Time{})})
	}
}

// pick draws an entity, some far more often than others.
func (m *Made) pick() int {
	f := m.random.Float64()
	return int(f * f * f * float64(m.People))
}

// fact adds a fact, the episode that states it, and its former version if it
// was superseded.
func (m *Made) fact(i int) {
	p := madePredicates[m.random.IntN(len(madePredicates))]
	source, target := m.pick(), m.pick()
	if source == target {
		target = (source + 1) % m.People
	}
	said := m.Began.AddDate(-3, 0, 0).Add(time.Duration(m.random.Int64N(int64(3 * 365 * 24 * time.Hour))))
	known := m.Began.Add(time.Duration(i) * 90 * 24 * time.Hour / time.Duration(m.Facts)).Truncate(time.Second)
	id, episode := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	text := fmt.Sprintf("%s %s %s.", m.names[source], p.words, m.names[target])
	kind, until := "state", time.Time{}
	if p.event {
		kind, until = "event", said.Add(24*time.Hour)
	}
	m.episodes = append(m.episodes, []any{episode, text, m.names[source], "user", fmt.Sprintf("talk-%d", i/50), said, known, "done", "user"})
	m.mentions = append(m.mentions, []any{episode, m.entities[source]}, []any{episode, m.entities[target]})
	m.cited = append(m.cited, []any{id, episode, "states"})
	row := func(valid, recorded any, untilBasis, untilPrecision string, more ...any) []any {
		return append([]any{
			id, m.entities[source], m.entities[target], p.name, text, kind, valid, recorded, known, id, "said", "day", untilBasis, untilPrecision, said,
		}, more...)
	}
	if !p.event && m.random.IntN(4) == 0 {
		learned := known.Add(time.Duration(1+m.random.IntN(240)) * time.Hour)
		ended := said.Add(time.Duration(1+m.random.IntN(400)) * 24 * time.Hour)
		m.past = append(m.past, row(span(said, time.Time{}), span(known, learned), "unknown", "unknown", []uuid.UUID{episode}, []uuid.UUID{episode}, []uuid.UUID{}))
		m.facts = append(m.facts, row(span(said, ended), span(learned, time.Time{}), "stated", "day", []uuid.UUID{episode}))
		return
	}
	basis, precision := "unknown", "unknown"
	if p.event {
		basis, precision = "stated", "day"
	}
	m.facts = append(m.facts, row(span(said, until), span(known, time.Time{}), basis, precision, []uuid.UUID{episode}))
}

func (m *Made) copy(ctx context.Context) error {
	fact := []string{
		"id", "source_id", "target_id", "predicate", "fact", "kind", "valid", "recorded", "created_at", "statement_id", "from_basis", "from_precision",
		"until_basis", "until_precision", "said_at",
	}
	for _, t := range []struct {
		table   string
		columns []string
		rows    [][]any
	}{
		{"annals.entities", []string{"id", "name", "labels", "created_at", "recorded"}, m.entityRow},
		{"annals.episodes", []string{"id", "content", "actor", "role", "thread_id", "occurred_at", "created_at", "state", "authority"}, m.episodes},
		{"annals.facts", append(fact[:len(fact):len(fact)], "caused_by"), m.facts},
		{"annals_internal.facts_history", append(fact[:len(fact):len(fact)], "evidence", "caused_by", "ended_by"), withDefaults(m.past)},
		{"annals.mentions", []string{"episode_id", "entity_id"}, m.mentions},
		{"annals.fact_episodes", []string{"fact_id", "episode_id", "role"}, m.cited},
	} {
		if t.table == "annals_internal.facts_history" {
			t.columns = append(t.columns, "ends", "attributes")
		}
		err := db.CopyRows(ctx, m.tx, t.table, append([]string{"group_id"}, t.columns...), len(t.rows), func(i int) ([]any, error) {
			return append([]any{m.Group}, t.rows[i]...), nil
		})
		if err != nil {
			return fmt.Errorf("write %s: %w", t.table, err)
		}
	}
	return nil
}

// withDefaults adds the columns of the history that have no defaults.
func withDefaults(rows [][]any) [][]any {
	for i := range rows {
		rows[i] = append(rows[i], false, []byte("{}"))
	}
	return rows
}

// span returns the interval from one time to another; a zero until is open.
func span(from, until time.Time) pgtype.Range[pgtype.Timestamptz] {
	s := pgtype.Range[pgtype.Timestamptz]{
		Lower: pgtype.Timestamptz{Time: from, Valid: true}, LowerType: pgtype.Inclusive, UpperType: pgtype.Unbounded, Valid: true,
	}
	if !until.IsZero() {
		s.Upper, s.UpperType = pgtype.Timestamptz{Time: until, Valid: true}, pgtype.Exclusive
	}
	return s
}
