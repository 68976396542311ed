package annals_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// seats is a model that reads bookings, sees what they show, and answers what was booked.
func seats() script {
	said := booking()
	said["answer_question"] = func(r modeltest.Request) modeltest.Reply {
		a := prompts.AnsweredQuestion{Reason: "So it is.", Sentences: []prompts.AnsweredSentence{}, Slots: []prompts.AnsweredSlot{}}
		for _, m := range regexp.MustCompile(`(?m)^(\d+): (Alice booked the aisle (Seat \d+)\.)`).FindAllStringSubmatch(r.User, -1) {
			var n int
			_, _ = fmt.Sscan(m[1], &n)
			a.Known, a.Sentences = true, append(a.Sentences, prompts.AnsweredSentence{Text: m[2], Passages: []int{n}})
			if strings.Contains(r.User, "<slots>") && len(a.Slots) == 0 {
				a.Slots = append(a.Slots, prompts.AnsweredSlot{Name: "seat", Value: `"` + m[3] + `"`, Because: m[2], Passages: []int{n}})
			}
		}
		return modeltest.Reply{JSON: a}
	}
	return said
}

// archived returns the export of a group.
func archived(t *testing.T, client *annals.Client, group string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := client.Export(t.Context(), group, &out, annals.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// opinions makes a memory with rows in every table of beliefs that moves: seen and answered by a
// model, decided by people, in several versions.
func opinions(t *testing.T) *annals.Client {
	t.Helper()
	client, _ := openScripted(t, seats(), func(c *annals.Config, _ *modeltest.Server) { c.Observations, c.Window, c.Embedder = true, 1, nil })
	s := service.New(client)
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(client.CreateGroup(t.Context(), annals.Group{ID: "t"}))
	must(nil, s.SetTrustPolicy(t.Context(), "t", graph.TrustPolicy{Assistants: true, Threads: []string{"post", "inbox"}, Doors: []string{"zep"}, Roles: []string{"tool"}, Sources: []string{"mails.jsonl"}, Relations: []string{"KNOWS"}}))
	keep(t, client, "Which seats did Alice book?", `{"type": "object", "properties": {"seat": {"type": "string"}}}`)
	dropped := keep(t, client, "Who booked a seat?", "")
	var stated []uuid.UUID
	for n := 1; n <= 9; n++ {
		e := annals.Episode{Actor: []string{"Alice", "Sam"}[n%2], Content: fmt.Sprintf("Alice booked an aisle seat on flight %d.", n), ThreadID: "inbox"}
		switch n {
		case 2, 3:
			e.Source, e.Actor = graph.SourceText, ""
		case 4:
			e.Role, e.Actor = "assistant", "Helper"
		}
		stated = append(stated, say(t, client, e))
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Trust: graph.TrustAll, Limit: 100})
	if err != nil || len(facts) < 9 {
		t.Fatalf("%d facts, %v", len(facts), err)
	}
	by := map[uuid.UUID]uuid.UUID{}
	for _, f := range facts {
		by[f.Episodes[0]] = f.ID
	}
	must(s.Confirm(t.Context(), "t", []uuid.UUID{by[stated[3]]}, true))
	must(s.Confirm(t.Context(), "t", []uuid.UUID{by[stated[3]]}, false))
	must(s.Confirm(t.Context(), "t", []uuid.UUID{by[stated[3]]}, true))
	must(s.Release(t.Context(), "t", service.Release{EpisodeIDs: stated[1:3]}))
	must(s.Release(t.Context(), "t", service.Release{EpisodeIDs: stated[2:3], Hold: true}))
	for i, mark := range []graph.Mark{graph.MarkExpires, graph.MarkPinned, graph.MarkUnpinned, graph.MarkUseful, graph.MarkWrong, graph.MarkOutdated, graph.MarkUnjudged, graph.MarkPinned} {
		change := service.MarkChange{IDs: []uuid.UUID{by[stated[5+i%2]]}, Mark: mark}
		if mark == graph.MarkExpires {
			change.ExpiresAt = time.Now().Add(time.Hour)
		}
		must(s.Mark(t.Context(), "t", change))
	}
	must(client.UndoAll(t.Context(), annals.Undoing{GroupID: "t", EpisodeIDs: stated[8:], AnyReader: true}))
	must(nil, client.Observe(t.Context(), "t"))
	must(nil, client.DropAnswer(t.Context(), "t", dropped.ID))
	must(nil, client.Process(t.Context(), "t", nil))
	return client
}

// An export has all beliefs, withheld rows, decisions, marks, observations and answers, in all
// versions. Imported and exported again it is the same, byte for byte, also after having another
// name, and reads the same at all times.
func TestBeliefsMoveWhole(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client := opinions(t)
	first := archived(t, client, "t")
	for _, has := range []string{
		`"table":"observations"`, `"table":"observations_history"`, `"table":"observation_facts"`, `"reader":"openai:main"`, `"reader":"offline"`, `"table":"observation_runs"`,
		`"table":"answers"`, `"table":"answers_history"`, `"table":"answer_rows"`, `slots`, `"table":"marks"`, `"mark":"expires"`, `"mark":"pinned"`, `"ended_by":`,
		`"action":"confirm"`, `"action":"unconfirm"`, `"action":"release"`, `"action":"hold"`, `"action":"policy"`, `"trust":"candidate"`, `"hold_threads":["inbox","post"]`, `"hold_doors":["zep"]`, `"hold_roles":["tool"]`, `"hold_sources":["mails.jsonl"]`, `"hold_relations":["KNOWS"]`, `"actor":"Sam"`,
	} {
		if !strings.Contains(first, has) {
			t.Errorf("the export has nothing of %s", has)
		}
	}
	there := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	move := func(to *annals.Client, archive, group string) string {
		t.Helper()
		if _, err := to.Import(t.Context(), strings.NewReader(archive), annals.ImportOptions{GroupID: group}); err != nil {
			t.Fatal(err)
		}
		return archived(t, to, group)
	}
	if diff := cmp.Diff(strings.Split(first, "\n"), strings.Split(move(there, first, "t"), "\n")); diff != "" {
		t.Errorf("imported and exported again:\n%s", diff)
	}
	other := move(there, first, "another")
	home := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	if diff := cmp.Diff(strings.Split(first, "\n"), strings.Split(move(home, other, "t"), "\n")); diff != "" {
		t.Errorf("after a time under another name:\n%s", diff)
	}
	for name, tells := range map[string]func(*annals.Client, string) (any, error){
		"answers": func(c *annals.Client, group string) (any, error) {
			return c.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: group, EveryVersion: true})
		},
		"observations": func(c *annals.Client, group string) (any, error) {
			return c.Observations(t.Context(), annals.ObservationFilter{GroupID: group, Ended: true})
		},
		"marks": func(c *annals.Client, group string) (any, error) {
			return service.New(c).Marks(t.Context(), service.MarkFilter{GroupID: group})
		},
		"policy": func(c *annals.Client, group string) (any, error) {
			return service.New(c).TrustPolicy(t.Context(), group)
		},
		"told by Sam": func(c *annals.Client, group string) (any, error) {
			facts, err := c.Facts(t.Context(), annals.FactFilter{GroupID: group, ToldBy: []string{"Sam"}, Limit: 100})
			for i := range facts {
				facts[i].GroupID = ""
			}
			return facts, err
		},
	} {
		want, err := tells(client, "t")
		if err != nil {
			t.Fatal(err)
		}
		got, err := tells(there, "another")
		if a, b := strings.ReplaceAll(fmt.Sprintf("%+v", want), "GroupID:t", "GroupID:"), strings.ReplaceAll(fmt.Sprintf("%+v", got), "GroupID:another", "GroupID:"); err != nil || !sameButPointers(a, b) {
			t.Errorf("%s (%v):\n%s\n%s", name, err, a, b)
		}
	}
	for _, c := range []*annals.Client{there, home} {
		verified, err := service.New(c).Verify(t.Context(), "", false)
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range verified.Checks {
			if check.Found > 0 {
				t.Errorf("verify finds %+v", check)
			}
		}
	}
}

// sameButPointers compares the output of %+v.
func sameButPointers(a, b string) bool {
	pointer := regexp.MustCompile(`0x[0-9a-f]+`)
	return pointer.ReplaceAllString(a, "") == pointer.ReplaceAllString(b, "")
}
