package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
)

// moved starts a service with a group in which Alice moved from Paris to Lisbon.
func moved(t *testing.T) *running {
	t.Helper()
	s := serve(t, server.Options{}, rest.Options{})
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/episodes", `{"content": "I live in Paris.", "actor": "Alice", "occurred_at": "2023-01-10", "thread_id": "chat"}`)
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/episodes", `{"content": "I moved to Lisbon last week. Nice weather!", "actor": "Alice", "occurred_at": "2024-03-15", "thread_id": "chat"}`)
	s.process("g")
	return s
}

// factSaying returns a fact by its sentence.
func (s *running) factSaying(group, words string) (id string, episodes []string) {
	s.t.Helper()
	var list struct {
		Facts []struct {
			ID, Fact string
			Episodes []string
		}
	}
	s.must(http.StatusOK, &list, "GET", "/v1/groups/"+group+"/facts", "")
	for _, f := range list.Facts {
		if strings.Contains(f.Fact, words) {
			return f.ID, f.Episodes
		}
	}
	s.t.Fatalf("no fact says %q: %v", words, list)
	return "", nil
}

func TestAKeyIsToldWhatItOpens(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{Version: "1.2.3"})
	secret, _, err := service.New(s.client).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"g", "acme:*"}, Rights: service.RightsRead, Authority: "document"})
	if err != nil {
		t.Fatal(err)
	}
	var who struct {
		Key, Rights, Authority, Version, Reader, Embedder string
		Groups                                            []string
		AllGroups                                         bool `json:"all_groups"`
		ReadsWithModel                                    bool `json:"reads_with_model"`
	}
	s.must(http.StatusOK, &who, "GET", "/v1/whoami", "")
	if who.Rights != "erase" || !who.AllGroups || who.Groups == nil || len(who.Groups) > 0 || who.Version != "1.2.3" || who.Reader != "offline" || who.ReadsWithModel {
		t.Errorf("the administrator is told %+v", who)
	}
	s.as(secret).must(http.StatusOK, &who, "GET", "/v1/whoami", "")
	if who.Rights != "read" || who.Authority != "document" || who.AllGroups || strings.Join(who.Groups, " ") != "g acme:*" || strings.Contains(who.Key, secret) {
		t.Errorf("a reader of some groups is told %+v", who)
	}
	s.as("").must(http.StatusUnauthorized, nil, "GET", "/v1/whoami", "")
}

// picture is the part of a graph that the tests read.
type picture struct {
	Partial    bool
	FactsTotal int `json:"facts_total"`
	Entities   struct {
		ID         []string
		Name       []string
		Salience   []float64
		KnownUntil []*float64 `json:"known_until"`
		Names      []struct {
			Entity int
			Name   string
		}
	}
	Predicates []string
	Facts      struct {
		ID             []string
		Source, Target []int
		Predicate      []int
		Told           []string
		KnownFrom      []float64  `json:"known_from"`
		KnownUntil     []*float64 `json:"known_until"`
		UntilBasis     []string   `json:"until_basis"`
		ValidUntil     []*float64 `json:"valid_until"`
	}
}

func TestTheGraphHasEveryVersion(t *testing.T) {
	t.Parallel()
	s := moved(t)
	var p picture
	s.must(http.StatusOK, &p, "GET", "/v1/groups/g/graph", "")
	if p.Partial || p.FactsTotal != 2 || len(p.Facts.ID) != 3 || len(p.Entities.ID) != 3 || p.Entities.Name[0] != "Alice" {
		t.Fatalf("the graph is %+v", p)
	}
	f := p.Facts
	if f.ID[0] != f.ID[1] || f.KnownUntil[0] == nil || *f.KnownUntil[0] != f.KnownFrom[1] || f.KnownUntil[1] != nil || f.ValidUntil[0] != nil {
		t.Errorf("the versions of Paris do not follow each other: %+v", f)
	}
	if ended := f.ValidUntil[1]; ended == nil || *ended != 1709510400000 || f.UntilBasis[1] != "inferred" { // 4 March 2024
		t.Errorf("Paris ends %v, %q", ended, f.UntilBasis)
	}
	if p.Entities.Name[f.Source[0]] != "Alice" || p.Entities.Name[f.Target[0]] != "Paris" || p.Predicates[f.Predicate[0]] != "LIVES_IN" {
		t.Errorf("the first fact is of %s %s %s", p.Entities.Name[f.Source[0]], p.Predicates[f.Predicate[0]], p.Entities.Name[f.Target[0]])
	}
}

