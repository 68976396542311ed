package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/migrations"
)

// checkStructure checks the schema before a client is opened, and repairs it if fix is set. It does
// nothing for tenants, who may not see the schema. whole reports whether a client can be opened.
func (d *doctorJSON) checkStructure(ctx context.Context, tenant string, fix bool) (whole bool, err error) {
	if tenant != "" {
		return true, nil
	}
	if err := d.countMigrations(ctx); err != nil || d.MigrationsPending > 0 { // migrations come first
		return true, err
	}
	if fix {
		d.fixed(migrations.Mend(ctx, d.DatabaseURL))
	}
	found, err := migrations.Inspect(ctx, d.DatabaseURL)
	d.Checks = append(d.Checks, judgeStructure(found)...)
	return found.Whole(), err
}

// fixed records what was repaired, and the error of the rest.
func (d *doctorJSON) fixed(done []string, err error) {
	d.Fixed = append(d.Fixed, done...)
	if err != nil {
		d.Checks = append(d.Checks, checkJSON{
			Name: "fix", State: checkBroken, Found: strings.Join(strings.Fields(err.Error()), " "), Do: "see to that, and run 'annals doctor --fix' again",
		})
	}
}

// restored is the name of checks for what a restore leaves out.
const restored = "restore"

// judgeStructure makes checks of what a restore left out of the schema.
func judgeStructure(s migrations.Structure) []checkJSON {
	var checks []checkJSON
	broken := func(name, found, do string) { checks = append(checks, checkJSON{name, checkBroken, found, do}) }
	if len(s.Extensions) > 0 {
		broken("extensions", "missing: "+strings.Join(s.Extensions, ", "),
			"as an administrator: CREATE EXTENSION "+strings.Join(s.Extensions, "; CREATE EXTENSION "))
	}
	if n := len(s.Missing); n > 0 {
		broken(restored, fmt.Sprintf("missing: %s of the schema: %s", each.Count(n, "object"), listed(s.Missing, "")),
			"it was not restored whole: drop the schemas annals and annals_internal, and restore them into a database that has the extensions, as docs/deploy.md says")
		return checks
	}
	if s.NoQueue {
		broken(restored, "the queue is missing, from which workers take what they have to do", fixIt)
	}
	if s.HiddenBy != "" {
		broken("owner", "the tables belong to "+s.HiddenBy+", and all their rows are hidden from this user", "connect as "+s.HiddenBy+", or have an administrator GRANT "+s.HiddenBy+" to this user")
	}
	return append(checks, judgeTenants(s))
}

func judgeTenants(s migrations.Structure) checkJSON {
	const name = "row security"
	switch {
	case len(s.Unprotected) > 0:
		return checkJSON{name, checkBroken, "not as it should be on " + listed(s.Unprotected, ""), fixIt + ", as the owner of the tables"}
	case len(s.Open) > 0:
		return checkJSON{name, checkBroken, "anybody may call what runs as the owner: " + listed(s.Open, ""), fixIt + ", as the owner of the tables"}
	case len(s.Unread) > 0:
		return checkJSON{name, checkBroken, "tenants cannot read " + listed(s.Unread, ""), fixIt + ", as the owner of the tables"}
	case s.NoTenantRole:
		return checkJSON{
			name, checkWarning, "there is no role annals_tenant, or this user may not act as it: the database cannot tell tenants apart",
			"as an administrator: CREATE ROLE annals_tenant NOLOGIN NOINHERIT; GRANT annals_tenant TO this user; then " + fixIt,
		}
	}
	return checkJSON{Name: name, State: checkFine, Found: "every table is guarded"}
}

// refuseParts returns an error if a restore left out parts of a fully migrated schema: migrating
// again would not restore them.
func refuseParts(ctx context.Context, url string) error {
	pending, err := migrations.Pending(ctx, url)
	if err != nil || len(pending) > 0 {
		return err
	}
	found, err := migrations.Inspect(ctx, url)
	if err != nil || len(found.Missing) == 0 && !found.NoQueue {
		return err
	}
	checks := judgeStructure(found)
	check := checks[slices.IndexFunc(checks, func(c checkJSON) bool { return c.Name == restored })]
	return &graph.Error{Code: graph.CodeConflict, Field: "database", Message: check.Found + "; " + check.Do}
}
