package migrations_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/pgtest"
)

const securityPage = "../docs/security.md"

// definer is a function that runs with the rights of its owner.
type definer struct {
	Name, Settings, Callers, About string
	Trigger                        bool
}

const selectDefiners = `SELECT p.oid::regproc::text AS name,
	coalesce((SELECT s FROM unnest(p.proconfig) AS s WHERE s LIKE 'search\_path=%'), '') AS settings, coalesce(string_agg(DISTINCT g.rolname, ', ' ORDER BY g.rolname), '') AS callers,
	coalesce(obj_description(p.oid, 'pg_proc'), '') AS about, p.prorettype = 'trigger'::regtype AS trigger
	FROM pg_proc p
	LEFT JOIN LATERAL (
		SELECT CASE WHEN a.grantee = 0 THEN 'everybody' ELSE a.grantee::regrole::text END AS rolname
		FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a WHERE a.grantee <> p.proowner AND a.privilege_type = 'EXECUTE'
	) g ON true
	WHERE p.prosecdef AND p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace)
	GROUP BY p.oid ORDER BY 1`

// docs/security.md lists every function that runs as its owner. Their search path
// must be fixed, with temporary objects last.
func TestSecurityPage(t *testing.T) {
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	var b strings.Builder
	var triggers []string
	b.WriteString("| function | called by | |\n|---|---|---|\n")
	for _, d := range read[definer](t, conn, selectDefiners) {
		if d.Settings != "search_path=pg_catalog, pg_temp" {
			t.Errorf("%s runs as the owner with %q; its search path must be pg_catalog, pg_temp", d.Name, d.Settings)
		}
		callers := d.Callers
		if callers == "" {
			callers = "the owner"
		}
		if strings.Contains(callers, "everybody") {
			t.Errorf("%s runs as the owner and may be called by everybody", d.Name)
		}
		if d.Trigger {
			triggers = append(triggers, "`"+d.Name+"`")
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", d.Name, callers, d.About)
	}
	fmt.Fprintf(&b, "| %s | triggers | [schema.md](schema.md) says what each does. |\n", strings.Join(triggers, ", "))
	text, err := os.ReadFile(securityPage)
	if err != nil {
		t.Fatal(err)
	}
	page := replacePart(t, string(text), "definers", b.String())
	if *update {
		if err := os.WriteFile(securityPage, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := diff.Diff(page, string(text)); d != "" {
		t.Errorf("%s is stale; write it anew with go test ./migrations -run TestSecurityPage -update (-catalogue +page):\n%s", securityPage, d)
	}
}
