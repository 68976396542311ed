package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/client"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/slow"
)

// same compares the results of both memories, except for the differences in
// docs/client.md.
func same(t *testing.T, what string, embedded, served any, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
	}
	diff := cmp.Diff(embedded, served, cmpopts.EquateEmpty(),
		cmpopts.IgnoreFields(annals.Fact{}, "BoundedBy"), cmpopts.IgnoreFields(annals.FactVersion{}, "CausedBy", "EndedBy"),
		cmpopts.IgnoreFields(annals.Entity{}, "Recorded"), cmpopts.IgnoreFields(annals.Thread{}, "SummarisedAt", "SummarisedThrough"),
		cmpopts.IgnoreFields(annals.FactHit{}, "Answers", "Related", "Near", "Then", "NotThen"), cmpopts.IgnoreFields(annals.EpisodeHit{}, "Near"),
		cmpopts.IgnoreFields(annals.Episode{}, "Deferred", "Previous"), cmpopts.IgnoreFields(annals.Result{}, "AsOf"), cmpopts.EquateApproxTime(0),
		cmp.FilterValues(func(a, b json.RawMessage) bool { return len(a)+len(b) > 0 }, // else they are equal as empty
			cmp.Comparer(func(a, b json.RawMessage) bool { return compact(a) == compact(b) })))
	if diff != "" {
		t.Errorf("%s (-embedded +served):\n%s", what, diff)
	}
}

func compact(text json.RawMessage) string {
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return string(text)
	}
	return out.String()
}

// Both memories read the same of a group.
func TestBothReadTheSame(t *testing.T) {
	t.Parallel()
	b := open(t)
	var group string
	b.each(t, func(t *testing.T, _ client.Memory, made string) { group = made })
	ctx, e, s := t.Context(), b.embedded, b.served
	if _, err := e.BuildCommunities(ctx, group); err != nil {
		t.Fatal(err)
	}
	episodes, err1 := e.Episodes(ctx, annals.EpisodeFilter{GroupID: group, ThreadID: "chat/1", Limit: 2})
	servedEpisodes, err2 := s.Episodes(ctx, annals.EpisodeFilter{GroupID: group, ThreadID: "chat/1", Limit: 2})
	same(t, "Episodes", episodes, servedEpisodes, err1, err2)
	if len(episodes) != 2 {
		t.Fatalf("%d episodes", len(episodes))
	}
	one, err1 := e.Episode(ctx, group, episodes[0].ID)
	servedOne, err2 := s.Episode(ctx, group, episodes[0].ID)
	same(t, "Episode", one, servedOne, err1, err2)
	trace, err1 := e.Trace(ctx, group, one.ID)
	servedTrace, err2 := s.Trace(ctx, group, one.ID)
	same(t, "Trace", trace, servedTrace, err1, err2)
	counts, err1 := e.EpisodeCounts(ctx, group)
	servedCounts, err2 := s.EpisodeCounts(ctx, group)
	same(t, "EpisodeCounts", counts, servedCounts, err1, err2)
	facts, err1 := e.Facts(ctx, annals.FactFilter{GroupID: group})
	servedFacts, err2 := s.Facts(ctx, annals.FactFilter{GroupID: group})
	same(t, "Facts", facts, servedFacts, err1, err2)
	if len(facts) < 3 {
		t.Fatalf("%d facts", len(facts))
	}
	fact, err1 := e.Fact(ctx, group, facts[0].ID)
	servedFact, err2 := s.Fact(ctx, group, facts[0].ID)
	same(t, "Fact", fact, servedFact, err1, err2)
	history, err1 := e.History(ctx, group, facts[0].ID)
	servedHistory, err2 := s.History(ctx, group, facts[0].ID)
	same(t, "History", history, servedHistory, err1, err2)
	then := annals.FactFilter{GroupID: group, ValidAt: time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC), KnownAt: time.Now(), EntityID: facts[0].SourceID}
	facts, err1 = e.Facts(ctx, then)
	servedFacts, err2 = s.Facts(ctx, then)
	same(t, "Facts of a time", facts, servedFacts, err1, err2)
	entity, err1 := e.Entity(ctx, group, "Alice")
	servedEntity, err2 := s.Entity(ctx, group, "Alice")
	same(t, "Entity", entity, servedEntity, err1, err2)
	if !entity.Recorded.Start.Equal(servedEntity.Recorded.Start) {
		t.Errorf("known so since %v, served %v", entity.Recorded, servedEntity.Recorded)
	}
	states, err1 := e.EntityHistory(ctx, group, entity.ID)
	servedStates, err2 := s.EntityHistory(ctx, group, entity.ID)
	same(t, "EntityHistory", states, servedStates, err1, err2)
	changes, err1 := e.Timeline(ctx, annals.TimelineFilter{GroupID: group, LatestFirst: true})
	servedChanges, err2 := s.Timeline(ctx, annals.TimelineFilter{GroupID: group, LatestFirst: true})
	same(t, "Timeline", changes, servedChanges, err1, err2)
	between := annals.DiffFilter{GroupID: group, From: episodes[1].CreatedAt.Add(-time.Hour), To: time.Now()}
	diff, err1 := e.Diff(ctx, between)
	servedDiff, err2 := s.Diff(ctx, between)
	same(t, "Diff", diff, servedDiff, err1, err2)
	threads, err1 := e.Threads(ctx, annals.ThreadFilter{GroupID: group})
	servedThreads, err2 := s.Threads(ctx, annals.ThreadFilter{GroupID: group})
	same(t, "Threads", threads, servedThreads, err1, err2)
	thread, err1 := e.Thread(ctx, group, "chat/1")
	servedThread, err2 := s.Thread(ctx, group, "chat/1")
	same(t, "Thread", thread, servedThread, err1, err2)
	communities, err1 := e.Communities(ctx, annals.CommunityFilter{GroupID: group})
	servedCommunities, err2 := s.Communities(ctx, annals.CommunityFilter{GroupID: group})
	same(t, "Communities", communities, servedCommunities, err1, err2)
	groups, err1 := e.Groups(ctx, annals.GroupFilter{})
	servedGroups, err2 := s.Groups(ctx, annals.GroupFilter{})
	same(t, "Groups", groups, servedGroups, err1, err2)
	usage, err1 := e.Usage(ctx, group)
	servedUsage, err2 := s.Usage(ctx, group)
	same(t, "Usage", usage, servedUsage, err1, err2)
}

