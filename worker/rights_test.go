package worker_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/worker"
)

// A role that serves only tenants is told why it cannot read the queue.
func TestRolesOfTenantsDoNotWork(t *testing.T) {
	t.Parallel()
	address := pgtest.New(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	role := "annals_tenants_" + u.Path[len(u.Path)-8:]
	owner := clienttest.Dial(t, address)
	if _, err := owner.Exec(t.Context(), fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD 'app'; GRANT annals_tenant TO %[1]s", pgx.Identifier{role}.Sanitize())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := owner.Exec(context.Background(), "DROP ROLE "+pgx.Identifier{role}.Sanitize()); err != nil {
			t.Error(err)
		}
	})
	u.User = url.UserPassword(role, "app")
	client := clienttest.Open(t, annals.Config{DatabaseURL: u.String()})
	err = worker.Run(t.Context(), client, worker.Options{})
	if annals.CodeOf(err) != annals.CodeConflict || !strings.Contains(fmt.Sprint(err), "--tenant") {
		t.Errorf("%v", err)
	}
}
