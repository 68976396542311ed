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
	"github.com/annalsdb/annals/internal/slow"
)

// judgedRun is a run in the naive model.
type judgedRun struct {
	id      uuid.UUID
	day     int
	way     string // of the task and the procedure
	outcome string
}

// wayModel is one procedure of one task, with its judged runs in order.
type wayModel struct {
	worked, failed, row int
	began, ended        bool
}

// periods returns what docs/skills.md says of a procedure.
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

// In random histories of runs, judgements, undos, erasures and decisions, skills are what the rules
// say of the remaining runs, and are known as they were at earlier times.
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
			past = nil // erasing also changes what was known
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

// leftRun is a run that was recorded, and what happened to it.
type leftRun struct {
	episode annals.Episode
	run     annals.Run
	outcome string // as recorded, or as judged since
	expires bool
}

// In random histories, skills equal those learned from the remaining runs, had each been judged
// when it came. A run that joins two skills joins them whenever it counts, and separates them when
// it is removed, withheld or to expire.
func TestSkillsAreThoseOfTheRunsThatAreLeft(t *testing.T) {
	t.Parallel()
	parted, joined := 0, 0
	for seed := range uint64(slow.Of(1, 8, 60)) {
		h := runsHistory{agents: newAgents(t), random: rand.New(rand.NewPCG(seed+2, 18))}
		skills := 0
		for i := range 40 {
			what := h.step(i)
			if what == "" {
				continue
			}
			got, now := h.described(h.group)
			want, _ := h.described(h.again(i))
			if got != want {
				t.Fatalf("seed %d, %d, %s:\n%s\nwant\n%s", seed, i, what, got, want)
			}
			h.joined = what == "recorded" && now < skills
			switch {
			case h.joined:
				joined++
			case what != "recorded" && now > skills:
				parted++
			}
			skills = now
		}
		if found, err := service.New(h.client).Verify(t.Context(), h.group, false); err != nil || len(found.Broken()) > 0 {
			t.Errorf("verify finds %+v (%v)", found, err)
		}
	}
	if parted == 0 || joined == 0 {
		t.Errorf("runs joined skills %d times, and parted them %d times; the test shows nothing", joined, parted)
	}
}

type runsHistory struct {
	*agents
	random   *rand.Rand
	left     []leftRun
	withheld bool
	joined   bool // the last run joined two skills
}

// step does a random operation and describes it; empty: there was nothing to do.
func (h *runsHistory) step(i int) string {
	n := h.random.IntN(20)
	if h.joined && n%2 == 0 {
		n = 11
	}
	if n < 11 || len(h.left) == 0 {
		h.came(i)
		return "recorded"
	}
	at := h.random.IntN(len(h.left))
	if n == 11 {
		at = len(h.left) - 1
	}
	r := &h.left[at]
	var err error
	what := ""
	switch n {
	case 11, 12, 13:
		_, err = h.client.Undo(h.Context(), h.group, r.episode.ID)
		h.left, what = slices.Delete(h.left, at, at+1), "undone"
	case 14:
		_, err = h.client.Erase(h.Context(), annals.Erasure{GroupID: h.group, EpisodeIDs: []uuid.UUID{r.episode.ID}})
		h.left, what = slices.Delete(h.left, at, at+1), "erased"
	case 15, 16, 17:
		if r.run.Outcome == "unknown" {
			what = []string{"success", "failure", "unknown"}[n-15]
			h.mark(r.episode.ID, []graph.Mark{graph.MarkUseful, graph.MarkWrong, graph.MarkUnjudged}[n-15], "")
			r.outcome = what
		}
	case 18:
		h.mark(r.episode.ID, map[bool]graph.Mark{true: graph.MarkKeeps, false: graph.MarkExpires}[r.expires], "")
		r.expires, what = !r.expires, "expires or not"
	case 19:
		policy := graph.TrustPolicy{}
		if h.withheld = !h.withheld; h.withheld {
			policy.Sources = []string{"feed"}
		}
		err, what = service.New(h.client).SetTrustPolicy(h.Context(), h.group, policy), "withheld or not"
	}
	if err != nil {
		h.Fatal(err)
	}
	return what
}

// came records a run of a task, in few different words, by one of two procedures.
func (h *runsHistory) came(i int) {
	words := strings.Fields("deploy billing invoices ship staging cluster")
	h.random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	words = words[:2+h.random.IntN(3)]
	task := strings.Join(words, " ")
	if n := len(h.left); n > 0 && h.random.IntN(3) == 0 {
		task = h.left[h.random.IntN(n)].run.Task
	}
	run := annals.Run{Task: task, DurationMS: int64(i), Outcome: []string{"success", "success", "success", "failure", "unknown", "unknown"}[h.random.IntN(6)]}
	way := []string{"helm", "make"}[h.random.IntN(2)]
	for _, step := range []string{"pull", "test", "apply", "check"} {
		run.Steps = append(run.Steps, annals.RunStep{Tool: way + " " + step})
	}
	run.Steps = run.Steps[h.random.IntN(2):]
	if h.random.IntN(4) == 0 || run.Outcome == "failure" {
		run.Steps[len(run.Steps)-1].Error = fmt.Sprintf("attempt %d failed", i)
	}
	e, err := run.Episode(h.group, time.Date(2024, 1, 1, 0, h.random.IntN(1000)*100+i, 0, 0, time.UTC))
	if err != nil {
		h.Fatal(err)
	}
	e.SourceDescription = []string{"feed", "worker"}[h.random.IntN(2)]
	stored, err := h.client.Add(h.Context(), e)
	if err == nil {
		err = h.client.Process(h.Context(), h.group, nil)
	}
	if err != nil {
		h.Fatal(err)
	}
	e.ID = stored.ID
	h.left = append(h.left, leftRun{e, run, run.Outcome, false})
}

// again records the remaining runs that count in a new group, as if each had been judged at once.
func (h *runsHistory) again(i int) string {
	group := fmt.Sprintf("again-%d", i)
	var episodes []annals.Episode
	for _, r := range h.left {
		if r.outcome == "unknown" || r.expires || h.withheld && r.episode.SourceDescription == "feed" {
			continue
		}
		r.run.Outcome = r.outcome
		e, err := r.run.Episode(group, r.episode.OccurredAt)
		if err != nil {
			h.Fatal(err)
		}
		episodes = append(episodes, e)
	}
	if len(episodes) == 0 {
		return group
	}
	_, err := h.client.AddAll(h.Context(), episodes)
	if err == nil {
		err = h.client.Process(h.Context(), group, nil)
	}
	if err != nil {
		h.Fatal(err)
	}
	return group
}

// described returns a description of a group's skills, and their number.
func (h *runsHistory) described(group string) (string, int) {
	skills, err := h.client.Skills(h.Context(), annals.SkillFilter{GroupID: group, State: "all", Ended: true})
	if err != nil && graph.CodeOf(err) != graph.CodeNotFound {
		h.Fatal(err)
	}
	of := map[uuid.UUID][]string{}
	for _, s := range skills {
		of[s.SkillID] = append(of[s.SkillID], s.Markdown())
	}
	var told []string
	for _, procedures := range of {
		slices.Sort(procedures)
		told = append(told, strings.Join(procedures, ""))
	}
	slices.Sort(told)
	return strings.Join(told, "\n---\n"), len(told)
}
