package annals_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
)

// function is a function of the catalogue, with its arguments.
type function struct {
	Name, Signature string
	Names, Types    []string // of its arguments
	Allowed         bool     // the tenants may call it
	Variadic        bool     // in the last argument
	Writes          bool     // it may write
	Rows            bool     // it lists rows of the group in its first argument
}

const functionsOfCatalogue = `SELECT p.proname, p.oid::regprocedure::text,
		coalesce(p.proargnames[1:p.pronargs], '{}'), ARRAY(SELECT t::regtype::text FROM unnest(p.proargtypes) WITH ORDINALITY AS a(t, place) ORDER BY place),
		has_function_privilege('annals_tenant', p.oid, 'EXECUTE'), p.provariadic <> 0, p.provolatile = 'v', p.proretset AND coalesce(p.proargnames[1], '') ~ '(^|_)group(_id)?$'
	FROM pg_proc p
	WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND p.proname !~ '^river_' AND p.prokind = 'f' AND p.prorettype <> 'trigger'::regtype
	ORDER BY 2`

// groupArgument matches the names of arguments that name a group.
var groupArgument = regexp.MustCompile(`^((|of_|in_|from_|to_|erased_|told_)group(_id)?|asked_group|namespace)$`)

// argumentsOf has the values of arguments whose name and type are ambiguous, by function and
// argument. GROUP is the group asked about.
var argumentsOf = map[string]string{
	"add_episode.source": "'message'", "add_episode.expires_at": "now() + interval '1 day'", "check_episode.source": "'message'",
	"mark.ids": "ARRAY[ID]", "mark.mark": "'wrong'", "mark.expires_at": "NULL", "end_marks.marks": "'{pinned,useful}'",
	"add_tombstone.kind": "'content'", "add_tombstone.erased": "'I live in Paris.'", "check_tenant.asked": "GROUP", "apply_instructions.one": "GROUP",
	"audit_form.noted": "'{}'::jsonb", "cast_to_dimension.dimensions": "384", "fix_embedding_dimension.dimension": "384",
	"check_text.max_bytes": "100", "condition_path.condition": `'{"path": ["a"], "op": "exists"}'`,
	"count_rows.tables": "'{facts,episodes}'", "export_statement.relation": "'annals.facts'", "set_local.name": "'annals.origin'", "to_vector.written": "VECTOR",
	"matching_rejections.claims": `'[{"place": 1, "sources": ["Eve"], "targets": ["Frank"], "predicate": "KNOWS", "fact": "Eve knows Frank.", "authority": "user"}]'`,
	"json_texts.list":            "'[]'", "run_told.content": `'{"task": "Deploy"}'`, "erase_references.reference": "'episode_id'", "note_erasure.scope": "'group'",
	"learn_runs.changed": "ARRAY[ROW(GROUP, ID, ID, ID, '{}', '{}', '{}', '', 'success')]", "repeats.run": "ROW(GROUP, ID, ID, ID, '{}', '{}', '{}', '', 'success')",
}

// argumentsByName has the values of arguments whose type is ambiguous, by type and name.
var argumentsByName = map[string]string{
	"text erased": "GROUP", "text kind": "'fact'", "text of_kind": "'fact'", "text[] kinds": "'{fact,entity,episode,community}'", "text door": "'rest'",
	"text thread_id": "'thread'", "text model": "MODEL", "jsonb condition": "'[]'", "jsonb said": "'[]'",
}

// argumentsByType has the values of all other arguments, by type.
var argumentsByType = map[string]string{
	"text": "'Paris'", "text[]": "'{Paris,Bob,Carol,Alice}'", "jsonb": "'{}'", "boolean": "true", "integer": "2", "bigint": "2", "smallint": "2", "integer[]": "'{2}'",
	"double precision": "0.5", "real": "0.5", "timestamp with time zone": "now()", "interval": "'1 day'", "tstzrange": "'[2024-01-01,2025-01-01)'",
	"tstzmultirange": "'{[2024-01-01,2025-01-01)}'", "bytea": `'\x01'`, "bytea[]": `'{"\\x01"}'`, "name": "'facts'", "regconfig": "'simple'", "jsonpath": "'$'",
	"tsvector": "'paris'", "tsquery": "'paris'", "anyelement": "'Paris'::text", "timestamp with time zone[]": "'{}'",
}