// Renamed and merged entities and withdrawn facts stay in the picture, for views of the past.
func TestTheGraphKeepsWhatIsGone(t *testing.T) {
	t.Parallel()
	s := moved(t)
	paris, _ := s.factSaying("g", "Paris")
	s.must(http.StatusOK, nil, "PATCH", "/v1/groups/g/entities/Lisbon", `{"name": "Lisboa"}`)
	s.must(http.StatusNoContent, nil, "DELETE", "/v1/groups/g/facts/"+paris, "")
	var p picture
	s.must(http.StatusOK, &p, "GET", "/v1/groups/g/graph", "")
	if len(p.Facts.ID) != 4 || p.Facts.KnownUntil[1] == nil || p.Facts.Told[3] != "Alice moved to Lisboa in the week of 4 March 2024." || p.FactsTotal != 2 {
		t.Errorf("after Paris was withdrawn the facts are %+v", p.Facts)
	}
	if n := p.Entities.Names; len(n) != 1 || n[0].Name != "Lisbon" || p.Entities.Name[n[0].Entity] != "Lisboa" {
		t.Errorf("former names are %+v", n)
	}
}

func TestALargeGraphIsShownInPart(t *testing.T) {
	t.Parallel()
	s := moved(t)
	var p picture
	s.must(http.StatusOK, &p, "GET", "/v1/groups/g/graph?max_facts=1", "")
	if !p.Partial || p.FactsTotal != 2 || len(p.Entities.ID) == 0 {
		t.Errorf("one fact of two is %+v", p)
	}
	for i := range p.Facts.ID {
		if p.Facts.ID[i] != p.Facts.ID[0] {
			t.Errorf("more than one fact is shown: %v", p.Facts.ID)
		}
	}
	s.must(http.StatusOK, &p, "GET", "/v1/groups/g/graph?around=Lisbon", "")
	if !p.Partial || strings.Join(p.Facts.Told, "|") != "Alice moved to Lisbon in the week of 4 March 2024." || len(p.Entities.ID) != 2 {
		t.Errorf("around Lisbon is %+v", p)
	}
	s.must(http.StatusOK, &p, "GET", "/v1/groups/g/graph?around=Lisbon&hops=2", "")
	if len(p.Entities.ID) != 3 {
		t.Errorf("two steps around Lisbon are %q", p.Entities.Name)
	}
	for query, status := range map[string]int{
		"around=Rome": http.StatusNotFound, "max_facts=20001": http.StatusUnprocessableEntity, "max_facts=0": http.StatusUnprocessableEntity,
		"hops=4": http.StatusUnprocessableEntity, "around=" + strings.Repeat("a&around=", 20) + "b": http.StatusUnprocessableEntity,
	} {
		s.must(status, nil, "GET", "/v1/groups/g/graph?"+query, "")
	}
}

// Lists of an empty memory are empty, never null.
func TestWhatIsEmptyIsAList(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s.must(http.StatusCreated, nil, "POST", "/v1/groups", `{"id": "g"}`)
	for _, path := range []string{"graph", "times", "overview", "queue"} {
		a := s.must(http.StatusOK, nil, "GET", "/v1/groups/g/"+path, "")
		var fields map[string]any
		if err := json.Unmarshal(a.body, &fields); err != nil {
			t.Fatal(err)
		}
		if path == "graph" && strings.Contains(strings.ReplaceAll(strings.ReplaceAll(string(a.body), `"from":null`, ""), `"until":null`, ""), "null") {
			t.Errorf("an empty graph has null: %s", a.body)
		}
	}
	s.must(http.StatusNotFound, nil, "GET", "/v1/groups/none/overview", "")
}

