package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/pgtest"
)

func TestLockIsHeldByOne(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	url := pgtest.New(t)
	for name, url := range map[string]string{"directly": url, "behind a pooler": pgtest.Bouncer(t, url)} {
		pool, err := db.Open(ctx, url)
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		lock, err := db.TakeLock(ctx, pool, db.LockProcess("g"), false)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := db.TakeLock(ctx, pool, db.LockProcess("g"), false); !errors.Is(err, db.ErrLocked) {
			t.Errorf("%s: a second one has the lock: %v", name, err)
		}
		other, err := db.TakeLock(ctx, pool, db.LockExclusive("g", "g"), false)
		if err != nil {
			t.Fatalf("%s: a lock of another name: %v", name, err)
		}
		other.Release(ctx)
		if err := lock.Held(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		lock.Release(ctx)
		lock, err = db.TakeLock(ctx, pool, db.LockProcess("g"), false)
		if err != nil {
			t.Fatalf("%s: after it was released: %v", name, err)
		}
		lock.Release(ctx)
	}
}

func TestLockIsWaitedFor(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool, err := db.Open(ctx, pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	first, err := db.TakeLock(ctx, pool, db.LockReembed, true)
	if err != nil {
		t.Fatal(err)
	}
	second := make(chan error, 1)
	go func() {
		lock, err := db.TakeLock(ctx, pool, db.LockReembed, true)
		if err == nil {
			lock.Release(ctx)
		}
		second <- err
	}()
	select {
	case err := <-second:
		t.Errorf("the second did not wait: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	first.Release(ctx)
	if err := <-second; err != nil {
		t.Error(err)
	}
	waiting, stop := context.WithTimeout(ctx, 200*time.Millisecond)
	defer stop()
	first, err = db.TakeLock(ctx, pool, db.LockReembed, true)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Release(ctx)
	if _, err := db.TakeLock(waiting, pool, db.LockReembed, true); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("who gives up waiting gets %v", err)
	}
}

// A lock whose connection the server ended is free, and says so.
func TestLockIsLost(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool, err := db.Open(ctx, pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	lock, err := db.TakeLock(ctx, pool, db.LockProcess("g"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release(ctx)
	_, err = pool.Exec(ctx, `SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
		WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Held(ctx); err == nil {
		t.Error("it is still held")
	}
	again, err := db.TakeLock(ctx, pool, db.LockProcess("g"), false)
	if err != nil {
		t.Fatal(err)
	}
	again.Release(ctx)
}