// refusedFunctions have the SQLSTATE with which they refuse a tenant that may call them: they are
// for migrations, or only raise an error.
var refusedFunctions = map[string]string{"check_migration": "P0001", "raise_invalid": "22023", "refuse_beneath": "AN003"}

// call returns the statement that calls a function for a group. It fails if an argument has no
// value.
func (f function) call(group string, given map[string]string) (string, error) {
	args := make([]string, len(f.Types))
	for i, typ := range f.Types {
		name := ""
		if i < len(f.Names) {
			name = f.Names[i]
		}
		arg := argumentsOf[f.Name+"."+name]
		if arg == "" && typ == "text" && groupArgument.MatchString(name) {
			arg = "GROUP"
		}
		if arg = cmp.Or(arg, argumentsByName[typ+" "+name], given[typ]); arg == "" {
			return "", fmt.Errorf("the leak suite has nothing to give to %s for %q, a %s; name it in argumentsOf, argumentsByName or argumentsByType", f.Signature, name, typ)
		}
		args[i] = "(" + strings.NewReplacer("GROUP", "'"+group+"'", "VECTOR", given["vector"], "MODEL", given["model"], "ID", given["uuid"]).Replace(arg) + ")"
		if typ != "anyelement" {
			args[i] += "::" + typ
		}
		if f.Variadic && i == len(f.Types)-1 {
			args[i] = "VARIADIC " + args[i]
		}
	}
	name, _, _ := strings.Cut(f.Signature, "(")
	return fmt.Sprintf("SELECT to_jsonb(x)::text FROM %s(%s) x", name, strings.Join(args, ", ")), nil
}

// answersOf returns the rows of a call, without the group that it named.
func answersOf(ctx context.Context, q db.DBTX, sql string) ([]string, error) {
	rows, err := q.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		text, err := pgx.RowTo[*string](row)
		if text == nil || err != nil {
			return "", err
		}
		return strings.ReplaceAll(*text, tenantName(stranger), ""), nil
	})
}

// isRow reports whether an answer is a row and not an empty count.
func isRow(answer string) bool { return !strings.Contains(answer, `"held": 0,`) }

// given returns the values of types that depend on the database: enums, vectors, and each id of the
// stranger.
func (l *leak) given() []map[string]string {
	l.Helper()
	common := maps.Clone(argumentsByType)
	for _, enum := range l.texts(`SELECT t.oid::regtype::text || '=' || (SELECT enumlabel FROM pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder LIMIT 1)
		FROM pg_type t WHERE t.typtype = 'e' AND t.typnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)`) {
		typ, label, _ := strings.Cut(enum, "=")
		common[typ] = "'" + label + "'"
	}
	vectors := l.texts("SELECT quote_literal(v) FROM (SELECT embedding::text, model FROM annals_internal.fact_embeddings WHERE group_id = $1 LIMIT 1) e, LATERAL unnest(ARRAY[e.embedding, e.model]) v",
		tenantName(stranger))
	common["halfvec"], common["vector"], common["model"] = vectors[0], vectors[0], vectors[1]
	var owned []string
	for _, table := range l.texts(`SELECT c.oid::regclass::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'id' AND a.atttypid = 'uuid'::regtype
		WHERE c.oid::regclass::text = ANY ($1) ORDER BY 1`, l.tables) {
		owned = append(owned, l.texts("SELECT id::text FROM "+table+" WHERE group_id = $1 ORDER BY id LIMIT 1", tenantName(stranger))...)
	}
	slices.Sort(owned)
	owned = slices.Compact(owned)
	common["uuid[]"] = "'{" + strings.Join(owned, ",") + "}'"
	var all []map[string]string
	for _, id := range owned {
		one := maps.Clone(common)
		one["uuid"] = "'" + id + "'"
		all = append(all, one)
	}
	if len(all) < 10 {
		l.Errorf("the stranger has rows of %d kinds; the suite asks too little", len(all))
	}
	return all
}