func TestTimesAreMarked(t *testing.T) {
	t.Parallel()
	s := moved(t)
	type axis struct {
		First, Last string
		Complete    bool
		Marks       []struct {
			At, Until string
			Facts     int
		}
	}
	var times struct{ Valid, Known axis }
	s.must(http.StatusOK, &times, "GET", "/v1/groups/g/times", "")
	if v := times.Valid; !v.Complete || len(v.Marks) != 2 || v.First != "2023-01-10T00:00:00Z" || v.Last != "2024-03-04T00:00:00Z" || v.Marks[1].Facts != 2 {
		t.Errorf("in the world: %+v", v)
	}
	if k := times.Known; !k.Complete || len(k.Marks) != 2 || k.First != k.Marks[0].At || k.Last != k.Marks[1].Until {
		t.Errorf("in our belief: %+v", k)
	}
	s.must(http.StatusOK, &times, "GET", "/v1/groups/g/times?marks=1", "")
	if v := times.Valid; v.Complete || len(v.Marks) != 1 || v.Marks[0].Facts != 3 || v.Marks[0].At == v.Marks[0].Until {
		t.Errorf("in one mark: %+v", v)
	}
	s.must(http.StatusUnprocessableEntity, nil, "GET", "/v1/groups/g/times?marks=2001", "")
}

func TestAnOverviewCounts(t *testing.T) {
	t.Parallel()
	s := moved(t)
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/episodes", `{"content": "Welcome!", "actor": "Bot", "role": "assistant", "occurred_at": "2024-03-16"}`)
	var o service.Overview
	s.must(http.StatusOK, &o, "GET", "/v1/groups/g/overview", "")
	if o.Episodes != 3 || o.Waiting != 1 || o.Facts != 2 || o.FactsEnded != 1 || o.Entities != 3 || o.Threads != 1 || o.FormerVersions != 1 {
		t.Errorf("it counts %+v", o)
	}
	if len(o.Speakers) != 2 || o.Speakers[0].Actor != "Alice" || o.Speakers[0].Episodes != 2 || o.FirstSaid.Format("2006-01-02") != "2023-01-10" || o.Salient[0].Name != "Alice" {
		t.Errorf("it says %+v", o)
	}
	var q service.Waiting
	s.must(http.StatusOK, &q, "GET", "/v1/groups/g/queue", "")
	var all struct{ Groups []service.GroupWaiting }
	s.must(http.StatusOK, &all, "GET", "/v1/queue", "")
	if q.Pending != 1 || q.Oldest == nil || len(all.Groups) != 1 || all.Groups[0].Pending != 1 || all.Groups[0].GroupID != "g" {
		t.Errorf("what waits is %+v, of all %+v", q, all)
	}
	secret, _, err := service.New(s.client).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"other"}})
	if err != nil {
		t.Fatal(err)
	}
	s.as(secret).must(http.StatusForbidden, nil, "GET", "/v1/queue", "")
	id := uuid.NewString()
	for _, path := range []string{"graph", "times", "overview", "queue", "facts/" + id + "/trace", "entities/Alice/trace", "learned?episode=" + id} {
		s.as(secret).must(http.StatusNotFound, nil, "GET", "/v1/groups/g/"+path, "")
	}
	s.as(secret).must(http.StatusNotFound, nil, "POST", "/v1/groups/g/search/why", `{"query": "x", "expected": ["`+id+`"]}`)
}

func TestAFactSaysWhereItIsFrom(t *testing.T) {
	t.Parallel()
	s := moved(t)
	paris, _ := s.factSaying("g", "Paris")
	lisbon, said := s.factSaying("g", "Lisbon")
	var trace service.FactTrace
	s.must(http.StatusOK, &trace, "GET", "/v1/groups/g/facts/"+lisbon+"/trace", "")
	if len(trace.Episodes) != 1 || trace.Episodes[0].Sentence != "I moved to Lisbon last week." || trace.Authority != "user" || !trace.Current {
		t.Errorf("Lisbon comes from %+v", trace)
	}
	if len(trace.Decisions) == 0 || trace.Decisions[0].EpisodeID.String() != said[0] {
		t.Errorf("what was decided is %+v", trace.Decisions)
	}
	s.must(http.StatusOK, nil, "PATCH", "/v1/groups/g/facts/"+paris, `{"fact": "Alice lived in Paris."}`)
	s.must(http.StatusNoContent, nil, "DELETE", "/v1/groups/g/facts/"+paris, "")
	trace = service.FactTrace{}
	s.must(http.StatusOK, &trace, "GET", "/v1/groups/g/facts/"+paris+"/trace", "")
	if trace.Current || len(trace.Versions) != 3 || trace.Versions[2].Edit == nil || trace.Versions[2].Edit.Action != "edit" || trace.Versions[0].Edit != nil ||
		len(trace.Rejections) != 1 || trace.BoundedBy != nil && trace.BoundedBy.ID.String() != lisbon {
		t.Errorf("Paris, edited and withdrawn, is %+v", trace)
	}
	s.must(http.StatusNotFound, nil, "GET", "/v1/groups/g/facts/"+uuid.NewString()+"/trace", "")
	var entity service.EntityTrace
	s.must(http.StatusOK, nil, "PATCH", "/v1/groups/g/entities/Lisbon", `{"name": "Lisboa"}`)
	s.must(http.StatusOK, &entity, "GET", "/v1/groups/g/entities/Lisboa/trace", "")
	if len(entity.Decisions) == 0 || len(entity.Edits) != 1 || entity.Edits[0].Action != "rename" || entity.Edits[0].Door != "rest" {
		t.Errorf("Lisbon, renamed, is %+v", entity)
	}
}

