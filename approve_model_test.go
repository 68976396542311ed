package annals_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// homeSaid is a message about where somebody lives from a day on, in the naive model.
type homeSaid struct {
	id                            uuid.UUID
	place                         string
	since, order, word            int    // the day, and the positions of the statement and of the last decision among all operations
	mail                          string // the source, if it is a mail
	confirmed, released, rejected bool
}

// moving is a memory whose messages from some sources wait for approval, with a model of where somebody lives: where the
// latest believed message says; of the same day, the one said or approved last.
type moving struct {
	t      *testing.T
	client *annals.Client
	s      *service.Service
	group  string
	said   []*homeSaid
	held   []string      // the sources that the policy withholds
	count  int           // number of messages
	done   int           // number of statements and approvals
	by     annals.Origin // who decides
}

func (m *moving) believed(u *homeSaid) bool {
	return !u.rejected && (!slices.Contains(m.held, u.mail) || u.confirmed || u.released)
}

func (m *moving) check(r *rapid.T, err error) {
	if err != nil {
		r.Fatal(err)
	}
}

// say adds a move, sometimes late, sometimes on the day of another one.
func (m *moving) say(r *rapid.T) {
	m.done++
	u := &homeSaid{place: fmt.Sprintf("Place%c", 'A'+m.count), order: m.done, word: m.done, mail: rapid.SampledFrom([]string{"", "", "mails", "notes"}).Draw(r, "mail")}
	var days []int
	for _, o := range m.said {
		days = append(days, o.since)
	}
	if len(days) > 0 && rapid.IntRange(0, 3).Draw(r, "same day") == 0 {
		u.since = rapid.SampledFrom(days).Draw(r, "as")
	} else {
		for u.since = rapid.IntRange(1, 250).Draw(r, "since"); slices.Contains(days, u.since); {
			u.since++
		}
	}
	e := annals.Episode{
		GroupID: m.group, Actor: "Alice", OccurredAt: dayOf(300 + m.count),
		Content: fmt.Sprintf("I have lived in %s since %s.", u.place, dayOf(u.since).Format("2 January 2006")), SourceDescription: u.mail,
	}
	m.count++
	stored, err := m.client.Add(m.t.Context(), e)
	m.check(r, err)
	m.check(r, m.client.Process(m.t.Context(), m.group, nil))
	u.id = stored.ID
	m.said = append(m.said, u)
}

func dayOf(n int) time.Time { return time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n) }

// facts returns the facts of the places, of any trust.
func (m *moving) facts(r *rapid.T) map[string]uuid.UUID {
	list, err := m.client.Facts(m.t.Context(), annals.FactFilter{GroupID: m.group, Trust: graph.TrustAll})
	m.check(r, err)
	facts := map[string]uuid.UUID{}
	for _, f := range list {
		facts[f.Target] = f.ID
	}
	return facts
}

// decide decides about mails, sometimes twice, or rejects any fact.
func (m *moving) decide(r *rapid.T) {
	facts := m.facts(r)
	open := slices.DeleteFunc(slices.Clone(m.said), func(u *homeSaid) bool { return facts[u.place] == uuid.Nil || u.mail == "" })
	if len(open) == 0 {
		return
	}
	of := rapid.SliceOfNDistinct(rapid.SampledFrom(open), 1, 3, func(u *homeSaid) uuid.UUID { return u.id })
	some := []*homeSaid{rapid.SampledFrom(open).Draw(r, "of")}
	if len(open) > 2 {
		some = of.Draw(r, "some")
	}
	var ids []uuid.UUID
	for _, u := range some {
		ids = append(ids, facts[u.place])
	}
	do := rapid.SampledFrom([]string{"approve", "approve", "leave", "reject"}).Draw(r, "do")
	for range rapid.IntRange(1, 2).Draw(r, "times") {
		_, err := m.s.Decide(annals.WithOrigin(m.t.Context(), m.by), service.ReviewDecision{GroupID: m.group, Do: do, FactIDs: ids})
		m.check(r, err)
	}
	m.done++
	for _, u := range some {
		if do == "approve" && !u.confirmed {
			u.word = m.done
		} else if do == "leave" {
			u.word = u.order
		}
		u.confirmed = do == "approve" || do == "reject" && u.confirmed
		u.rejected = u.rejected || do == "reject"
	}
}

