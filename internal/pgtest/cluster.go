package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Cluster are the servers that scripts/citus started: URLs of a database on each, the
// coordinator's first. There are none where ANNALS_TEST_CITUS names none.
func Cluster(database string) ([]string, error) {
	address := os.Getenv("ANNALS_TEST_CITUS")
	if address == "" {
		return nil, nil
	}
	var urls []string
	for n := range 3 {
		u, err := url.Parse(address)
		if err != nil {
			return nil, fmt.Errorf("read ANNALS_TEST_CITUS: %w", err)
		}
		port, err := strconv.Atoi(u.Port())
		if err != nil {
			return nil, fmt.Errorf("read ANNALS_TEST_CITUS: %w", err)
		}
		u.Host, u.Path = fmt.Sprintf("%s:%d", u.Hostname(), port+n), "/"+database
		urls = append(urls, u.String())
	}
	return urls, nil
}

// CopyCluster copies a database that is spread over the cluster, server by server,
// which takes a tenth of spreading a new one, and returns the URL of the copy on the
// coordinator. It is gone when the test ends. Nobody may be connected to the
// template.
func CopyCluster(t testing.TB, template string) string {
	t.Helper()
	servers, err := Cluster("postgres")
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("annals_%d", time.Now().UnixNano())
	t.Cleanup(func() {
		if os.Getenv("ANNALS_TEST_KEEP") != "" {
			return
		}
		for _, server := range servers {
			if err := dropDatabase(server, name); err != nil {
				t.Logf("drop %s: %v", name, err)
			}
		}
	})
	for _, server := range servers {
		if err := copyDatabase(server, template, name); err != nil {
			t.Fatalf("copy %s: %v", template, err)
		}
	}
	copies, err := Cluster(name)
	if err != nil {
		t.Fatal(err)
	}
	return copies[0]
}

// copyDatabase copies a database with what is set for it, which PostgreSQL leaves out.
func copyDatabase(server, template, name string) error {
	return on(server, func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, `CREATE DATABASE `+name+` TEMPLATE `+template+` STRATEGY file_copy`); err != nil {
			return err
		}
		rows, err := conn.Query(ctx, `SELECT unnest(setconfig) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase WHERE d.datname = $1 AND s.setrole = 0`, template)
		if err != nil {
			return err
		}
		settings, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, setting := range settings {
			key, value, _ := strings.Cut(setting, "=")
			if _, err := conn.Exec(ctx, fmt.Sprintf(`ALTER DATABASE %s SET %s = '%s'`, name, key, value)); err != nil {
				return err
			}
		}
		return nil
	})
}

// dropDatabase drops a database, which Citus itself may look into again at once.
func dropDatabase(server, name string) error {
	return on(server, func(ctx context.Context, conn *pgx.Conn) (err error) {
		for range 20 {
			if _, err = conn.Exec(ctx, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`); err == nil {
				return nil
			}
			time.Sleep(500 * time.Millisecond)
		}
		return err
	})
}

// on runs something on one server, also after the test has ended. The connections are
// kept for the next test: making one takes a quarter as long as a database. No pool of
// pgx does it, as that runs in the background: tests look for what is left running.
func on(server string, do func(context.Context, *pgx.Conn) error) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	kept, _ := idle.LoadOrStore(server, make(chan *pgx.Conn, 16))
	var conn *pgx.Conn
	select {
	case conn = <-kept.(chan *pgx.Conn):
	default:
		if conn, err = pgx.Connect(ctx, server); err != nil {
			return err
		}
	}
	defer func() {
		if conn.IsClosed() {
			return
		}
		select {
		case kept.(chan *pgx.Conn) <- conn:
		default:
			_ = conn.Close(ctx)
		}
	}()
	return do(ctx, conn)
}

var idle sync.Map // channels of connections that nobody uses, by server
