package torture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
)

const (
	writersAtOnce = 16
	writersGroups = 8
	writersTurns  = 6 // of each writer in a round
)

// writers runs sixteen writers on eight groups, which add, undo, erase, merge,
// edit and withdraw at once. Nothing acknowledged may be lost, nothing erased may
// be left, and every invariant must hold.
func writers(t *testing.T, n int) *tally {
	return rounds("16 writers", n, func(i int) (p outcome) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
		defer cancel()
		databaseURL := pgtest.New(t)
		client, err := annals.Open(ctx, annals.Config{DatabaseURL: databaseURL})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		s := &society{client: client, added: map[string]uuid.UUID{}, gone: map[string]string{}}
		var group sync.WaitGroup
		for w := range writersAtOnce {
			group.Go(func() {
				dice := rand.New(rand.NewPCG(*seed+uint64(i), uint64(w)))
				for turn := range writersTurns {
					if err := s.turn(ctx, dice, fmt.Sprintf("w%d-%d", w, turn), fmt.Sprintf("g%d", w%writersGroups)); err != nil {
						s.fail(fmt.Sprintf("writer %d: %v", w, err))
					}
				}
			})
		}
		group.Wait()
		for g := range writersGroups {
			if err := client.Process(ctx, fmt.Sprintf("g%d", g), nil); err != nil {
				s.fail(err.Error())
			}
		}
		p.harmed, p.undone = true, s.failed
		found, err := broken(ctx, client)
		if p.broken = found; err != nil {
			p.broken = append(p.broken, err.Error())
		}
		lines, err := portraitOf(ctx, databaseURL, portrait)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(lines, "\n")
		now := strings.Join(slices.DeleteFunc(slices.Clone(lines), func(line string) bool { // names that were merged by hand stay
			return !strings.HasPrefix(line, "episode") && !strings.HasPrefix(line, "fact") && !strings.HasPrefix(line, "citation")
		}), "\n")
		for word := range s.added {
			switch {
			case s.gone[word] == "" && !strings.Contains(now, word+" "):
				p.lost = append(p.lost, word+" is not there")
			case s.gone[word] == "undone" && strings.Contains(now, word+" "), s.gone[word] == "erased" && strings.Contains(all, word+" "):
				p.lost = append(p.lost, word+" was "+s.gone[word]+" and is there: "+holding(lines, word+" "))
			}
		}
		return p
	})
}

// society records what the writers were told.
type society struct {
	client *annals.Client
	mu     sync.Mutex
	added  map[string]uuid.UUID // by a word that only it has
	gone   map[string]string    // undone or erased
	failed []string
}

func (s *society) fail(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = append(s.failed, what)
}

// turn adds an episode, reads it, and performs another operation on the group.
func (s *society) turn(ctx context.Context, dice *rand.Rand, name, group string) error {
	word := "Zq" + strings.ReplaceAll(name, "-", "x")
	added, err := s.client.Add(ctx, annals.Episode{
		GroupID: group, Actor: "Alice", OccurredAt: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC),
		Content: "I visited " + word + " with my friend Bob.",
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.added[word] = added.ID
	s.mu.Unlock()
	if err := s.client.Process(ctx, group, nil); err != nil {
		return err
	}
	remove := func(how string, err error) error {
		if err == nil {
			s.mu.Lock()
			s.gone[word] = how
			s.mu.Unlock()
		}
		return err
	}
	switch dice.IntN(6) {
	case 0:
		_, err := s.client.Undo(ctx, group, added.ID)
		return remove("undone", err)
	case 1:
		_, err := s.client.Erase(ctx, annals.Erasure{GroupID: group, EpisodeIDs: []uuid.UUID{added.ID}})
		return remove("erased", err)
	case 2:
		return s.merge(ctx, group, name)
	case 3:
		return s.edit(ctx, dice, group)
	case 4:
		_, err := s.client.BuildCommunities(ctx, group)
		return err
	}
	return nil
}

// lateToIt drops an error that means that another writer was faster.
func lateToIt(err error) error {
	var known *annals.Error
	if errors.As(err, &known) && (known.Code == annals.CodeNotFound || known.Code == annals.CodeConflict) {
		return nil
	}
	return err
}

// merge merges two places that nobody removes. Names that were merged by hand
// stay when their episodes are undone.
func (s *society) merge(ctx context.Context, group, name string) error {
	var ids []uuid.UUID
	for _, half := range []string{"Here", "There"} {
		place := "Qm" + half + strings.ReplaceAll(name, "-", "x")
		if _, err := s.client.Add(ctx, annals.Episode{
			GroupID: group, Actor: "Alice", OccurredAt: time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC), Content: "I visited " + place + " with my friend Bob.",
		}); err != nil {
			return err
		}
		if err := s.client.Process(ctx, group, nil); err != nil {
			return err
		}
		all, err := s.client.Entities(ctx, annals.EntityFilter{GroupID: group, Limit: annals.MaxRows})
		if err != nil {
			return err
		}
		for _, e := range all {
			if e.Name == place {
				ids = append(ids, e.ID)
			}
		}
	}
	if len(ids) != 2 {
		return nil
	}
	_, err := s.client.MergeEntities(ctx, group, ids[0], ids[1])
	return lateToIt(err)
}

// edit corrects a fact or its dates.
func (s *society) edit(ctx context.Context, dice *rand.Rand, group string) error {
	facts, err := s.client.Facts(ctx, annals.FactFilter{GroupID: group, Limit: 20})
	if err != nil || len(facts) == 0 {
		return err
	}
	f := facts[dice.IntN(len(facts))]
	_, err = s.client.EditFact(ctx, group, f.ID, annals.FactEdit{Fact: new(f.Fact + " It was fun.")})
	return lateToIt(err)
}

// holding returns the first line that contains a word.
func holding(lines []string, word string) string {
	for _, line := range lines {
		if strings.Contains(line, word) {
			return line
		}
	}
	return ""
}
