package retrieval

import (
	"context"
	"maps"
	"sync"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/guard"
)

// task is a ranking to make that needs no other.
type task struct {
	kind   graph.Kind
	method Method
	whole  bool // by words and by vectors together
}

// shared are tasks that two connections take in turn.
type shared struct {
	mu      sync.Mutex
	tasks   []task
	helped  bool // the second connection has taken one
	ranking map[graph.Kind]rankings
}

// share does the tasks on two connections, which see the same state of the
// database: each takes the next task as soon as it is free, and who makes the second
// ranking of a kind makes one of both at once. The first does all
// where there is only one task, where two take no longer than a second connection
// takes to come, and where there is no connection to spare.
func (v *view) share(ctx context.Context, tasks []task) (map[graph.Kind]rankings, error) {
	s := &shared{tasks: tasks, ranking: map[graph.Kind]rankings{}}
	for _, kind := range v.kinds() {
		s.ranking[kind] = rankings{}
	}
	if len(tasks) < 2 || len(tasks) == 2 && v.shape.HasFew(tasks[0].kind) && v.shape.HasFew(tasks[1].kind) {
		return s.ranking, s.work(ctx, v, false)
	}
	beside, err := v.queries.SecondReader(ctx, v.searcher.pool)
	if err != nil {
		return nil, err
	}
	if beside == nil {
		return s.ranking, s.work(ctx, v, false)
	}
	return s.ranking, s.workWith(ctx, v, beside)
}

// workWith does tasks while the second connection does others. When no task is
// left, a second connection that has taken none is told to stop. What it has
// begun is brought to an end first, as cutting that off would cost the connection.
func (s *shared) workWith(ctx context.Context, v *view, beside *db.SecondReader) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	other, done := v.afresh(), make(chan error, 1)
	go func() { done <- guard.Run(func() error { return s.help(ctx, beside, &other) }) }()
	err := s.work(ctx, v, false)
	if helped := s.end(); err != nil || !helped {
		stop()
	}
	if helping := <-done; err == nil {
		err = helping
	}
	return err
}

// help does tasks on the second connection. An error counts only if one was
// taken: otherwise they are done on the first.
func (s *shared) help(ctx context.Context, beside *db.SecondReader, v *view) error {
	err := beside.Read(ctx, func(queries *db.Queries) error {
		v.queries = queries
		return s.work(ctx, v, true)
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.helped {
		return nil
	}
	if err != nil {
		s.tasks = nil
	}
	return err
}

// end drops the tasks that are left, and reports whether the second connection has
// taken any.
func (s *shared) end() (helped bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks = nil
	return s.helped
}

// work does tasks as long as there are any, on the first connection or, helping,
// on the second.
func (s *shared) work(ctx context.Context, v *view, helping bool) error {
	for {
		t, ok := s.take(helping)
		if !ok {
			return nil
		}
		ranked, err := v.do(ctx, t)
		if err != nil {
			return err
		}
		if found := s.add(t.kind, ranked); found.whole() && v.fits(t.kind) {
			if found[MethodFit], err = v.together(ctx, t.kind, found); err != nil {
				return err
			}
		}
	}
}

// add notes what was found of a kind, and returns all of it. Whoever adds the last
// ranking has it alone.
func (s *shared) add(kind graph.Kind, ranked rankings) rankings {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.ranking[kind], ranked)
	if !s.ranking[kind].whole() {
		return nil
	}
	return s.ranking[kind]
}

func (s *shared) take(helping bool) (task, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tasks) == 0 {
		return task{}, false
	}
	t := s.tasks[0]
	s.tasks = s.tasks[1:]
	s.helped = s.helped || helping
	return t, true
}