func TestMessagesStandBesideWhatWasLearned(t *testing.T) {
	t.Parallel()
	s := moved(t)
	paris, _ := s.factSaying("g", "Paris")
	_, said := s.factSaying("g", "Lisbon")
	var list struct{ Learned []service.Learned }
	s.must(http.StatusOK, &list, "GET", "/v1/groups/g/learned?episode="+said[0]+"&episode="+uuid.NewString(), "")
	roles := map[string]string{}
	for _, f := range list.Learned[0].Facts {
		roles[f.Fact] = f.Role
	}
	if len(list.Learned) != 2 || roles["Alice lives in Paris."] != "ends" || roles["Alice moved to Lisbon last week."] != "states" || len(list.Learned[0].Entities) != 2 {
		t.Errorf("learned was %+v", list.Learned)
	}
	if l := list.Learned[1]; l.Facts == nil || l.Entities == nil || len(l.Facts)+len(l.Entities) > 0 {
		t.Errorf("of an episode that is not there: %+v", l)
	}
	s.must(http.StatusNoContent, nil, "DELETE", "/v1/groups/g/facts/"+paris, "")
	s.must(http.StatusOK, &list, "GET", "/v1/groups/g/learned?episode="+said[0], "")
	for _, f := range list.Learned[0].Facts {
		if f.ID.String() == paris && (f.Current || f.Role != "former") {
			t.Errorf("what was withdrawn is %+v", f)
		}
	}
	for _, query := range []string{"", "?episode=no-id", "?episode=" + strings.Repeat(said[0]+"&episode=", 200) + said[0]} {
		s.must(http.StatusUnprocessableEntity, nil, "GET", "/v1/groups/g/learned"+query, "")
	}
}

// A preview matches what then happens, and changes nothing itself.
func TestAPreviewDoesNothing(t *testing.T) {
	t.Parallel()
	s := moved(t)
	_, said := s.factSaying("g", "Lisbon")
	var before, after picture
	s.must(http.StatusOK, &before, "GET", "/v1/groups/g/graph", "")
	type outcome struct {
		Undone      *annals.Undone
		Certificate *annals.Certificate
		Preview     *annals.PreviewJSON
	}
	one := "/v1/groups/g/episodes/" + said[0]
	var undo, erase, entity, done outcome
	s.must(http.StatusOK, &undo, "DELETE", one+"?dry_run=true", "")
	s.must(http.StatusOK, &erase, "DELETE", one+"?dry_run=true&erase=true", "")
	s.must(http.StatusOK, &entity, "DELETE", "/v1/groups/g/entities/Lisbon?dry_run=true", "")
	s.must(http.StatusOK, &after, "GET", "/v1/groups/g/graph", "")
	if was, is := strings.Join(before.Facts.Told, "|"), strings.Join(after.Facts.Told, "|"); was != is {
		t.Errorf("after previews the facts are %q, not %q", is, was)
	}
	changes := map[string]string{}
	for _, c := range undo.Preview.Facts {
		changes[c.Before.Fact] = c.Change
	}
	if changes["Alice lives in Paris."] != "reopened" || changes["Alice moved to Lisbon last week."] != "withdrawn" || len(undo.Preview.Removed) > 0 || undo.Certificate != nil {
		t.Errorf("undoing would %v, %+v", changes, undo)
	}
	if len(erase.Preview.Removed) == 0 || len(erase.Preview.Facts) != 2 {
		t.Errorf("erasing would %+v", erase.Preview)
	}
	gone := ""
	for _, c := range entity.Preview.Entities {
		if c.Change == "removed" {
			gone += c.Before.Name
		}
	}
	if gone != "Lisbon" {
		t.Errorf("erasing Lisbon would remove %q", gone)
	}
	s.as(s.keyWith(service.RightsRead)).must(http.StatusForbidden, nil, "DELETE", one+"?dry_run=true", "")
	s.as(s.keyWith(service.RightsWrite)).must(http.StatusForbidden, nil, "DELETE", one+"?dry_run=true&erase=true", "")
	s.must(http.StatusOK, &done, "DELETE", one+"?erase=true", "")
	would, _ := json.Marshal(erase.Preview.Removed)
	did, _ := json.Marshal(done.Certificate.Removed)
	if string(would) != string(did) {
		t.Errorf("erasing removed %s; the preview said %s", did, would)
	}
	const group = "/v1/groups/g"
	var whole outcome
	s.as(s.keyWith(service.RightsWrite)).must(http.StatusForbidden, nil, "DELETE", group+"?dry_run=true", "")
	s.must(http.StatusOK, &whole, "DELETE", group+"?dry_run=true", "")
	if whole.Undone != nil || whole.Certificate != nil || len(whole.Preview.Facts) > 0 {
		t.Errorf("erasing all would %+v", whole)
	}
	s.must(http.StatusOK, nil, "GET", group, "")
	s.must(http.StatusOK, &done, "DELETE", group, "")
	would, _ = json.Marshal(whole.Preview.Removed)
	did, _ = json.Marshal(done.Certificate.Removed)
	if string(would) != string(did) {
		t.Errorf("erasing all removed %s; the preview said %s", did, would)
	}
	s.must(http.StatusNotFound, nil, "DELETE", group+"?dry_run=true", "")
}

