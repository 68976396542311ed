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

// Cluster returns the URL of a database on each server that scripts/citus started, the
// coordinator's first. It returns none if ANNALS_TEST_CITUS is not set.
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

// CopyCluster copies a distributed database server by server, which takes a tenth of
// the time of distributing a new one, and returns the URL of the copy on the
// coordinator. The copy is dropped when the test ends. Nobody may be connected to the
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

// copyDatabase copies a database with its settings, which CREATE DATABASE leaves out.
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

// dropDatabase drops a database. It retries, since Citus itself may reconnect at once.
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

// on runs a function on a server, also after the test has ended. Connections are kept
// for the next test, since connecting takes a quarter as long as creating a database.
// A pgx pool would leave goroutines running, which tests check for.
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

var idle sync.Map // channels of idle connections, by server
