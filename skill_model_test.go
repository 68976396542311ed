package annals_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// judgedRun is a run as the naive model knows it.
type judgedRun struct {
	id      uuid.UUID
	day     int
	way     string // of the task and the procedure
	outcome string
}

// wayModel is one procedure of one task, with the runs that were judged, in their order.
type wayModel struct {
	worked, failed, row int
	began, ended        bool
}

// periods says what a careful reader of docs/skills.md expects of a way.
func periods(runs []judgedRun) (all []wayModel) {
	var p wayModel
	for _, r := range runs {
		switch {
		case r.outcome == "success":
			if p.ended {
				all, p = append(all, p), wayModel{}
			}
			p.began, p.row = true, 0
			p.worked++
		case r.outcome == "failure" && p.began:
			rate := float64(p.worked+1) / float64(p.worked+p.failed-p.row+2)
			p.failed++
			p.row++
			if p.row >= 5 || p.row >= 3 && math.Pow(1-rate, float64(p.row)) < .01 {
				p.ended = true
			}
		}
	}
	if p.began {
		all = append(all, p)
	}
	return all
}

// Over random histories of runs, judgements, undo, erasing and decisions skills are what
// the rules say of the runs that are left, and known as they were at earlier times.
func TestSkillsAreWhatTheRunsShow(t *testing.T) {
	t.Parallel()
	a := newAgents(t)
	s := service.New(a.client)
	random := rand.New(rand.NewPCG(47, 1))
	tasks := []string{"Deploy billing to staging", "Rotate certificates"}
	var runs []judgedRun
	decided := map[string]string{}
	expected := func() (want []string) {
		for _, task := range tasks {
			for _, procedure := range []string{"old", "new"} {
				way := task + " " + procedure
				of := slices.DeleteFunc(slices.Clone(runs), func(r judgedRun) bool { return r.way != way })
				slices.SortFunc(of, func(x, y judgedRun) int { return x.day - y.day })
				state := decided[way]
				if state == "" {
					state = "candidate"
				}
				for _, p := range periods(of) {
					want = append(want, fmt.Sprintf("%s: %d/%d %s ended %v", way, p.worked, p.failed, state, p.ended))
				}
			}
		}
		slices.Sort(want)
		return want
	}
	said := func(skills []annals.Skill) (got []string) {
		for _, k := range skills {
			got = append(got, fmt.Sprintf("%s %s: %d/%d %s ended %v", k.Name, strings.Fields(k.Steps[0])[0], k.Successes, k.Failures, k.State, k.InvalidAt != nil))
		}
		slices.Sort(got)
		return got
	}
	type moment struct {
		at   time.Time
		want []string
		what string
	}
	var past []moment
	erased := false
	for i := range 45 {
		what := ""
		switch n := random.IntN(20); {
		case n < 13 || len(runs) == 0:
			task, procedure := tasks[random.IntN(2)], []string{"old", "new"}[random.IntN(2)]
			run := annals.Run{Task: task, DurationMS: int64(i), Outcome: []string{"success", "success", "failure", "failure", "failure", "unknown"}[random.IntN(6)]}
			run.Steps = []annals.RunStep{{Tool: procedure + " prepare"}, {Tool: procedure + " do"}}
			if run.Outcome == "failure" {
				run.Steps[1].Error = fmt.Sprintf("attempt %d failed", i)
			}
			day := random.IntN(1000)*100 + i
			e, err := run.Episode(a.group, time.Date(2024, 1, 1, 0, day, 0, 0, time.UTC))
			if err != nil {
				t.Fatal(err)
			}
			stored, err := a.client.Add(t.Context(), e)
			if err == nil {
				err = a.client.Process(t.Context(), a.group, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			runs, what = append(runs, judgedRun{stored.ID, day, task + " " + procedure, run.Outcome}), "recorded "+run.Outcome
		case n < 15:
			at := random.IntN(len(runs))
			if n == 13 {
				_, err := a.client.Undo(t.Context(), a.group, runs[at].id)
				if err != nil {
					t.Fatal(err)
				}
				what = "undone " + runs[at].outcome
			} else {
				_, err := a.client.Erase(t.Context(), annals.Erasure{GroupID: a.group, EpisodeIDs: []uuid.UUID{runs[at].id}})
				if err != nil {
					t.Fatal(err)
				}
				what, erased = "erased "+runs[at].outcome, true
			}
			runs = slices.Delete(runs, at, at+1)
		case n < 17:
			at := slices.IndexFunc(runs, func(r judgedRun) bool { return r.outcome == "unknown" })
			if at < 0 {
				continue
			}
			a.mark(runs[at].id, []graph.Mark{graph.MarkUseful, graph.MarkWrong}[n-15], "")
			runs[at].outcome = []string{"success", "failure"}[n-15]
			what = "judged " + runs[at].outcome
		default:
			known := a.all()
			if len(known) == 0 {
				continue
			}
			k := known[random.IntN(len(known))]
			do := []string{"approve", "reject", "leave"}[n-17]
			if _, err := s.DecideSkill(t.Context(), a.group, k.ID, do); err != nil {
				t.Fatal(err)
			}
			decided[k.Name+" "+strings.Fields(k.Steps[0])[0]] = map[string]string{"approve": "confirmed", "reject": "rejected"}[do]
			what = do
		}
		want := expected()
		if got := said(a.all()); !slices.Equal(got, want) {
			t.Fatalf("%d, %s:\n%s\nwant\n%s", i, what, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if strings.HasPrefix(what, "erased") {
			past = nil // erasing changes what was known, too
		}
		past = append(past, moment{time.Now(), want, what})
	}
	if !erased {
		t.Error("nothing was erased")
	}
	for i, m := range past {
		skills, err := a.client.Skills(t.Context(), annals.SkillFilter{GroupID: a.group, State: "all", Ended: true, KnownAt: m.at, ValidAt: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		if got := said(skills); !slices.Equal(got, m.want) {
			t.Fatalf("as known after %d, %s:\n%s\nwant\n%s", i, m.what, strings.Join(got, "\n"), strings.Join(m.want, "\n"))
		}
	}
	if found, err := s.Verify(t.Context(), a.group, false); err != nil || len(found.Broken()) > 0 {
		t.Errorf("verify finds %+v (%v)", found, err)
	}
}
