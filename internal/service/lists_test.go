package service_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// listers returns functions that list ids, one for each kind of row and order.
func listers(t *testing.T, c *annals.Client) map[string]func(service.List) []uuid.UUID {
	t.Helper()
	kinds := map[string]struct {
		orders []string
		list   func(service.List) ([]uuid.UUID, error)
	}{
		"facts": {[]string{"", "created_at", "valid_at"}, func(l service.List) ([]uuid.UUID, error) {
			facts, err := service.New(c).ListFacts(t.Context(), l)
			return ids(facts, func(f annals.Fact) uuid.UUID { return f.ID }), err
		}},
		"entities": {[]string{"", "created_at", "degree"}, func(l service.List) ([]uuid.UUID, error) {
			entities, err := service.New(c).ListEntities(t.Context(), l)
			return ids(entities, func(e service.Degree) uuid.UUID { return e.ID }), err
		}},
		"episodes": {[]string{"", "occurred_at"}, func(l service.List) ([]uuid.UUID, error) {
			episodes, err := service.New(c).ListEpisodes(t.Context(), l)
			return ids(episodes, func(e annals.Episode) uuid.UUID { return e.ID }), err
		}},
	}
	out := map[string]func(service.List) []uuid.UUID{}
	for kind, k := range kinds {
		for _, order := range k.orders {
			for name, ascending := range map[string]bool{" up": true, " down": false} {
				out[kind+" by "+order+name] = func(l service.List) []uuid.UUID {
					l.GroupID, l.OrderBy, l.Ascending = "t", order, ascending
					listed, err := k.list(l)
					if err != nil {
						t.Fatal(err)
					}
					return listed
				}
			}
		}
	}
	return out
}

func ids[Row any](rows []Row, id func(Row) uuid.UUID) []uuid.UUID {
	out := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		out[i] = id(row)
	}
	return out
}

// byPages lists everything in pages of limit rows, each continuing after the last row of the one
// before.
func byPages(list func(service.List) []uuid.UUID, limit int, between func()) []uuid.UUID {
	var all []uuid.UUID
	for l := (service.List{Limit: limit}); ; {
		page := list(l)
		if all = append(all, page...); len(page) < limit {
			return all
		}
		l.After, l.Skip = page[len(page)-1], len(all)
		between()
	}
}

// The pages together are the whole list in each order, also if many rows have equal keys or the
// beginning of a fact is not known.
func TestListsGoOnBehindARow(t *testing.T) {
	t.Parallel()
	client, url := open(t)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	run(t, url, script(t, "library.sql")+`UPDATE annals.facts SET valid = '(,)' WHERE group_id = 't' AND fact LIKE 'Fact 3%'`)
	whole := map[string][]uuid.UUID{}
	for name, list := range listers(t, client) {
		whole[name] = list(service.List{Limit: annals.MaxRows})
		if diff := cmp.Diff(whole[name], byPages(list, 7, func() {})); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	pages := 0
	list := listers(t, client)["facts by created_at down"]
	listed := byPages(list, 7, func() {
		if pages++; pages == 2 {
			run(t, url, script(t, "shuffled.sql"))
		}
	})
	if diff := cmp.Diff(whole["facts by created_at down"], listed); diff != "" {
		t.Errorf("what came meanwhile is in the way:\n%s", diff)
	}
}

// If the last row of a page was removed, the next page continues at its position.
func TestAListGoesOnWhereItsLastRowIsGone(t *testing.T) {
	t.Parallel()
	client, url := open(t)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "t"}); err != nil {
		t.Fatal(err)
	}
	run(t, url, script(t, "library.sql"))
	for _, name := range []string{"facts by  up", "facts by created_at up", "facts by valid_at down"} {
		list := listers(t, client)[name]
		whole := list(service.List{Limit: annals.MaxRows})
		if err := client.WithdrawFact(t.Context(), "t", whole[4]); err != nil {
			t.Fatal(err)
		}
		rest := list(service.List{After: whole[4], Skip: 4, Limit: annals.MaxRows})
		if !slices.Equal(rest, whole[5:]) {
			t.Errorf("%s: the rest is %d rows, not the %d that were behind", name, len(rest), len(whole[5:]))
		}
	}
}

