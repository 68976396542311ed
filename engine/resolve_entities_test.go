package engine_test

import (
	"sync"
	"testing"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/prompts"
)

func TestNamesThatDifferInWritingAreOneEntity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, name := range []string{"José García", "JOSE GARCIA", "José  García", "Ｊosé García", "王小明", "Юлия", "юлия"} {
		w.analyst.entities = names(name)
		w.says("2023-01-10", "", "…")
	}
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 3 {
		t.Errorf("%d entities, want 3", n)
	}
}

func TestTheAnalystDecidesAmongCandidates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities = names("Caroline")
	w.says("2023-01-10", "", "Caroline called.")
	w.analyst.entities = names("Caroline Smith")
	w.analyst.resolve = func(in prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
		if len(in.Entities) != 1 || len(in.Entities[0].Candidates) != 1 || in.Entities[0].Candidates[0].Name != "Caroline" {
			t.Errorf("asked %+v", in.Entities)
		}
		return prompts.ResolvedEntities{Resolutions: []prompts.EntityResolution{{ID: 1, Candidate: 1}, {ID: 7, Candidate: 7}}}, nil
	}
	w.says("2023-01-11", "", "Caroline Smith called.")
	if n := w.count(`SELECT count(*) FROM annals.entities WHERE name = 'Caroline Smith' AND aliases = '{Caroline}'`); n != 1 {
		t.Error("the longer name did not win, or the shorter one is no alias")
	}
	w.analyst.resolve = nil
	w.analyst.entities = names("caroline")
	w.says("2023-01-12", "", "caroline again.")
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 1 {
		t.Errorf("%d entities; the alias should need no analyst", n)
	}
}

func TestConcurrentProcessesMakeOneEntity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities = names("Zoë")
	for range 10 {
		w.store("2023-01-10", "", "Zoë is new here.")
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range 3 {
		wg.Go(func() {
			err := w.engine.Process(t.Context(), "g", func(engine.Processed) {
				mu.Lock()
				defer mu.Unlock()
				done++
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := w.count(`SELECT count(*) FROM annals.entities`); n != 1 || done != 10 {
		t.Errorf("%d entities from %d episodes, want 1 from 10", n, done)
	}
}

// A first name that one of two people was once called by is not that one's alone.
func TestAFirstNameOfTwoIsAskedEachTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.analyst.entities = names("Anna Brandt")
	w.says("2023-01-10", "", "Anna Brandt is our new designer.")
	w.analyst.entities = names("Anna Ruiz")
	w.says("2023-01-11", "", "Anna Ruiz from sales moved to Madrid.")
	asked := 0
	w.analyst.resolve = func(in prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
		asked++
		want := map[int]string{1: "Anna Brandt", 2: "Anna Ruiz"}[asked]
		for _, c := range in.Entities[0].Candidates {
			if c.Name == want {
				return prompts.ResolvedEntities{Resolutions: []prompts.EntityResolution{{ID: 1, Candidate: c.ID}}}, nil
			}
		}
		t.Errorf("%s is no candidate of %+v", want, in.Entities)
		return prompts.ResolvedEntities{}, nil
	}
	w.analyst.entities = names("Anna")
	w.says("2023-01-12", "", "Anna from design is allergic to nuts.")
	w.says("2023-01-13", "", "Anna from sales quit.")
	if asked != 2 {
		t.Errorf("the model was asked who Anna is %d times, want 2", asked)
	}
}