func TestWhyNot(t *testing.T) {
	t.Parallel()
	s := moved(t)
	paris, _ := s.factSaying("g", "Paris")
	lisbon, said := s.factSaying("g", "Lisbon")
	why := func(settings string, ids ...string) []service.Expected {
		t.Helper()
		var answer struct{ Expected []service.Expected }
		s.must(http.StatusOK, &answer, "POST", "/v1/groups/g/search/why", `{"query": "Where did Alice move?", "expected": ["`+strings.Join(ids, `","`)+`"]`+settings+`}`)
		return answer.Expected
	}
	codes := func(e service.Expected) (codes string) {
		for _, r := range e.Reasons {
			codes += " " + r.Code
		}
		return strings.TrimSpace(codes)
	}
	all := why("", lisbon, paris, said[0], uuid.NewString())
	if !all[0].Found || all[0].Rank != 1 || all[0].Places["bm25"].Rank != 1 || all[1].Found || codes(all[1]) != "ended" || !all[2].Found || all[2].Kind != "episode" || codes(all[3]) != "no_such" {
		t.Errorf("they are %+v", all)
	}
	for settings, want := range map[string]string{
		`, "scopes": ["episode"]`:                         "scope",
		`, "as_of": "2023-06-01"`:                         "as_of",
		`, "known_at": "2020-01-01"`:                      "known_at",
		`, "filter": {"predicates": ["KNOWS"]}`:           "filter",
		`, "min_score": 1000`:                             "min_score",
		`, "scopes": ["entity"], "as_of": "2023-06-01"`:   "scope as_of",
		`, "include_ended": true, "as_of": "2024-06-01"`:  "",
		`, "filter": {"labels": ["Robot"]}, "limit": 100`: "filter",
	} {
		if e := why(settings, lisbon)[0]; codes(e) != want || e.Found != (want == "") {
			t.Errorf("with %s: %+v, want %q", settings, e, want)
		}
	}
	if e := why(`, "include_ended": true, "limit": 1`, paris)[0]; codes(e) != "limit" || e.Rank != 2 {
		t.Errorf("as the second of one: %+v", e)
	}
	s.must(http.StatusNoContent, nil, "DELETE", "/v1/groups/g/facts/"+paris, "")
	if e := why("", paris)[0]; codes(e) != "gone" || !strings.Contains(e.Reasons[0].Text, "withdrawn") {
		t.Errorf("withdrawn: %+v", e)
	}
	for _, body := range []string{`{"query": "x", "expected": []}`, `{"query": "x", "expected": ["no-id"]}`, `{"query": "x"}`} {
		s.must(http.StatusUnprocessableEntity, nil, "POST", "/v1/groups/g/search/why", body)
	}
}