// Lists by ids return these rows only.
func TestListsByIDs(t *testing.T) {
	t.Parallel()
	client, _ := open(t)
	var added []annals.AddedTriple
	for _, ends := range [][2]string{{"Ann", "Bob"}, {"Bob", "Cid"}, {"Cid", "Ann"}} {
		triple, err := client.AddTriple(t.Context(), annals.Triple{
			GroupID: "t", Source: graph.TripleEnd{Name: ends[0]}, Target: graph.TripleEnd{Name: ends[1]}, Predicate: "KNOWS",
			Fact: ends[0] + " knows " + ends[1] + ".",
		})
		if err != nil {
			t.Fatal(err)
		}
		added = append(added, triple)
	}
	ann := added[0].SourceID
	for name, tt := range map[string]struct {
		list service.List
		want []annals.AddedTriple
	}{
		"by id":              {service.List{IDs: []uuid.UUID{added[1].FactID}}, added[1:2]},
		"at either end":      {service.List{EntityIDs: []uuid.UUID{ann}}, []annals.AddedTriple{added[0], added[2]}},
		"that begin there":   {service.List{SourceIDs: []uuid.UUID{ann}}, added[:1]},
		"that lead there":    {service.List{TargetIDs: []uuid.UUID{ann}}, added[2:]},
		"of episodes":        {service.List{EpisodeIDs: []uuid.UUID{added[0].EpisodeID, added[1].EpisodeID}}, added[:2]},
		"of none of another": {service.List{SourceIDs: []uuid.UUID{ann}, EpisodeIDs: []uuid.UUID{added[1].EpisodeID}}, nil},
	} {
		tt.list.GroupID, tt.list.Ascending = "t", true
		facts, err := service.New(client).ListFacts(t.Context(), tt.list)
		if err != nil {
			t.Fatal(err)
		}
		want := ids(tt.want, func(a annals.AddedTriple) uuid.UUID { return a.FactID })
		if got := ids(facts, func(f annals.Fact) uuid.UUID { return f.ID }); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	said, err := service.New(client).ListEntities(t.Context(), service.List{GroupID: "t", EpisodeIDs: []uuid.UUID{added[0].EpisodeID}, Ascending: true})
	if err != nil || len(said) != 2 {
		t.Errorf("the first mentions %v (%v)", said, err)
	}
}

// Statements are listed by the subjects of any of their facts, with all their facts.
func TestStatements(t *testing.T) {
	t.Parallel()
	client, _ := open(t)
	s := service.New(client)
	var added []annals.AddedTriple
	for i, ends := range [][]string{{"Ann", "Bob", "Cid"}, {"Bob", "Dan"}, {"Eve", "Ann"}} {
		triple := annals.Triple{
			GroupID: "t", Source: graph.TripleEnd{Name: ends[0]}, Target: graph.TripleEnd{Name: ends[1]}, Predicate: "MET",
			Fact: strings.Join(ends, " and ") + " met.",
		}
		for _, end := range ends[2:] {
			triple.More = append(triple.More, graph.TriplePair{Source: triple.Source, Target: graph.TripleEnd{Name: end}, Predicate: "MET"})
		}
		one, err := client.AddTriple(t.Context(), triple)
		if err != nil || len(one.FactIDs) != len(ends)-1 {
			t.Fatal(i, one, err)
		}
		added = append(added, one)
	}
	ann, cid := added[0].SourceID, uuid.Nil
	facts, err := s.FactsByID(t.Context(), "t", added[0].FactIDs)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		if f.Target == "Cid" {
			cid = f.TargetID
		}
	}
	for name, tt := range map[string]struct {
		list service.List
		want []int // indexes of added
	}{
		"all":               {service.List{}, []int{2, 1, 0}},
		"upwards":           {service.List{Ascending: true}, []int{0, 1, 2}},
		"by time":           {service.List{OrderBy: "created_at"}, []int{2, 1, 0}},
		"by time, upwards":  {service.List{OrderBy: "created_at", Ascending: true}, []int{0, 1, 2}},
		"a page":            {service.List{Skip: 1, Limit: 1}, []int{1}},
		"behind the last":   {service.List{Skip: 3}, nil},
		"of a fact":         {service.List{IDs: added[0].FactIDs[1:]}, []int{0}},
		"of an entity":      {service.List{EntityIDs: []uuid.UUID{ann}}, []int{2, 0}},
		"of another end":    {service.List{EntityIDs: []uuid.UUID{cid}}, []int{0}},
		"of an episode":     {service.List{EpisodeIDs: []uuid.UUID{added[1].EpisodeID}}, []int{1}},
		"of two things":     {service.List{EntityIDs: []uuid.UUID{ann}, EpisodeIDs: []uuid.UUID{added[2].EpisodeID}}, []int{2}},
		"of another group":  {service.List{GroupID: "other"}, nil},
		"of what is nobody": {service.List{EntityIDs: []uuid.UUID{uuid.New()}}, nil},
	} {
		if tt.list.GroupID == "" {
			tt.list.GroupID = "t"
		}
		got, err := s.ListStatements(t.Context(), tt.list)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		of, want := [][]uuid.UUID{}, [][]uuid.UUID{}
		for _, statement := range got {
			of = append(of, ids(statement.Facts, func(f annals.Fact) uuid.UUID { return f.ID }))
		}
		for _, i := range tt.want {
			want = append(want, slices.SortedFunc(slices.Values(added[i].FactIDs), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }))
		}
		if !cmp.Equal(of, want) {
			t.Errorf("%s: %v, not %v", name, of, want)
		}
	}
}
