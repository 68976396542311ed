package migrations_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// history is a random sequence of transactions, applied to the database and the
// model.
type history struct {
	t       *testing.T
	r       *rand.Rand
	conn    *pgx.Conn
	group   string
	now     time.Time
	world   modelWorld
	beliefs []belief
	log     []string
}

func (h *history) exec(tx pgx.Tx, sql string, args ...any) {
	h.t.Helper()
	h.log = append(h.log, fmt.Sprintf("%s %v", sql, args))
	if _, err := tx.Exec(h.t.Context(), sql, append([]any{h.group}, args...)...); err != nil {
		h.t.Fatalf("%v\n%s", err, strings.Join(h.log, "\n"))
	}
}

// transact runs one to four operations in one transaction.
func (h *history) transact() {
	h.now = h.now.Add(time.Duration(1+h.r.IntN(3)) * time.Second)
	tx, err := h.conn.Begin(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := tx.Exec(h.t.Context(), `SELECT set_config('annals.clock', $1, true)`, h.now.Format(time.RFC3339Nano)); err != nil {
		h.t.Fatal(err)
	}
	h.log = append(h.log, "BEGIN at "+h.now.Format(time.RFC3339))
	before := h.world.clone()
	for range 1 + h.r.IntN(4) {
		h.operate(tx)
	}
	if h.r.IntN(8) == 0 {
		h.log = append(h.log, "ROLLBACK")
		h.world = before
		if err := tx.Rollback(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
		return
	}
	if err := tx.Commit(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	h.beliefs = append(h.beliefs, belief{h.now, h.world.clone()})
}

func (h *history) operate(tx pgx.Tx) {
	entity, other := pick(h.r, h.world.entities), pick(h.r, h.world.entities)
	fact := pick(h.r, h.world.facts)
	switch n := h.r.IntN(12); {
	case n < 2 || len(h.world.entities) < 3:
		id := uuid.NewString()
		h.world.entities[id] = h.word()
		h.exec(tx, `INSERT INTO annals.entities (group_id, id, name) VALUES ($1, $2, $3)`, id, h.world.entities[id])
	case n == 2:
		h.world.entities[entity] = h.word()
		h.exec(tx, `UPDATE annals.entities SET name = $3 WHERE group_id = $1 AND id = $2`, entity, h.world.entities[entity])
	case n == 3 && h.r.IntN(2) == 0:
		delete(h.world.entities, entity)
		h.dropFacts(func(f modelFact) bool { return f.source == entity || f.target == entity })
		h.exec(tx, `DELETE FROM annals.entities WHERE group_id = $1 AND id = $2`, entity)
	case n == 4 && entity != other && h.r.IntN(2) == 0:
		h.merge(tx, entity, other)
	case n < 8 && entity != other:
		id := uuid.NewString()
		f := modelFact{source: entity, target: other, text: h.word(), known: h.how(fact)}
		f.from, f.until = h.days()
		h.world.facts[id] = f.inStep()
		h.exec(tx, `INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id,
			kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by)
			VALUES ($1, $2, $3, $4, 'KNOWS', $5, $6::tstzrange, $2, $7, $8, $9, $10, $11, $12, $13)`,
			append([]any{id, f.source, f.target, f.text, f.valid()}, f.known.columns()...)...)
	case fact == "":
	case n == 8:
		delete(h.world.facts, fact)
		h.exec(tx, `DELETE FROM annals.facts WHERE group_id = $1 AND id = $2`, fact)
	case n == 9:
		f := h.world.facts[fact]
		f.text = h.word()
		h.world.facts[fact] = f
		h.exec(tx, `UPDATE annals.facts SET fact = $3 WHERE group_id = $1 AND id = $2`, fact, f.text)
	case n == 10: // it is known otherwise
		f := h.world.facts[fact]
		f.from, f.until = h.days()
		f.known = h.how(pick(h.r, h.world.facts))
		h.world.facts[fact] = f.inStep()
		h.exec(tx, `UPDATE annals.facts SET valid = $3::tstzrange, kind = $4, from_basis = $5, from_precision = $6, until_basis = $7,
			until_precision = $8, said_at = $9, bounded_by = $10 WHERE group_id = $1 AND id = $2`, append([]any{fact, f.valid()}, f.known.columns()...)...)
	default: // by hand: it ends, begins at another time, or goes on after all
		f := h.world.facts[fact]
		f.from, f.until = h.days()
		h.world.facts[fact] = f.inStep()
		h.exec(tx, `UPDATE annals.facts SET valid = $3::tstzrange WHERE group_id = $1 AND id = $2`, fact, f.valid())
	}
}

// how draws a way in which the time of a fact is known.
func (h *history) how(other string) how {
	bases, precisions := []string{"unknown", "said", "stated", "inferred"}, []string{"instant", "day", "week", "month", "season", "year", "decade"}
	return how{
		kind:      []string{"state", "event"}[h.r.IntN(2)],
		fromBasis: bases[h.r.IntN(4)], fromPrecision: precisions[h.r.IntN(7)],
		untilBasis: bases[h.r.IntN(4)], untilPrecision: precisions[h.r.IntN(7)],
		saidAt: h.r.IntN(5), boundedBy: other,
	}
}

// merge moves an entity's facts to another and removes it.
func (h *history) merge(tx pgx.Tx, from, into string) {
	h.dropFacts(func(f modelFact) bool {
		return f.source == from && f.target == into || f.source == into && f.target == from
	})
	for id, f := range h.world.facts {
		if f.source == from {
			f.source = into
		}
		if f.target == from {
			f.target = into
		}
		h.world.facts[id] = f
	}
	delete(h.world.entities, from)
	h.exec(tx, `DELETE FROM annals.facts WHERE group_id = $1 AND source_id IN ($2, $3) AND target_id IN ($2, $3)`, from, into)
	h.exec(tx, `UPDATE annals.facts SET source_id = CASE WHEN source_id = $2 THEN $3 ELSE source_id END,
		target_id = CASE WHEN target_id = $2 THEN $3 ELSE target_id END WHERE group_id = $1 AND $2 IN (source_id, target_id)`, from, into)
	h.exec(tx, `DELETE FROM annals.entities WHERE group_id = $1 AND id = $2`, from)
}

func (h *history) dropFacts(gone func(modelFact) bool) {
	for id, f := range h.world.facts {
		if gone(f) {
			delete(h.world.facts, id)
		}
	}
}

func (h *history) word() string { return fmt.Sprintf("w%d", h.r.IntN(5)) }

// days draws the bounds of a non-empty range.
func (h *history) days() (from, until int) {
	from, until = 1+h.r.IntN(4), 2+h.r.IntN(4)
	if h.r.IntN(4) == 0 {
		from = 0
	}
	if h.r.IntN(3) == 0 {
		until = 0
	}
	if from > 0 && until > 0 && until <= from {
		until = from + 1
	}
	return from, until
}

// pick chooses a key in an order that depends only on the seed.
func pick[V any](r *rand.Rand, m map[string]V) string {
	if len(m) == 0 {
		return ""
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys[r.IntN(len(keys))]
}

// interesting returns the boundaries, times just before them, and times far
// from all.
func interesting(boundaries []time.Time) []time.Time {
	var times []time.Time
	for _, b := range boundaries {
		times = append(times, b.Add(-time.Microsecond), b)
	}
	return append(times, boundaries[0].AddDate(-100, 0, 0), boundaries[len(boundaries)-1].AddDate(100, 0, 0))
}

func (h *history) knownTimes() []time.Time {
	boundaries := []time.Time{h.now}
	for _, b := range h.beliefs {
		boundaries = append(boundaries, b.at)
	}
	slices.SortFunc(boundaries, time.Time.Compare)
	return interesting(boundaries)
}

func (h *history) believedAt(at time.Time) modelWorld {
	world := modelWorld{}
	for _, b := range h.beliefs {
		if !b.at.After(at) {
			world = b.world
		}
	}
	return world
}

// expected returns the model's facts at every pair of times, and its entities
// at every known time.
func (h *history) expected(validTimes, knownTimes []time.Time) []string {
	var lines []string
	for _, known := range knownTimes {
		world := h.believedAt(known)
		for id, name := range world.entities {
			lines = append(lines, fmt.Sprint(known.UnixMicro(), " ", id, " ", name))
		}
		for id, f := range world.facts {
			for _, valid := range validTimes {
				if f.holds(valid) {
					lines = append(lines, fmt.Sprint(known.UnixMicro(), " ", valid.UnixMicro(), " ", id, " ", f.source, " ", world.entities[f.source],
						" ", f.target, " ", world.entities[f.target], " ", f.text, " ", boundOf(f.from), " ", boundOf(f.until), " ", f.known))
				}
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func boundOf(n int) int64 {
	if n == 0 {
		return 0
	}
	return day(n).UnixMicro()
}

func (k how) String() string {
	by := k.boundedBy
	if by == "" {
		by = "-"
	}
	return strings.Join([]string{
		k.kind, k.fromBasis, k.fromPrecision, k.untilBasis, k.untilPrecision, fmt.Sprint(boundOf(k.saidAt)), by,
	}, " ")
}

// answered returns the same from the database.
func (h *history) answered(validTimes, knownTimes []time.Time) []string {
	h.t.Helper()
	const q = `
		SELECT concat_ws(' ', k.n, e.id, e.name)
		FROM (SELECT known, (extract(epoch FROM known) * 1000000)::bigint AS n FROM unnest($3::timestamptz[]) AS known) k
		CROSS JOIN LATERAL annals.entities_at($1, k.known) e
		UNION ALL
		SELECT concat_ws(' ', k.n, v.n, f.id, f.source_id, f.source, f.target_id, f.target, f.fact,
			coalesce((extract(epoch FROM lower(f.valid)) * 1000000)::bigint, 0),
			coalesce((extract(epoch FROM upper(f.valid)) * 1000000)::bigint, 0),
			f.kind, f.from_basis, f.from_precision, f.until_basis, f.until_precision,
			coalesce((extract(epoch FROM f.said_at) * 1000000)::bigint, 0), coalesce(f.bounded_by::text, '-'))
		FROM (SELECT known, (extract(epoch FROM known) * 1000000)::bigint AS n FROM unnest($3::timestamptz[]) AS known) k
		CROSS JOIN (SELECT valid, (extract(epoch FROM valid) * 1000000)::bigint AS n FROM unnest($2::timestamptz[]) AS valid) v
		CROSS JOIN LATERAL annals.facts_at($1, v.valid, k.known) f`
	rows, err := h.conn.Query(h.t.Context(), q, h.group, validTimes, knownTimes)
	if err != nil {
		h.t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		h.t.Fatal(err)
	}
	slices.Sort(lines)
	return lines
}

// After any operations in any order, as-of reads return the beliefs of every
// pair of times.
func TestAsOfReadsEqualANaiveModel(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	validTimes := interesting([]time.Time{day(1), day(2), day(3), day(4), day(5)})
	pairs, answers, versions := 0, 0, 0
	histories := slow.Of(20, 200, 200)
	for seed := range uint64(histories) {
		h := &history{
			t: t, r: rand.New(rand.NewPCG(seed, 5)), conn: conn, group: fmt.Sprint("g", seed),
			now: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), world: modelWorld{entities: map[string]string{}, facts: map[string]modelFact{}},
		}
		if _, err := conn.Exec(t.Context(), `INSERT INTO annals.groups (group_id) VALUES ($1)`, h.group); err != nil {
			t.Fatal(err)
		}
		for range 5 + h.r.IntN(8) {
			h.transact()
		}
		known := h.knownTimes()
		want, got := h.expected(validTimes, known), h.answered(validTimes, known)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d: (-model +database)\n%s\n%s", seed, diff, strings.Join(h.log, "\n"))
		}
		pairs += len(validTimes) * len(known)
		answers += len(want)
		versions += h.checkVersions()
	}
	t.Logf("%d histories, %d pairs of times, %d answers, %d versions", histories, pairs, answers, versions)
	if answers < slow.Of(2_000, 30_000, 30_000) || versions < slow.Of(80, 1000, 1000) {
		t.Errorf("%d answers and %d versions were compared; the histories are too empty to prove anything", answers, versions)
	}
}

// checkVersions checks that a row's history consists of versions that do not
// overlap, each equal to the as-of reads within it.
func (h *history) checkVersions() int {
	h.t.Helper()
	const q = `
		SELECT i.id, array_agg(v.recorded ORDER BY lower(v.recorded)), bool_and(EXISTS (
			SELECT FROM annals.facts_known($1, lower(v.recorded)) k WHERE k.id = v.id AND k.fact = v.fact AND k.valid = v.valid
				AND (k.kind, k.from_basis, k.from_precision, k.until_basis, k.until_precision, k.said_at, k.bounded_by)
					IS NOT DISTINCT FROM (v.kind, v.from_basis, v.from_precision, v.until_basis, v.until_precision, v.said_at, v.bounded_by)
				AND k.recorded = v.recorded))
		FROM (SELECT DISTINCT id FROM annals.fact_versions WHERE group_id = $1) i
		CROSS JOIN LATERAL annals.fact_history($1, i.id) v
		GROUP BY i.id`
	rows, err := h.conn.Query(h.t.Context(), q, h.group)
	if err != nil {
		h.t.Fatal(err)
	}
	n := 0
	var id uuid.UUID
	var recorded []pgtype.Range[pgtype.Timestamptz]
	var agree bool
	_, err = pgx.ForEachRow(rows, []any{&id, &recorded, &agree}, func() error {
		n += len(recorded)
		for i := 1; i < len(recorded); i++ {
			if recorded[i].Lower.Time.Before(recorded[i-1].Upper.Time) {
				return fmt.Errorf("versions %d and %d of fact %s overlap", i-1, i, id)
			}
		}
		if !agree {
			return fmt.Errorf("a version of fact %s is not what was known when it began", id)
		}
		return nil
	})
	if err != nil {
		h.t.Fatalf("%v\n%s", err, strings.Join(h.log, "\n"))
	}
	return n
}