// Both memories find the same with every setting of a query.
func TestBothFindTheSame(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	b := open(t)
	var group string
	b.each(t, func(t *testing.T, _ client.Memory, made string) { group = made })
	alice, err := b.embedded.Entity(t.Context(), group, "Alice")
	if err != nil {
		t.Fatal(err)
	}
	asked := time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)
	for name, q := range map[string]annals.Query{
		"plain":   {Text: "Where does Alice live?"},
		"scopes":  {Text: "Alice", Scopes: []graph.Kind{graph.KindEpisode, graph.KindThread}, Limit: 2},
		"past":    {Text: "Where does Alice live?", ValidAt: time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC), KnownAt: time.Now()},
		"walk":    {Text: "Alice", Methods: []annals.Method{annals.MethodTerms, annals.MethodGraph}, Seeds: []uuid.UUID{alice.ID}, Hops: 1, IncludeEnded: true},
		"near":    {Text: "Alice", Rerank: []annals.Rerank{annals.RerankMMR, annals.RerankDistance}, Center: alice.ID, Lambda: 0.7},
		"filter":  {Text: "Alice", Filter: annals.Filter{Predicates: []string{"WORKS_AT"}, Threads: []string{"chat/1"}, Valid: annals.TimeCondition{{{Op: annals.OpGreater, At: asked.AddDate(-3, 0, 0)}}}}},
		"new":     {Text: "Alice", Recency: 36 * time.Hour, MentionBoost: 0.2, MinFit: -1, Conversation: true},
		"nothing": {Text: "quantum chromodynamics", MinFit: 0.5},
		"long":    {Text: strings.Repeat("Alice lives ä ", 2000)},
	} {
		q.GroupID, q.AskedAt = group, asked
		embedded, err1 := b.embedded.Search(t.Context(), q)
		served, err2 := b.served.Search(t.Context(), q)
		embedded.Asked, served.Asked = "", ""
		same(t, "Search "+name, embedded, served, err1, err2)
		if found := len(embedded.Facts) + len(embedded.Episodes); (found == 0) != (name == "nothing") {
			t.Errorf("%s finds %d", name, found)
		}
		answer, err1 := b.embedded.Ask(t.Context(), annals.Question{Query: q})
		servedAnswer, err2 := b.served.Ask(t.Context(), annals.Question{Query: q})
		same(t, "Ask "+name, answer, servedAnswer, err1, err2)
		for _, as := range []annals.Construction{{}, {Tokens: 60, Hits: 3, Citations: true, Words: true, Encoding: "cl100k_base"}} {
			context, err1 := b.embedded.ContextAs(t.Context(), q, as)
			servedContext, err2 := b.served.ContextAs(t.Context(), q, as)
			same(t, "ContextAs "+name, context, servedContext, err1, err2)
		}
	}
}

