package zepcloud_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
	"github.com/annalsdb/annals/internal/archive/zepcloud"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/resend"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/zep"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// cloud is a service that answers as Zep does, with a project of users and a graph, and can refuse
// requests.
type cloud struct {
	url, key string
	memory   *annals.Client
	asked    atomic.Int32
	refuse   atomic.Pointer[func(n int32, w http.ResponseWriter) bool] // reports whether it answered the n-th request itself
}

func newCloud(t *testing.T) *cloud {
	t.Helper()
	memory, _ := clienttest.New(t)
	c := &cloud{memory: memory}
	for _, user := range []string{"alice", "bob"} {
		group := "acme:" + user
		if _, err := service.New(memory).CreateUser(t.Context(), service.User{GroupID: group, Email: user + "@example.com", FirstName: user}); err != nil {
			t.Fatal(err)
		}
		for i, said := range []string{"I live in Paris.", "I work at Acme.", "I know Carol.", "I like chess.", "I moved to Lisbon."} {
			if _, err := memory.Add(t.Context(), annals.Episode{
				GroupID: group, Actor: user, Role: "user", Content: said, ThreadID: user + "-chat", OccurredAt: time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC),
			}); err != nil {
				t.Fatal(err)
			}
		}
		process(t, memory, group)
	}
	if _, err := memory.CreateGroup(t.Context(), annals.Group{ID: "acme:docs", Kind: graph.GroupGraph, Name: "Documents"}); err != nil {
		t.Fatal(err)
	}
	if _, err := memory.Add(t.Context(), annals.Episode{GroupID: "acme:docs", Source: graph.SourceText, Content: "Carol lives in Lisbon."}); err != nil {
		t.Fatal(err)
	}
	process(t, memory, "acme:docs")
	var err error
	if c.key, _, err = service.New(memory).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"acme:*"}}); err != nil {
		t.Fatal(err)
	}
	c.serve(t)
	return c
}