// release releases or holds all mails, or one.
func (m *moving) release(r *rapid.T) {
	mails := slices.DeleteFunc(slices.Clone(m.said), func(u *homeSaid) bool { return u.mail == "" })
	decision := service.Release{All: true, Hold: rapid.Bool().Draw(r, "hold")}
	if len(mails) > 0 && rapid.Bool().Draw(r, "one") {
		mails = []*homeSaid{rapid.SampledFrom(mails).Draw(r, "of")}
		decision.All, decision.EpisodeIDs = false, []uuid.UUID{mails[0].id}
	}
	_, err := m.s.Release(m.t.Context(), m.group, decision)
	m.check(r, err)
	for _, u := range mails {
		if slices.Contains(m.held, u.mail) { // other mails are not decided
			u.released = !decision.Hold
		}
	}
}

func (m *moving) withhold(r *rapid.T, sources ...string) {
	m.held = sources
	m.check(r, m.s.SetTrustPolicy(m.t.Context(), m.group, graph.TrustPolicy{Sources: sources}))
}

// remove undoes or erases a message.
func (m *moving) remove(r *rapid.T) {
	if len(m.said) == 0 {
		return
	}
	at := rapid.IntRange(0, len(m.said)-1).Draw(r, "which")
	var err error
	if rapid.Bool().Draw(r, "erase") {
		_, err = m.client.Erase(m.t.Context(), annals.Erasure{GroupID: m.group, EpisodeIDs: []uuid.UUID{m.said[at].id}})
	} else {
		_, err = m.client.Undo(m.t.Context(), m.group, m.said[at].id)
	}
	m.check(r, err)
	m.said = slices.Delete(slices.Clone(m.said), at, at+1)
}

// home returns where Alice lives on a day, according to the model.
func (m *moving) home(day int) string {
	var lives *homeSaid
	for _, u := range m.said {
		if m.believed(u) && u.since <= day && (lives == nil || cmp.Or(cmp.Compare(u.since, lives.since), cmp.Compare(u.word, lives.word), cmp.Compare(u.order, lives.order)) > 0) {
			lives = u
		}
	}
	if lives == nil {
		return ""
	}
	return lives.place + " believed"
}

func (m *moving) look(r *rapid.T, when string) {
	for day := 5; day < 280; day += 25 {
		facts, err := m.client.Facts(m.t.Context(), annals.FactFilter{GroupID: m.group, ValidAt: dayOf(day)})
		m.check(r, err)
		var got []string
		for _, f := range facts {
			got = append(got, f.Target+" "+string(f.Trust))
		}
		want := []string{}
		if home := m.home(day); home != "" {
			want = append(want, home)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			var all []string
			for _, u := range m.said {
				all = append(all, fmt.Sprintf("%+v", *u))
			}
			r.Errorf("%s, on day %d she lives in %s, want %s of %q", when, day, got, want, all)
			return
		}
	}
}

// checkHistories checks random histories, numbered from 1: as many as the run has time for, and after a failure as many as
// are needed to shorten it.
func checkHistories(t *testing.T, check func(r *rapid.T, history int)) {
	histories := 0
	rapid.Check(t, func(r *rapid.T) {
		if histories++; histories <= slow.Of(8, 20, 100) || t.Failed() {
			check(r, histories)
		}
	})
}

// Contradicting facts are approved, left, rejected, released, put back, undone and erased, alone or together, some twice,
// under any policy. She lives where the latest believed message says, also after everything is read anew.
func TestDecidingOfContradictions(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := clienttest.New(t)
	checkHistories(t, func(r *rapid.T, history int) {
		m := &moving{t: t, client: client, s: service.New(client), group: fmt.Sprint("t", history)}
		m.by = annals.Origin{Door: "rest", Cap: rapid.SampledFrom([]graph.Authority{graph.AuthorityUser, graph.AuthorityPerson}).Draw(r, "by")}
		m.say(r)
		m.withhold(r, "mails", "notes")
		m.look(r, "at first")
		for i := range rapid.IntRange(4, 12).Draw(r, "steps") {
			act := rapid.IntRange(0, 10).Draw(r, "act")
			switch {
			case act < 4:
				m.say(r)
			case act < 7:
				m.decide(r)
			case act < 8:
				m.release(r)
			case act < 9:
				m.withhold(r, rapid.SampledFrom([][]string{{"mails", "notes"}, {"mails"}, {"notes"}, {}}).Draw(r, "withhold")...)
			default:
				m.remove(r)
			}
			m.look(r, fmt.Sprintf("after step %d, %d", i, act))
			if r.Failed() {
				return
			}
		}
		_, err := m.s.Rebuild(t.Context(), m.group, true)
		m.check(r, err)
		m.look(r, "rebuilt")
	})
}
