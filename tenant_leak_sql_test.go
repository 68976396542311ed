package annals_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
)

// counts are the rows of others and one's own.
type counts struct{ theirs, own int }

func countRows(ctx context.Context, q db.DBTX, relation, own string) (c counts, err error) {
	err = q.QueryRow(ctx, "SELECT count(*) FILTER (WHERE group_id <> $1), count(*) FILTER (WHERE group_id = $1) FROM "+
		relation+" WHERE group_id <> ''", own).Scan(&c.theirs, &c.own)
	return c, err
}

// hidden is the table that no tenant reads: keyed hashes of what was erased.
const hidden = "annals_internal.tombstones"

func (l *leak) tablesAndViews(t *testing.T) {
	for _, relation := range slices.Concat(l.tables, l.views) {
		control, err := countRows(t.Context(), l.owner, relation, tenantName(7))
		l.try(err)
		if control.own == 0 || control.theirs != control.own*(leakTenants-1) {
			t.Errorf("%s: the owner sees %+v; the suite is to have the same rows for all %d tenants", relation, control, leakTenants)
		}
		if relation == hidden {
			l.as(l.owner, tenantName(7), func(tx pgx.Tx) {
				if got, err := countRows(t.Context(), tx, relation, tenantName(7)); sqlState(err) != "42501" {
					t.Errorf("%s: the tenant sees %+v (%v), want it refused", relation, got, err)
				}
			})
			continue
		}
		l.as(l.owner, tenantName(7), func(tx pgx.Tx) {
			got, err := countRows(t.Context(), tx, relation, tenantName(7))
			if want := (counts{0, control.own}); err != nil || got != want {
				t.Errorf("%s: the tenant sees %+v (%v), want %+v", relation, got, err, want)
			}
		})
		for _, group := range []string{
			"", "tenant", "tenant-0", "tenant-07 ", "TENANT-07", "%", "tenant-__", "' OR '1'='1", "tenant-07' OR group_id <> '", "x'; RESET ROLE; --", `\`, "*",
		} {
			l.as(l.owner, group, func(tx pgx.Tx) {
				if got, err := countRows(t.Context(), tx, relation, tenantName(7)); err != nil || got != (counts{}) {
					t.Errorf("%s: bound to %q one sees %+v (%v), want nothing", relation, group, got, err)
				}
			})
		}
	}
	// Without any group there is nothing to see.
	l.try(pgx.BeginFunc(t.Context(), l.owner, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SET LOCAL ROLE annals_tenant"); err != nil {
			return err
		}
		for _, relation := range slices.Concat(l.tables, l.views) {
			if relation == hidden {
				continue
			}
			if got, err := countRows(t.Context(), tx, relation, tenantName(7)); err != nil || got != (counts{}) {
				t.Errorf("%s: bound to no group one sees %+v (%v), want nothing", relation, got, err)
			}
		}
		return nil
	}))
}

// No tenant reads which groups were erased, though the rows name none.
func (l *leak) erasedGroupsAreHidden(t *testing.T) {
	l.as(l.owner, tenantName(7), func(tx pgx.Tx) {
		if _, err := tx.Exec(t.Context(), "SELECT digest FROM annals_internal.erased_groups"); sqlState(err) != "42501" {
			t.Errorf("reading the erased groups: %v, want it refused", err)
		}
	})
}

// What a tenant changes without naming a group is its own; what it writes into
// another's is refused.
func (l *leak) writing(t *testing.T) {
	for _, table := range l.tables {
		name := table
		own := l.count("SELECT count(*) FROM "+name+" WHERE group_id = $1", tenantName(7))
		for _, write := range []struct{ privilege, statement string }{
			{"UPDATE", "UPDATE " + name + " SET group_id = group_id"},
			{"UPDATE", "UPDATE " + name + " SET group_id = group_id WHERE group_id <> 'tenant-07'"},
			{"DELETE", "DELETE FROM " + name},
			{"DELETE", "DELETE FROM " + name + " WHERE group_id = 'tenant-08'"},
		} {
			l.as(l.owner, tenantName(7), func(tx pgx.Tx) {
				tag, err := tx.Exec(t.Context(), write.statement)
				allowed := l.count("SELECT has_table_privilege('annals_tenant', $1, $2)::int", table, write.privilege) == 1
				switch {
				case !allowed && sqlState(err) != "42501":
					t.Errorf("%s: %v, want it refused", write.statement, err)
				case allowed && err != nil:
					t.Errorf("%s: %v", write.statement, err)
				case allowed && strings.Contains(write.statement, "WHERE") && tag.RowsAffected() != 0,
					allowed && !strings.Contains(write.statement, "WHERE") && tag.RowsAffected() != int64(own):
					t.Errorf("%s: %d rows, of which the tenant has %d", write.statement, tag.RowsAffected(), own)
				}
			})
		}
		columns := l.columns(table)
		for _, steal := range []string{
			"INSERT INTO " + name + " (" + columns + ") SELECT " + columns + " FROM (SELECT (jsonb_populate_record(NULL::" + name + ", to_jsonb(r) || '{\"group_id\": \"tenant-08\"}')).* FROM " + name + " r WHERE r.group_id = 'tenant-07') x",
			"UPDATE " + name + " SET group_id = 'tenant-08'", "TRUNCATE " + name + " CASCADE", "ALTER TABLE " + name + " DISABLE ROW LEVEL SECURITY",
			"DROP POLICY tenant ON " + name, "DELETE FROM annals.migrations",
		} {
			l.as(l.owner, tenantName(7), func(tx pgx.Tx) {
				if _, err := tx.Exec(t.Context(), steal); sqlState(err) != "42501" {
					t.Errorf("%s: %v, want it refused", steal, err)
				}
			})
		}
	}
}

// functionCalls lists calls of every function of the schema: a group that is
// not the caller's, and for everything else what fits. Those that list rows of
// a group must list none.
const functionCalls = `SELECT DISTINCT p.proretset AND coalesce(p.proargnames[1], '') = 'group_id' AS rows,
	format('SELECT to_jsonb(x)::text FROM %s(%s) x', p.oid::regproc, (
		SELECT string_agg(CASE
			WHEN a.name = 'group_id' OR a.ord = 1 AND a.typ = 'text'::regtype THEN '''tenant-08'''
			WHEN a.typ = 'uuid'::regtype THEN quote_literal(s.id::text) || '::uuid'
			WHEN a.typ = 'uuid[]'::regtype THEN quote_literal($1::uuid[]::text) || '::uuid[]'
			WHEN a.typ = 'integer'::regtype THEN '2' WHEN a.typ = 'boolean'::regtype THEN 'true'
			WHEN a.typ = 'jsonb'::regtype THEN '''{}''::jsonb' WHEN a.typ = 'text'::regtype THEN '''secret''' ELSE 'NULL::' || a.typ::regtype END, ', ' ORDER BY a.ord)
		FROM unnest(p.proargtypes::oid[], p.proargnames[1:array_length(p.proargtypes::oid[], 1)]) WITH ORDINALITY AS a(typ, name, ord))) AS sql
	FROM pg_proc p, unnest($1::uuid[]) AS s(id)
	WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND p.proname !~ '^river_' AND p.prokind = 'f' AND p.prorettype <> 'trigger'::regtype
	ORDER BY 2`

type functionCall struct {
	Rows bool // it lists rows of the group it is given
	SQL  string
}

// answer is what a call gives, row by row.
func (c functionCall) answer(ctx context.Context, q db.DBTX) ([]string, error) {
	rows, err := q.Query(ctx, c.SQL)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		text, err := pgx.RowTo[*string](row)
		if text == nil || err != nil {
			return "", err
		}
		return strings.ReplaceAll(*text, "tenant-08", ""), nil // which the call named
	})
}

func (l *leak) functions(t *testing.T) {
	rows, err := l.owner.Query(t.Context(), functionCalls, l.ids)
	l.try(err)
	calls, err := pgx.CollectRows(rows, pgx.RowToStructByPos[functionCall])
	l.try(err)
	others := "SELECT sum(n)::int FROM (SELECT count(*) AS n FROM " + strings.Join(l.tables, " WHERE group_id <> 'tenant-07' UNION ALL SELECT count(*) FROM ") +
		" WHERE group_id <> 'tenant-07') every_table"
	before, told, listed := l.count(others), 0, 0
	for _, call := range calls {
		tx, err := l.owner.Begin(t.Context())
		l.try(err)
		control, _ := call.answer(t.Context(), tx)
		l.try(tx.Rollback(t.Context()))
		if len(foreign(fmt.Sprint(control), 7)) > 0 {
			told++
		}
		if call.Rows && len(control) > 0 {
			listed++
		}
		l.as(l.owner, tenantName(7), func(tx pgx.Tx) {
			answer, err := call.answer(t.Context(), tx)
			if found := foreign(fmt.Sprint(answer), 7); len(found) != 0 || call.Rows && len(answer) != 0 {
				t.Errorf("%s tells %q", call.SQL, answer)
			}
			if err != nil { // nothing was written, and nothing can be asked any more
				return
			}
			_, err = tx.Exec(t.Context(), "RESET ROLE")
			l.try(err)
			var after int
			if err := tx.QueryRow(t.Context(), others).Scan(&after); err != nil || after != before {
				t.Errorf("%s leaves %d rows of others (%v), before there were %d", call.SQL, after, err, before)
			}
		})
	}
	if told == 0 || listed < 3 {
		t.Errorf("the owner learns words from %d and rows from %d of %d calls: the suite asks wrongly", told, listed, len(calls))
	}
}
