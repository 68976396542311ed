package community

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/prompts"
)

// Only the best connected members of a big community are asked about, and each question is bounded.
func TestMapAndReduce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		members int
		want    [3]int
	}{{2, [3]int{1, 0, 1}}, {20, [3]int{1, 0, 1}}, {21, [3]int{2, 1, 1}}, {45, [3]int{3, 1, 1}}, {450, [3]int{20, 1, 1}}} {
		t.Run(fmt.Sprint(tt.members), func(t *testing.T) {
			t.Parallel()
			s := newSociety(t)
			s.exec(`INSERT INTO annals.entities (group_id, id, name)
				SELECT 'g', md5(n::text)::uuid, 'E' || n FROM generate_series(0, $1 - 1) AS n`, tt.members)
			s.exec(`INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
				SELECT 'g', gen_random_uuid(), md5('0')::uuid, md5(n::text)::uuid, 'KNOWS', 'x', '(,)', gen_random_uuid()
				FROM generate_series(1, $1 - 1) AS n`, tt.members)
			if got := s.build(); got.Communities != 1 || got.Entities != tt.members {
				t.Fatalf("built %+v", got)
			}
			for _, q := range s.narrator.maps {
				if len(q.Members) > membersPerQuestion || q.Limit != summaryLimit {
					t.Errorf("asked about %d members at once, limit %d", len(q.Members), q.Limit)
				}
			}
			if name := s.narrator.names[0]; tt.members > 2 && name.Members[0] != "E0" {
				t.Errorf("%s comes first, not the best connected", name.Members[0])
			}
			if got := s.narrator.asked(); got != tt.want {
				t.Errorf("asked %v, want %v", got, tt.want)
			}
		})
	}
}

func TestAnswersThatCannotBeStored(t *testing.T) {
	t.Parallel()
	members := []prompts.Member{{Name: "Ann"}, {Name: "Bob"}, {Name: "Cy"}, {Name: "Dee"}}
	c := &community{known: members, parts: []string{"kept", "left out"}}
	b := &Builder{analyst: silent{}}
	if err := b.combineSummaries(t.Context(), []*community{c}); err != nil {
		t.Fatal(err)
	}
	if err := b.nameCommunities(t.Context(), []*community{c}); err != nil {
		t.Fatal(err)
	}
	if c.summary != "kept" || c.name != "Ann, Bob, Cy" {
		t.Errorf("summary %q, name %q", c.summary, c.name)
	}
	for in, want := range map[string]string{
		" a \n b ": "a b", "a\x00b": "", "\xff": "", "": "", "one two three": "one two…", "äääääääää": "ääää…", "aäääääääää": "aäää…",
	} {
		if got := shortened(in, 11); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// silent answers with nothing.
type silent struct{ analyst.Communities }

func (silent) CombineSummaries(context.Context, prompts.CombineSummaries) (prompts.Summary, error) {
	return prompts.Summary{Summary: "\xff"}, nil
}

func (silent) NameCommunity(context.Context, prompts.NameCommunity) (prompts.CommunityName, error) {
	return prompts.CommunityName{}, nil
}

func TestFourQuestionsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		open, most := make(chan struct{}), make(chan int)
		var mu sync.Mutex
		waiting := 0
		questions := slices.Repeat([]question{func(context.Context) error {
			mu.Lock()
			waiting++
			mu.Unlock()
			<-open
			return nil
		}}, 20)
		go func() { most <- len(questions); _ = ask(t.Context(), questions); close(most) }()
		<-most
		synctest.Wait()
		mu.Lock()
		if waiting != questionsAtOnce {
			t.Errorf("%d questions at once, want %d", waiting, questionsAtOnce)
		}
		mu.Unlock()
		close(open)
		<-most
		if waiting != len(questions) {
			t.Errorf("%d of %d questions were put", waiting, len(questions))
		}
	})
}
