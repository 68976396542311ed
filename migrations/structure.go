package migrations

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Structure lists the faults of a schema whose migrations all ran. A restore may have
// omitted parts of it, or lacked the roles that it names. The zero value has no faults.
type Structure struct {
	// Extensions are missing extensions.
	Extensions []string

	// Missing are missing objects of the migrations, as in "table annals.facts". Only a
	// complete restore brings them back.
	Missing []string

	// NoQueue reports that all tables of the queue are missing. Missing does not list
	// them, since [Mend] creates them.
	NoQueue bool

	// HiddenBy is the owner of the tables, if row-level security hides all their rows
	// from this user, who is neither the owner nor a member of that role. Empty: the
	// rows are visible.
	HiddenBy string

	// NoTenantRole reports that the role annals_tenant is missing, or that this user
	// owns the tables and may not act as that role.
	NoTenantRole bool

	// Unprotected are tables with incomplete row-level security: it is off, or policies
	// or grants are missing or name other roles.
	Unprotected []string

	// Open are functions that everybody may call but only the owner and tenants should.
	Open []string

	// Unread are tables that everybody should be able to read but cannot.
	Unread []string
}

// Whole reports whether a client can work with the schema.
func (s Structure) Whole() bool {
	return len(s.Extensions) == 0 && len(s.Missing) == 0 && !s.NoQueue && s.HiddenBy == "" && len(s.Unprotected) == 0
}

// objects lists the objects of the migrations, one per line, in the form of
// selectObjects. A test keeps the file current.
//
//go:embed objects.txt
var objects string

// selectObjects lists the objects of both schemas by kind and name, which do not depend
// on the version of PostgreSQL or the schemas of extensions. A function that not
// everybody may call is also listed as closed, a table that everybody may read as
// public. Indexes of large groups are left out, since they come and go.
const selectObjects = `
SELECT o.kind || ' ' || o.name FROM (
    SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'i' THEN 'index' WHEN 'S' THEN 'sequence' ELSE 'table' END, n.nspname || '.' || c.relname
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('annals', 'annals_internal') AND c.relkind IN ('r', 'p', 'v', 'i', 'I', 'S')
        AND c.relname !~ '_embeddings_hnsw_[0-9a-f]{24}'
    UNION
    SELECT 'function', n.nspname || '.' || p.proname
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname IN ('annals', 'annals_internal')
    UNION
    SELECT 'closed', n.nspname || '.' || p.proname
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname IN ('annals', 'annals_internal') AND NOT pg_catalog.has_function_privilege('public', p.oid, 'EXECUTE')
    UNION
    SELECT 'public', n.nspname || '.' || c.relname
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('annals', 'annals_internal') AND c.relkind IN ('r', 'v') AND pg_catalog.has_table_privilege('public', c.oid, 'SELECT')
    UNION
    SELECT 'trigger', n.nspname || '.' || c.relname || '.' || t.tgname
    FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('annals', 'annals_internal') AND NOT t.tgisinternal
    UNION
    SELECT 'constraint', n.nspname || '.' || c.relname || '.' || k.conname
    FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('annals', 'annals_internal') AND k.contype IN ('c', 'f', 'p', 'u', 'x')
) o(kind, name)
ORDER BY o.kind, o.name COLLATE "C"`

const selectExtensions = `
SELECT n.name FROM unnest(ARRAY['vector', 'btree_gist', 'pg_trgm', 'unaccent']) AS n(name)
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_extension e WHERE e.extname = n.name)`

// selectUnprotected lists the tables that annals_internal.protect_tenants would change.
const selectUnprotected = `
SELECT c.relname::text
FROM annals_internal.relations() r
JOIN pg_catalog.pg_class c ON c.oid = to_regclass(r.qualified)
CROSS JOIN (SELECT (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = 'annals_tenant') AS role) tenant
WHERE NOT r.is_view AND NOT (c.relrowsecurity AND c.relforcerowsecurity
        AND EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'owner' AND p.polroles = ARRAY[c.relowner])
        AND (tenant.role IS NULL
            OR EXISTS (SELECT FROM pg_catalog.pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant' AND p.polroles = ARRAY[tenant.role])))
    OR tenant.role IS NOT NULL AND EXISTS (
        SELECT FROM unnest(r.tenant_may) AS m(privilege) WHERE NOT pg_catalog.has_table_privilege(tenant.role, c.oid, m.privilege))
ORDER BY c.relname`

// selectRoles returns the owner of the tables if their rows are hidden from this user,
// and whether the role of tenants is unusable.
const selectRoles = `
SELECT CASE WHEN pg_catalog.row_security_active(c.oid) AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_policy p, unnest(p.polroles) AS r(role)
        WHERE p.polrelid = c.oid AND (r.role = 0 OR pg_catalog.pg_has_role(r.role, 'USAGE')))
        AND NOT pg_catalog.pg_has_role(c.relowner, 'USAGE') THEN o.rolname::text ELSE '' END,
    tenant.role IS NULL OR pg_catalog.pg_has_role(c.relowner, 'USAGE') AND NOT pg_catalog.pg_has_role(tenant.role, 'MEMBER')
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_roles o ON o.oid = c.relowner
CROSS JOIN (SELECT (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = 'annals_tenant') AS role) tenant
WHERE c.oid = 'annals_internal.settings'::regclass`

// Inspect lists the faults of a schema whose migrations all ran. It changes nothing.
func Inspect(ctx context.Context, databaseURL string) (s Structure, err error) {
	conn, err := connect(ctx, databaseURL)
	if err != nil {
		return s, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := s.read(ctx, conn); err != nil {
		return s, fmt.Errorf("look at the schema: %w", err)
	}
	return s, nil
}

func (s *Structure) read(ctx context.Context, conn *pgx.Conn) (err error) {
	*s = Structure{}
	if s.Extensions, err = lines(ctx, conn, selectExtensions); err != nil {
		return err
	}
	found, err := lines(ctx, conn, selectObjects)
	if err != nil {
		return err
	}
	s.compare(found)
	if len(s.Missing) > 0 { // the other queries use these objects
		return nil
	}
	if s.Unprotected, err = lines(ctx, conn, selectUnprotected); err != nil {
		return err
	}
	return conn.QueryRow(ctx, selectRoles).Scan(&s.HiddenBy, &s.NoTenantRole)
}

// compare compares the existing objects with those of the migrations.
func (s *Structure) compare(found []string) {
	s.NoQueue = !slices.ContainsFunc(found, func(o string) bool { return strings.HasPrefix(o, "table ") && ofQueue(o) })
	for _, object := range strings.Split(strings.TrimSpace(objects), "\n") {
		if slices.Contains(found, object) || s.NoQueue && ofQueue(object) {
			continue
		}
		switch kind, name, _ := strings.Cut(object, " "); kind {
		case "closed":
			s.Open = append(s.Open, name)
		case "public":
			s.Unread = append(s.Unread, name)
		default:
			s.Missing = append(s.Missing, object)
		}
	}
}

// ofQueue reports whether an object is one of River's tables or belongs to one.
func ofQueue(object string) bool { return strings.Contains(object, " "+QueueSchema+".river_") }

func lines(ctx context.Context, conn *pgx.Conn, sql string) ([]string, error) {
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// connect opens a connection that needs nothing of the schema, and of a pooler only
// transactions.
func connect(ctx context.Context, databaseURL string) (*pgx.Conn, error) {
	config, err := parse(databaseURL)
	if err != nil {
		return nil, err
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, unreachable(err)
	}
	return conn, nil
}
