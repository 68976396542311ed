package annals_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

const aliceProfile = `{"type": "object", "properties": {
	"lives_in": {"type": "array", "items": {"type": "string"}}, "likes": {"type": "array", "items": {"type": "string"}},
	"loves": {"type": "array", "items": {"type": "string"}}}}`

// times at which standing answers are read; the first is now.
var times = []time.Time{{}, time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}

// said is what a standing answer says at each time, in the naive model: the profile of Alice, and
// the facts.
type said struct {
	profile [4]map[string][]string
	facts   [4]map[uuid.UUID]bool
	ended   map[uuid.UUID]bool // by now
}

// naively computes the profile of Alice from all facts that are believed.
func naively(t *testing.T, client *annals.Client) said {
	t.Helper()
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "t", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	s := said{ended: map[uuid.UUID]bool{}}
	for i, at := range times {
		s.profile[i], s.facts[i] = map[string][]string{}, map[uuid.UUID]bool{}
		for _, f := range facts {
			s.ended[f.ID] = f.Ended(time.Now())
			if at.IsZero() && f.Ended(time.Now()) || !at.IsZero() && !f.Valid.Contains(at) {
				continue
			}
			s.facts[i][f.ID] = true
			slot := map[string]string{"LIVES_IN": "lives_in", "LIKES": "likes", "LOVES": "loves"}[f.Predicate]
			if f.Source == "Alice" && slot != "" && !slices.Contains(s.profile[i][slot], f.Target) {
				s.profile[i][slot] = append(s.profile[i][slot], f.Target)
			}
		}
		for _, list := range s.profile[i] {
			slices.Sort(list)
		}
	}
	return s
}

// standingAt reads the profile and the other answer, with sentences by the facts they cite. The
// last result is false if their content was erased.
func standingAt(t *testing.T, client *annals.Client, at int, knownAt time.Time) (profile map[string][]string, cited map[uuid.UUID]string, there bool) {
	t.Helper()
	list, err := client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t", ValidAt: times[at], KnownAt: knownAt})
	if err != nil {
		t.Fatal(err)
	}
	profile, cited = map[string][]string{}, map[uuid.UUID]string{}
	for _, s := range list {
		if s.Answer == nil {
			t.Fatalf("%q is not answered (known at %s): %+v", s.Question, knownAt, s)
		}
		for _, said := range s.Answer.Sentences {
			for _, c := range said.Cites {
				if c.Kind == graph.KindFact {
					cited[c.ID] = said.Text
				}
			}
		}
		if s.Answer.Data == nil {
			continue
		}
		if err := json.Unmarshal(s.Answer.Data, &profile); err != nil {
			t.Fatal(err)
		}
		for _, list := range profile {
			slices.Sort(list)
		}
		for _, slot := range s.Answer.Slots {
			if len(slot.Cites) == 0 || slot.Because == "" {
				t.Errorf("%s rests on nothing: %+v", slot.Name, slot)
			}
		}
	}
	return profile, cited, len(list) == 2
}

// Standing answers and profiles, as of and as known at any time, equal what a naive model computes
// from all facts, whatever is added, undone, ended, withdrawn or erased.
func TestStandingAnswersAreWhatTheFactsSay(t *testing.T) {
	t.Parallel()
	histories := slow.Of(2, 10, 200)
	client := clienttest.Open(t, annals.Config{})
	for h := range histories {
		random := rand.New(rand.NewPCG(11, uint64(h)))
		for _, q := range []annals.Question{
			{Query: annals.Query{GroupID: "t", Text: "Who is Alice?"}, Schema: json.RawMessage(aliceProfile)}, {Query: annals.Query{GroupID: "t", Text: "Where does Alice live?"}},
		} {
			if _, err := client.KeepAnswer(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
		told := map[uuid.UUID]time.Time{}
		var episodes []uuid.UUID
		var believed []said
		var at []time.Time
		erased := -1
		for step := range 5 {
			if random.IntN(6) == 0 && len(episodes) > 3 {
				i := random.IntN(len(episodes))
				if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t", EpisodeIDs: episodes[i : i+1]}); err != nil {
					t.Fatal(err)
				}
				episodes = slices.Delete(episodes, i, i+1)
				erased = step
			} else {
				observingStep(t, client, random, &episodes, told)
			}
			restsOnWhatIsThere(t, client)
			if err := client.Process(t.Context(), "t", nil); err != nil {
				t.Fatal(err)
			}
			believed = append(believed, naively(t, client))
			time.Sleep(2 * time.Millisecond)
			at = append(at, time.Now())
			time.Sleep(2 * time.Millisecond)
		}
		for i := range believed {
			for k := range times {
				got, cited, there := standingAt(t, client, k, at[i])
				if !there {
					if i >= erased {
						t.Fatalf("history %d, step %d: an answer is missing", h, i)
					}
					continue
				}
				if diff := cmp.Diff(believed[i].profile[k], got); diff != "" {
					t.Fatalf("history %d, step %d of %d, as of %s (-naive +standing):\n%s", h, i, len(believed), times[k], diff)
				}
				for id, text := range cited {
					saysEnd := k == 0 && believed[i].ended[id] && strings.Contains(text, "until ")
					if !believed[i].facts[k][id] && !saysEnd {
						t.Fatalf("history %d, step %d, as of %s: %q cites the fact %s, which was not believed then", h, i, times[k], text, id)
					}
				}
				if len(believed[i].profile[k]) > 0 && len(cited) == 0 {
					t.Fatalf("history %d, step %d, as of %s: facts were believed, and none is cited", h, i, times[k])
				}
			}
		}
		if _, err := client.Erase(t.Context(), annals.Erasure{GroupID: "t"}); err != nil {
			t.Fatal(err)
		}
		if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "t", Force: true}); err != nil {
			t.Fatal(err)
		}
	}
}

// restsOnWhatIsThere checks that all citations exist right after a removal, before the questions
// are asked again.
func restsOnWhatIsThere(t *testing.T, client *annals.Client) {
	t.Helper()
	for k := range times {
		list, err := client.StandingAnswers(t.Context(), annals.StandingFilter{GroupID: "t", ValidAt: times[k]})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			if s.Answer == nil {
				continue
			}
			for _, sentence := range s.Answer.Sentences {
				for _, c := range sentence.Cites {
					switch c.Kind {
					case graph.KindFact:
						_, err = client.Fact(t.Context(), "t", c.ID)
					case graph.KindEpisode:
						_, err = client.Episode(t.Context(), "t", c.ID)
					default:
						_, err = client.Entity(t.Context(), "t", c.ID.String())
					}
					if err != nil {
						t.Fatalf("%q still says %q, and %v", s.Question, sentence.Text, err)
					}
				}
			}
		}
	}
}