// behaviours are operations on a memory that knows of Alice, with their outcomes.
var behaviours = []struct {
	name string
	do   func(ctx context.Context, m client.Memory, group string) (any, error)
	want string
}{
	{"add", func(ctx context.Context, m client.Memory, group string) (any, error) {
		e := annals.Episode{GroupID: group, Content: "I like tea.", ExternalID: "msg-1", Metadata: json.RawMessage(`{"a": 1}`), Name: "tea", Source: graph.SourceText}
		first, err := m.Add(ctx, e)
		again, err2 := m.Add(ctx, e)
		kept, err3 := m.Episode(ctx, group, first.ID)
		return []any{first.New, again.New, first.ID == again.ID, first.State, kept.Name, kept.Source, compact(kept.Metadata), kept.ExternalID}, errors.Join(err, err2, err3)
	}, `[true false true pending tea text {"a":1} msg-1]`},
	{"add all", func(ctx context.Context, m client.Memory, group string) (any, error) {
		stored, err := m.AddAll(ctx, []annals.Episode{
			{GroupID: group, Content: "I like tea.", ExternalID: "1"}, {GroupID: group + "-2", Content: "I like chess."}, {GroupID: group, Content: "I like rain.", ExternalID: "1"},
		})
		episodes, err2 := m.Episodes(ctx, annals.EpisodeFilter{GroupID: group + "-2"})
		return []any{len(stored), stored[0].New, stored[1].New, stored[2].New, stored[0].ID == stored[2].ID, len(episodes), episodes[0].Content}, errors.Join(err, err2)
	}, `[3 true true false true 1 I like chess.]`},
	{"add nothing", func(ctx context.Context, m client.Memory, group string) (any, error) {
		return m.Add(ctx, annals.Episode{GroupID: group, Content: " "})
	}, "invalid content"},
	{"add to no group", func(ctx context.Context, m client.Memory, _ string) (any, error) {
		return m.Add(ctx, annals.Episode{GroupID: "a b", Content: "I like tea."})
	}, "invalid group"},
	{"an episode that is not there", func(ctx context.Context, m client.Memory, group string) (any, error) {
		return m.Episode(ctx, group, uuid.Max)
	}, "not_found episode"},
	{"undo", func(ctx context.Context, m client.Memory, group string) (any, error) {
		episodes, err := m.Episodes(ctx, annals.EpisodeFilter{GroupID: group, Limit: 1})
		if err != nil {
			return nil, err
		}
		undone, err := m.Undo(ctx, group, episodes[0].ID)
		facts, err2 := m.Facts(ctx, annals.FactFilter{GroupID: group, ValidAt: time.Now()})
		return []any{undone.Episodes, undone.FactsRemoved, undone.FactsReopened, len(facts)}, errors.Join(err, err2)
	}, "[1 1 1 2]"},
	{"a fact that is not there", func(ctx context.Context, m client.Memory, group string) (any, error) {
		return m.Fact(ctx, group, uuid.Max)
	}, "not_found fact"},
	{"a triple", func(ctx context.Context, m client.Memory, group string) (any, error) {
		t := annals.Triple{
			GroupID: group, Source: graph.TripleEnd{Name: "Alice"}, Predicate: "OWNS", Target: graph.TripleEnd{Name: "a boat", Label: "Thing"}, Fact: "Alice owns a boat.",
			Attributes: json.RawMessage(`{"sure": true}`), ValidAt: time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC),
		}
		added, err := m.AddTriple(ctx, t)
		fact, err2 := m.Fact(ctx, group, added.FactID)
		again, err3 := m.AddTriple(ctx, t)
		return []any{fact.Fact, fact.Predicate, compact(fact.Attributes), fact.Valid.Start.Format(time.DateOnly), added.Repeated, again.Repeated, fact.SourceID == added.SourceID}, errors.Join(err, err2, err3)
	}, `[Alice owns a boat. OWNS {"sure":true} 2024-01-02 false true true]`},
	{"an edit", func(ctx context.Context, m client.Memory, group string) (any, error) {
		facts, err := m.Facts(ctx, annals.FactFilter{GroupID: group, ValidAt: time.Now()})
		if err != nil {
			return nil, err
		}
		f := facts[0]
		edited, err := m.EditFact(ctx, group, f.ID, annals.FactEdit{Fact: new("Alice works at Acme Ltd."), InvalidAt: new(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))}, f.Recorded.Start)
		_, late := m.EditFact(ctx, group, f.ID, annals.FactEdit{Fact: new("Alice works.")}, f.Recorded.Start)
		open, err2 := m.EditFact(ctx, group, f.ID, annals.FactEdit{InvalidAt: new(time.Time{})})
		history, err3 := m.History(ctx, group, f.ID)
		back, err4 := m.EditFact(ctx, group, f.ID, annals.FactEdit{AsKnownAt: f.Recorded.Start})
		return []any{
			edited.Fact, edited.Valid.End.Year(), outcome(nil, late), open.Valid.End.IsZero(), len(history), history[2].Current, history[0].Current, back.SameAs(f),
		}, errors.Join(err, err2, err3, err4)
	}, "[Alice works at Acme Ltd. 2030 conflict version true 3 true false true]"},
	{"withdraw and restore", func(ctx context.Context, m client.Memory, group string) (any, error) {
		facts, err := m.Facts(ctx, annals.FactFilter{GroupID: group, ValidAt: time.Now()})
		if err != nil {
			return nil, err
		}
		err = m.WithdrawFact(ctx, group, facts[0].ID)
		_, gone := m.Fact(ctx, group, facts[0].ID)
		back, err2 := m.RestoreFact(ctx, group, facts[0].ID)
		return []any{outcome(nil, gone), back.Fact == facts[0].Fact}, errors.Join(err, err2)
	}, "[not_found fact true]"},
	{"entities", func(ctx context.Context, m client.Memory, group string) (any, error) {
		alice, err := m.Entity(ctx, group, "Alice")
		if err != nil {
			return nil, err
		}
		renamed, err := m.RenameEntity(ctx, group, alice.ID, "Alice Smith", alice.Recorded.Start)
		_, late := m.RenameEntity(ctx, group, alice.ID, "Bob", alice.Recorded.Start)
		acme, err2 := m.Entity(ctx, group, "Acme")
		paris, err3 := m.Entity(ctx, group, "Paris")
		merged, err4 := m.MergeEntities(ctx, group, paris.ID, acme.ID)
		facts, err5 := m.Facts(ctx, annals.FactFilter{GroupID: group})
		split, err6 := m.SplitEntity(ctx, group, merged.ID, "Paris", []uuid.UUID{facts[0].ID})
		return []any{renamed.Name, renamed.Aliases, outcome(nil, late), merged.Name, merged.Aliases, split.Name}, errors.Join(err, err2, err3, err4, err5, err6)
	}, "[Alice Smith [Alice] conflict version Acme [Paris] Paris]"},
	{"an entity that is not there", func(ctx context.Context, m client.Memory, group string) (any, error) {
		return m.Entity(ctx, group, "Zeno/1")
	}, "not_found entity"},
	{"pages", func(ctx context.Context, m client.Memory, group string) (any, error) {
		var names []string
		var last *annals.Entity
		for {
			page, err := m.Entities(ctx, annals.EntityFilter{GroupID: group, Limit: 1, After: last})
			if err != nil || len(page) == 0 {
				return names, err
			}
			names, last = append(names, page[0].Name), &page[0]
		}
	}, "[Alice Acme Lisbon Paris]"},
	{"pages of facts and changes", func(ctx context.Context, m client.Memory, group string) (any, error) {
		first, err := m.Facts(ctx, annals.FactFilter{GroupID: group, Limit: 1})
		rest, err2 := m.Facts(ctx, annals.FactFilter{GroupID: group, After: &first[0]})
		change, err3 := m.Timeline(ctx, annals.TimelineFilter{GroupID: group, Limit: 1})
		more, err4 := m.Timeline(ctx, annals.TimelineFilter{GroupID: group, After: &change[0]})
		episodes, err5 := m.Episodes(ctx, annals.EpisodeFilter{GroupID: group, Limit: 1})
		older, err6 := m.Episodes(ctx, annals.EpisodeFilter{GroupID: group, After: &episodes[0]})
		return []any{len(rest), rest[0].ID != first[0].ID, len(more), len(older), older[1].Content}, errors.Join(err, err2, err3, err4, err5, err6)
	}, "[2 true 3 2 I live in Paris.]"},
	{"too long a page", func(ctx context.Context, m client.Memory, group string) (any, error) {
		return m.Facts(ctx, annals.FactFilter{GroupID: group, Limit: annals.MaxRows + 1})
	}, "invalid limit"},
	{"communities", func(ctx context.Context, m client.Memory, group string) (any, error) {
		built, err := m.BuildCommunities(ctx, group)
		list, err2 := m.Communities(ctx, annals.CommunityFilter{GroupID: group})
		return []any{built.Communities == len(list), built.New == len(list), len(list) > 0}, errors.Join(err, err2)
	}, "[true true true]"},
	{"groups", func(ctx context.Context, m client.Memory, group string) (any, error) {
		made, err := m.CreateGroup(ctx, annals.Group{ID: group + "-made", Name: "One"})
		_, twice := m.CreateGroup(ctx, annals.Group{ID: group + "-made"})
		changed, err2 := m.UpdateGroup(ctx, group+"-made", annals.GroupChange{Description: new("Two"), Name: new("")})
		_, missing := m.Group(ctx, group+"-none")
		after, err3 := m.Groups(ctx, annals.GroupFilter{After: group, Limit: 1})
		return []any{made.Name, made.Kind, outcome(nil, twice), changed.Description, changed.Name == "", outcome(nil, missing), after[0].ID == group+"-made"}, errors.Join(err, err2, err3)
	}, "[One graph conflict id Two true not_found group true]"},
	{"settings", func(ctx context.Context, m client.Memory, group string) (any, error) {
		err := m.SetOntology(ctx, group, annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Boat", Description: "floats"}}})
		ontology, err2 := m.Ontology(ctx, group)
		err3 := m.SetRetention(ctx, group, annals.Retention{MaxAge: 90 * time.Minute, MaxEpisodes: 2})
		kept, err4 := m.Retention(ctx, group)
		return []any{ontology.EntityTypes[0].Name, kept.MaxAge, kept.MaxEpisodes, kept.AppliedAt.IsZero()}, errors.Join(err, err2, err3, err4)
	}, "[Boat 1h30m0s 2 true]"},
	{"retention", func(ctx context.Context, m client.Memory, group string) (any, error) {
		err := m.SetRetention(ctx, group, annals.Retention{MaxEpisodes: 1})
		undone, err2 := m.ApplyRetention(ctx, group, true)
		return undone.Episodes, errors.Join(err, err2)
	}, "2"},
	{"a conversation", func(ctx context.Context, m client.Memory, group string) (any, error) {
		_, missing := m.Thread(ctx, group, "none")
		text, err := m.SummariseThread(ctx, group, "chat/1")
		thread, err2 := m.Thread(ctx, group, "chat/1")
		return []any{outcome(nil, missing), thread.Messages, thread.Summary == text}, errors.Join(err, err2)
	}, "[not_found thread 3 true]"},
	{"retry", func(ctx context.Context, m client.Memory, group string) (any, error) {
		_, err := m.Add(ctx, annals.Episode{GroupID: group, Content: "I like tea.", Deferred: true})
		n, err2 := m.Retry(ctx, group)
		return n, errors.Join(err, err2)
	}, "1"},
	{"erase an episode", func(ctx context.Context, m client.Memory, group string) (any, error) {
		episodes, err := m.Episodes(ctx, annals.EpisodeFilter{GroupID: group, Limit: 1})
		if err != nil {
			return nil, err
		}
		c, err := m.Erase(ctx, annals.Erasure{GroupID: group, EpisodeIDs: []uuid.UUID{episodes[0].ID}})
		_, again := m.Add(ctx, annals.Episode{GroupID: group, Content: episodes[0].Content})
		_, all := m.AddAll(ctx, []annals.Episode{{GroupID: group, Content: episodes[0].Content}})
		return []any{c.Scope, c.Episodes, len(c.EpisodeIDs), len(c.Tombstones) > 0, outcome(nil, again), graph.IsErased(all)}, err
	}, "[episode 1 1 true conflict force true]"},
	{"erase an entity", func(ctx context.Context, m client.Memory, group string) (any, error) {
		acme, err := m.Entity(ctx, group, "Acme")
		c, err2 := m.Erase(ctx, annals.Erasure{GroupID: group, EntityID: acme.ID})
		_, gone := m.Entity(ctx, group, "Acme")
		return []any{c.Scope, c.Episodes, outcome(nil, gone)}, errors.Join(err, err2)
	}, "[entity 1 not_found entity]"},
	{"erase a group", func(ctx context.Context, m client.Memory, group string) (any, error) {
		c, err := m.Erase(ctx, annals.Erasure{GroupID: group})
		_, gone := m.Group(ctx, group)
		return []any{c.Scope, c.Episodes, outcome(nil, gone)}, err
	}, "[group 3 not_found group]"},
	{"move", func(ctx context.Context, m client.Memory, group string) (any, error) {
		var file bytes.Buffer
		out, err := m.Export(ctx, group, &file, annals.ExportOptions{})
		text := file.String()
		in, err2 := m.Import(ctx, strings.NewReader(text), annals.ImportOptions{GroupID: group + "-copy"})
		_, occupied := m.Import(ctx, strings.NewReader(text), annals.ImportOptions{})
		_, damaged := m.Import(ctx, strings.NewReader(text[:len(text)/2]), annals.ImportOptions{GroupID: group + "-half"})
		_, missing := m.Export(ctx, group+"-none", io.Discard, annals.ExportOptions{})
		dry, err3 := m.Import(ctx, strings.NewReader(text), annals.ImportOptions{DryRun: true})
		return []any{
			out.Rows["facts"], in.Rows["facts"], out.SHA256 == in.SHA256, in.GroupID == group+"-copy", outcome(nil, occupied), outcome(nil, damaged), outcome(nil, missing), dry.Rows["facts"],
		}, errors.Join(err, err2, err3)
	}, "[3 3 true true conflict group invalid import not_found group 3]"},
	{"take over", func(ctx context.Context, m client.Memory, group string) (any, error) {
		moved, err := m.Import(ctx, strings.NewReader(`{"episodes": [{"uuid": "6a1b2c3d-0000-4000-8000-000000000001", "content": "Ann knows Bob.", "created_at": "2024-06-01T00:00:00Z"},
			{"uuid": "6a1b2c3d-0000-4000-8000-000000000002", "content": " "}]}`), annals.ImportOptions{From: "zep", GroupID: group + "-zep"})
		return []any{moved.Rows["episodes"], len(moved.Unmapped)}, err
	}, "[1 1]"},
	{"given up", func(ctx context.Context, m client.Memory, group string) (any, error) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		_, err := m.Facts(ctx, annals.FactFilter{GroupID: group})
		return errors.Is(err, context.Canceled), nil
	}, "true"},
}

// outcome is a value, or the code and field of an error.
func outcome(value any, err error) string {
	if known, ok := errors.AsType[*annals.Error](err); ok {
		return strings.TrimSpace(string(known.Code) + " " + known.Field)
	}
	if err != nil {
		return string(annals.CodeOf(err)) + ": " + err.Error()
	}
	return fmt.Sprint(value)
}

// Both memories do the same.
func TestBothDoTheSame(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	b := open(t)
	for _, tt := range behaviours {
		t.Run(strings.ReplaceAll(tt.name, " ", "-"), func(t *testing.T) {
			b.each(t, func(t *testing.T, m client.Memory, group string) {
				if got := outcome(tt.do(t.Context(), m, group)); got != tt.want {
					t.Errorf("%s, want %s", got, tt.want)
				}
			})
		})
	}
}
