package annals_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/retrieval"
)

// Names change between reading them and storing their vectors, and after that.
func TestReembedUnderLoad(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	for name, turn := range map[string]int64{"slow to embed entities": 0, "slow to embed the others": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reembedUnderLoad(t, turn)
		})
	}
}

func reembedUnderLoad(t *testing.T, turn int64) {
	before, url := clienttest.New(t)
	clienttest.Lived(t, before, url)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	l := &load{t: t, ctx: ctx, url: url, stop: make(chan struct{}), ticks: make(chan struct{})}
	l.goes(func() { l.add("busy") })
	l.goes(func() { l.add("other") })
	l.goes(func() { l.search(before) })
	l.goes(func() { l.rename(before) })

	to := &paced{Embedder: clienttest.Hash(t, 256), turn: turn, wait: func() { l.more(&l.searches, 5); l.more(&l.added, 1) }}
	done, err := before.Reembed(ctx, to, nil)
	if err != nil {
		t.Error(err)
	}
	l.more(&l.searches, 20)
	l.reach(&l.refused, 3) // the adding client and the renaming one notice
	l.more(&l.added, 2)
	close(l.stop)
	l.wg.Wait()
	t.Logf("%d searches, %d additions and %d renamings meanwhile; %d vectors made, %d removed",
		l.searches.Load(), l.added.Load(), l.renamed.Load(), done.Made, done.Dropped)

	if got, want := clienttest.Count(t, url, `SELECT count(*) FROM annals.episodes WHERE state = 'done' AND group_id IN ('busy', 'other')`),
		int(l.added.Load()); got != want {
		t.Errorf("%d episodes are done, of %d that were added", got, want)
	}
	clienttest.AllMadeBy(t, url, clienttest.Hash(t, 256))
	after := clienttest.Open(t, annals.Config{DatabaseURL: url})
	if server, err := service.New(after).Server(ctx); err != nil || server.EmbeddingDimension != 256 {
		t.Errorf("the database has %d dimensions, %v", server.EmbeddingDimension, err)
	}
	vectors, err := service.New(after).Vectors(ctx, "t")
	if want := (service.Vectors{Embedder: clienttest.Hash(t, 256).Name()}); err != nil || vectors != want {
		t.Errorf("vectors: %+v, %v; want %+v", vectors, err, want)
	}
	found, err := after.Search(ctx, annals.Query{GroupID: "t", Text: "Paris", Methods: byVectors, IncludeEnded: true})
	if err != nil || len(found.Facts) == 0 || len(found.Entities) == 0 || len(found.Episodes) == 0 {
		t.Errorf("found %d facts, %d entities, %d episodes by vector, %v", len(found.Facts), len(found.Entities), len(found.Episodes), err)
	}
}

var byVectors = []retrieval.Method{retrieval.MethodVector}

// paced is an embedder that waits, so that other clients can work in between.
type paced struct {
	model.Embedder
	calls atomic.Int64
	turn  int64 // it waits at each second call, beginning with the first if 1
	wait  func()
}

func (p *paced) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := p.Embedder.Embed(ctx, texts)
	if n := p.calls.Add(1); n%2 == p.turn && n <= 30 {
		p.wait() // the vectors are made, but not stored
	}
	return vectors, err
}

// load is the concurrent work on a database.
type load struct {
	t     *testing.T
	ctx   context.Context //nolint:containedctx // of the test
	url   string
	stop  chan struct{}
	ticks chan struct{} // an operation was done
	wg    sync.WaitGroup

	searches, added, renamed, refused atomic.Int64
}

func (l *load) goes(work func()) { l.wg.Go(work) }

func (l *load) stopped() bool {
	select {
	case <-l.stop:
		return true
	default:
		return l.t.Failed() || l.ctx.Err() != nil
	}
}

func (l *load) did(n *atomic.Int64) {
	n.Add(1)
	select {
	case l.ticks <- struct{}{}:
	default:
	}
}

func (l *load) more(n *atomic.Int64, by int64) { l.reach(n, n.Load()+by) }

func (l *load) reach(n *atomic.Int64, least int64) {
	for n.Load() < least && !l.t.Failed() {
		select {
		case <-l.ctx.Done():
			l.t.Error("the load has come to a standstill")
		case <-l.ticks:
		}
	}
}

func (l *load) open() *annals.Client {
	client, err := annals.Open(l.ctx, annals.Config{DatabaseURL: l.url, Communities: true})
	if err != nil {
		l.t.Error(err)
	}
	return client
}

// add adds and processes episodes one by one, in a group of its own. When it learns that its
// embedder was replaced, it continues with another client, as its operator would; the episode waits
// meanwhile.
func (l *load) add(group string) {
	client := l.open()
	defer func() { client.Close() }()
	for i := 0; !l.stopped(); i++ {
		if _, err := client.Add(l.ctx, annals.Episode{
			GroupID: group, Actor: "Alice", Content: fmt.Sprintf("I visited Town%d with my friend Marta%d.", i, i%7),
		}); err != nil {
			l.t.Errorf("add: %v", err)
			return
		}
		err := l.process(client, group)
		if annals.CodeOf(err) == annals.CodeConflict {
			l.did(&l.refused)
			client.Close()
			client = l.open()
			err = l.process(client, group)
		}
		if err != nil {
			l.t.Errorf("process: %v", err)
			return
		}
		l.did(&l.added)
	}
}

func (l *load) process(client *annals.Client, group string) error {
	var failed error
	err := client.Process(l.ctx, group, func(p annals.Processed) { failed = errors.Join(failed, p.Err) })
	return errors.Join(err, failed)
}

// search continues with its first embedder, whatever happens.
func (l *load) search(client *annals.Client) {
	for !l.stopped() {
		for _, q := range []annals.Query{
			{GroupID: "t", Text: "Who lives in Paris?"},
			{GroupID: "busy", Text: "Town3", Methods: byVectors, IncludeEnded: true},
			{GroupID: "t", Text: "Paris", Rerank: []retrieval.Rerank{retrieval.RerankMMR}, IncludeEnded: true},
		} {
			found, err := client.Search(l.ctx, q)
			if err != nil {
				l.t.Errorf("search: %v", err)
				return
			}
			if q.GroupID == "t" && len(found.Facts) == 0 {
				l.t.Errorf("%q finds no fact", q.Text)
			}
			l.did(&l.searches)
		}
	}
}

// rename changes the texts of vectors, until its embedder is replaced.
func (l *load) rename(client *annals.Client) {
	entities, err := client.Entities(l.ctx, annals.EntityFilter{GroupID: "t", Limit: 100})
	if err != nil {
		l.t.Error(err)
		return
	}
	for i := 0; !l.stopped(); i++ {
		e := entities[i%len(entities)]
		_, err := client.RenameEntity(l.ctx, "t", e.ID, fmt.Sprintf("%s number %d", e.Name, i))
		if annals.CodeOf(err) == annals.CodeConflict {
			l.did(&l.refused)
			return
		}
		if err != nil {
			l.t.Errorf("rename: %v", err)
			return
		}
		l.did(&l.renamed)
	}
}
