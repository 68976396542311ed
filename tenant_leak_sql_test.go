package annals_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
)

// counts are numbers of other tenants' and of own rows.
type counts struct{ theirs, own int }

func countRows(ctx context.Context, q db.DBTX, relation, own string) (c counts, err error) {
	err = q.QueryRow(ctx, "SELECT count(*) FILTER (WHERE group_id <> $1), count(*) FILTER (WHERE group_id = $1) FROM "+
		relation+" WHERE group_id <> ''", own).Scan(&c.theirs, &c.own)
	return c, err
}

// hidden is the table that no tenant can read: keyed hashes of erased content.
const hidden = "annals_internal.tombstones"

func (l *leak) tablesAndViews(t *testing.T) {
	for _, relation := range slices.Concat(l.tables, l.views) {
		control, err := countRows(t.Context(), l.owner, relation, tenantName(7))
		l.try(err)
		if control.own == 0 || control.theirs != control.own*(leakTenants()-1) {
			t.Errorf("%s: the owner sees %+v; the suite is to have the same rows for all %d tenants", relation, control, leakTenants())
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
	// Without a group nothing is visible.
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

// No tenant can read which groups were erased, though the rows have no names.
func (l *leak) erasedGroupsAreHidden(t *testing.T) {
	l.as(l.owner, tenantName(7), func(tx pgx.Tx) {
		if _, err := tx.Exec(t.Context(), "SELECT digest FROM annals_internal.erased_groups"); sqlState(err) != "42501" {
			t.Errorf("reading the erased groups: %v, want it refused", err)
		}
	})
}

// A tenant's change without a group affects its own rows only; writing to another group is refused.
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