func process(t *testing.T, memory *annals.Client, group string) {
	t.Helper()
	if err := memory.Process(t.Context(), group, func(p annals.Processed) {
		if p.Err != nil {
			t.Error(p.Err)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// serve serves the project at a new address.
func (c *cloud) serve(t *testing.T) {
	t.Helper()
	s := server.New(server.Options{Client: c.memory, Log: slog.New(slog.DiscardHandler), RateLimit: 1000})
	zep.Mount(s)
	behind := httptest.NewServer(s.Handler())
	t.Cleanup(behind.Close)
	target, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := c.asked.Add(1)
		if refuse := c.refuse.Load(); refuse != nil && (*refuse)(n, w) {
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	c.url = front.URL + "/api/v2"
}

func (c *cloud) refusing(refuse func(n int32, w http.ResponseWriter) bool) {
	c.asked.Store(0)
	c.refuse.Store(&refuse)
}

func (c *cloud) options(dir string) zepcloud.Options {
	return zepcloud.Options{URL: c.url, Key: c.key, Dir: dir, Page: 2, Retries: resend.Policy{Pause: time.Millisecond}}
}

// imported fetches a project and imports it into a memory.
func imported(t *testing.T, o zepcloud.Options, into *annals.Client, prefix string) error {
	t.Helper()
	export, err := zepcloud.Open(o)
	if err != nil {
		return err
	}
	subjects, err := export.Subjects(t.Context())
	if err != nil {
		return err
	}
	for _, s := range subjects {
		if err := export.Fetch(t.Context(), s); err != nil {
			return err
		}
		if s.Imported != "" {
			continue
		}
		source, err := s.Open()
		if err != nil {
			return err
		}
		moved, err := into.Import(t.Context(), source, annals.ImportOptions{From: archive.FromZep, GroupID: prefix + s.ID})
		if err := errors.Join(err, source.Close()); err != nil {
			return err
		}
		if len(moved.Unmapped) > 0 {
			t.Errorf("%s: not mapped is %+v", s.ID, moved.Unmapped)
		}
		if err := s.Done(prefix + s.ID); err != nil {
			return err
		}
	}
	return nil
}

// same compares the project with the imported memory.
func (c *cloud) same(t *testing.T, into *annals.Client, prefix string) {
	t.Helper()
	for _, id := range []string{"alice", "bob", "docs"} {
		there, err := c.memory.Facts(t.Context(), annals.FactFilter{GroupID: "acme:" + id, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		facts, err := into.Facts(t.Context(), annals.FactFilter{GroupID: prefix + id, Limit: 100})
		if err != nil || len(there) == 0 || len(there) != len(facts) {
			t.Fatalf("%s has %d facts, of %d (%v)", prefix+id, len(facts), len(there), err)
		}
		for i, f := range facts {
			was := there[i]
			if f.ID != was.ID || f.Fact != was.Fact || !f.Valid.Start.Equal(was.Valid.Start) || !f.Valid.End.Equal(was.Valid.End) || !slices.Equal(f.Episodes, was.Episodes) || f.BoundedBy != was.BoundedBy {
				t.Errorf("%s: the fact %+v was %+v", prefix+id, f, was)
			}
		}
		episodes, err := into.Episodes(t.Context(), annals.EpisodeFilter{GroupID: prefix + id, Limit: 100})
		if err != nil || len(episodes) != map[string]int{"alice": 5, "bob": 5, "docs": 1}[id] {
			t.Errorf("%s has %d episodes (%v)", prefix+id, len(episodes), err)
		}
	}
}

// A whole project is fetched page by page, in spite of answers that ask to retry. The import equals
// the project: users, graphs, threads and times.
func TestAProjectIsTakenOver(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	c, dir := newCloud(t), t.TempDir()
	c.refusing(func(n int32, w http.ResponseWriter) bool {
		if n%3 != 0 {
			return false
		}
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	into, _ := clienttest.New(t)
	if err := imported(t, c.options(dir), into, "new:"); err != nil {
		t.Fatal(err)
	}
	c.same(t, into, "new:")
	alice, err := service.New(into).User(t.Context(), "new:alice")
	if err != nil || alice.Email != "alice@example.com" {
		t.Errorf("the user is %+v (%v)", alice, err)
	}
	if thread, err := into.Thread(t.Context(), "new:alice", "alice-chat"); err != nil || thread.Messages != 5 {
		t.Errorf("the conversation is %+v (%v)", thread, err)
	}
	if docs, err := into.Group(t.Context(), "new:docs"); err != nil || docs.Name != "Documents" {
		t.Errorf("the graph is %+v (%v)", docs, err)
	}
	asked := c.asked.Load()
	if err := imported(t, c.options(dir), into, "new:"); err != nil || c.asked.Load() != asked {
		t.Errorf("again: %v, %d requests", err, c.asked.Load()-asked)
	}
	if err := imported(t, c.options(t.TempDir()), into, "new:"); err != nil {
		t.Errorf("again without what was noted: %v", err)
	}
	c.same(t, into, "new:")
}

// An export interrupted anywhere, by an error or within a page, continues where it stopped,
// requests nothing twice, and has the same result.
func TestAnEndedExportGoesOn(t *testing.T) {
	t.Parallel()
	c := newCloud(t)
	into, _ := clienttest.New(t)
	count := t.TempDir()
	if err := imported(t, c.options(count), into, "whole:"); err != nil {
		t.Fatal(err)
	}
	whole, dir, asked, stops := c.asked.Load(), t.TempDir(), int32(0), 0
	for {
		c.refusing(func(n int32, w http.ResponseWriter) bool {
			if n <= 3 {
				return false
			}
			w.WriteHeader(http.StatusInternalServerError)
			return true
		})
		err := imported(t, c.options(dir), into, "new:")
		asked += min(c.asked.Load(), 3)
		if err == nil {
			break
		}
		if stops++; stops > 100 {
			t.Fatal(err)
		}
		tear(t, dir)
	}
	if stops < 5 || asked > whole+int32(stops) {
		t.Errorf("%d requests in %d runs, %d in one", asked, stops+1, whole)
	}
	c.same(t, into, "new:")
}

// tear leaves half a page at the end of each list, as a killed process does.
func tear(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*-e*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = file.WriteString(`,{"uuid": "half`)
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A single user is exported, and impossible requests are reported.
func TestOneUserAndRefusals(t *testing.T) {
	t.Parallel()
	c := newCloud(t)
	one := c.options(t.TempDir())
	one.Kind, one.ID = zepcloud.KindUser, "alice"
	export, err := zepcloud.Open(one)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := export.Subjects(t.Context())
	if err != nil || len(subjects) != 1 || subjects[0].ID != "alice" {
		t.Fatalf("%+v (%v)", subjects, err)
	}
	if err := export.Fetch(t.Context(), subjects[0]); err != nil {
		t.Fatal(err)
	}
	source, err := subjects[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if text, err := io.ReadAll(source); err != nil || !strings.Contains(string(text), "I live in Paris.") || strings.Contains(string(text), "bob") {
		t.Errorf("fetched is %s (%v)", text, err)
	}
	one.ID = "bob"
	for name, tt := range map[string]struct {
		change func(*zepcloud.Options)
		want   string
	}{
		"another user in the folder": {func(o *zepcloud.Options) { *o = one }, "another project, user or graph"},
		"no key":                     {func(o *zepcloud.Options) { o.Key = "" }, "ANNALS_ZEP_API_KEY"},
		"a wrong key":                {func(o *zepcloud.Options) { o.Key = "wrong" }, "look at the API key"},
		"no address":                 {func(o *zepcloud.Options) { o.URL = "zep" }, "no address of an API"},
		"version 4":                  {func(o *zepcloud.Options) { o.URL = strings.TrimSuffix(c.url, "/v2") + "/v4" }, "give " + c.url},
		"another service":            {func(o *zepcloud.Options) { o.URL = strings.TrimSuffix(c.url, "/api/v2") }, "404"},
		"nobody there":               {func(o *zepcloud.Options) { o.URL = "http://127.0.0.1:1/api/v2"; o.Retries.Tries = 2 }, "cannot be reached"},
	} {
		o := c.options(t.TempDir())
		tt.change(&o)
		err := func() error {
			export, err := zepcloud.Open(o)
			if err == nil {
				_, err = export.Subjects(context.WithoutCancel(t.Context()))
			}
			return err
		}()
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), c.key) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