// No function that a tenant calls returns or changes anything of the stranger's, whatever group and
// ids it gets. Functions and arguments come from the catalogue.
func (l *leak) functions(t *testing.T) {
	rows, err := l.owner.Query(t.Context(), functionsOfCatalogue)
	l.try(err)
	functions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[function])
	l.try(err)
	others := "SELECT string_agg(h, '') FROM (SELECT md5(string_agg(to_jsonb(r)::text, '' ORDER BY to_jsonb(r)::text)) AS h FROM " +
		strings.Join(append(slices.Clone(l.tables), "(SELECT $1 AS group_id, j.* FROM annals_internal.river_job j WHERE j.args::text LIKE '%' || $1 || '%')"),
			" r WHERE r.group_id = $1 UNION ALL SELECT md5(string_agg(to_jsonb(r)::text, '' ORDER BY to_jsonb(r)::text)) FROM ") + " r WHERE r.group_id = $1) every_table"
	var before string
	l.try(l.owner.QueryRow(t.Context(), others, tenantName(stranger)).Scan(&before))
	spoke, listed, given := 0, 0, l.given()
	for _, f := range functions {
		var failed error
		once, spoken, works := map[string]bool{}, false, false
		for _, with := range given {
			own, err := f.call(tenantName(stranger), with)
			if err != nil {
				t.Error(err)
				break
			}
			if once[own] {
				break // it takes no id
			}
			once[own] = true
			l.as(l.owner, tenantName(stranger), func(tx pgx.Tx) {
				control, err := answersOf(t.Context(), tx, own)
				if works = works || err == nil; err != nil {
					failed = err
				}
				spoken = spoken || strings.Contains(fmt.Sprint(control), secret(stranger))
				if f.Rows && len(control) > 0 {
					listed++
				}
			})
			for _, group := range []string{tenantName(stranger), tenantName(7)} {
				sql, _ := f.call(group, with)
				l.as(l.owner, tenantName(7), func(tx pgx.Tx) {
					answer, err := answersOf(t.Context(), tx, sql)
					if found := foreign(fmt.Sprint(answer), 7); len(found) != 0 || f.Rows && group != tenantName(7) && slices.ContainsFunc(answer, isRow) {
						t.Errorf("%s tells %q", sql, answer)
					}
					if err != nil { // a failed transaction wrote nothing and takes no more queries
						if found := foreign(strings.ReplaceAll(fmt.Sprint(err), tenantName(stranger), ""), 7); len(found) != 0 {
							t.Errorf("%s fails with %v", sql, err)
						}
						return
					}
					if !f.Writes {
						return
					}
					_, err = tx.Exec(t.Context(), "RESET ROLE")
					l.try(err)
					var after string
					if err := tx.QueryRow(t.Context(), others, tenantName(stranger)).Scan(&after); err != nil || after != before {
						t.Errorf("%s changes rows of another tenant (%v)", sql, err)
					}
				})
			}
		}
		if spoken {
			spoke++
		}
		want := refusedFunctions[f.Name]
		if !f.Allowed {
			want = "42501"
		}
		if works != (want == "") || !works && sqlState(failed) != want {
			t.Errorf("%s, called by the tenant itself with its own ids: %v; give it arguments that make sense, in argumentsOf, or name it in refusedFunctions", f.Signature, failed)
		}
	}
	if spoke < 20 || listed < 10 {
		t.Errorf("a tenant learns its words from %d functions and its rows from %d calls of %d functions: the suite asks wrongly", spoke, listed, len(functions))
	}
}
