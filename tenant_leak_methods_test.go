package annals_test

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// clientCall is a method of Client or of service.Service, called for a group.
type clientCall struct {
	read bool // the result has words of the group
	call func(ctx context.Context, c *annals.Client, group string) (any, error)
}

// clientCalls returns every method of both types that takes a group.
func (l *leak) clientCalls() map[string]clientCall {
	episode := func(group string) annals.Episode {
		return annals.Episode{GroupID: group, Content: "Bob met Carol.", Actor: "Alice"}
	}
	hook := func(group string) service.WebhookSpec {
		return service.WebhookSpec{GroupID: group, URL: "https://example.com/hook"}
	}
	calls := map[string]clientCall{
		"Annotate": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			rows := service.Rows{Facts: []annals.Fact{{ID: l.fact}}, Entities: []annals.Entity{{ID: l.entity}}, Episodes: []annals.Episode{{ID: l.said[0]}}}
			return service.New(c).Annotate(ctx, annals.Query{GroupID: g, Changes: true}, rows)
		}},
		"User": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) { return service.New(c).User(ctx, g) }},
		"UpdateUser": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).UpdateUser(ctx, g, service.UserChange{})
		}},
		"UpdateTemplate": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).UpdateTemplate(ctx, g, service.Template{ID: "new", Template: "newer"})
		}},
		"UpdateGroup": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.UpdateGroup(ctx, g, annals.GroupChange{})
		}},
		"Templates": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Templates(ctx, g)
		}},
		"Template": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Template(ctx, g, "template")
		}},
		"SetMetadata": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, c.SetMetadata(ctx, g, l.episode, json.RawMessage(`{"checked": true}`))
		}},
		"Progress": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Progress(ctx, g, l.episode, l.said[2])
		}},
		"ThreadMessages": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).ThreadMessages(ctx, g, "thread", 0, 10)
		}},
		"ThreadMessageCount": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).ThreadMessageCount(ctx, g, "thread")
		}},
		"Bringers": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Bringers(ctx, g, 10)
		}},
		"DocumentParts": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).DocumentParts(ctx, g, "thread", 0, 10)
		}},
		"EntitiesMentioned": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).EntitiesMentioned(ctx, g, l.episode)
		}},
		"EpisodesMentioning": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).EpisodesMentioning(ctx, g, []uuid.UUID{l.entity}, 10)
		}},
		"ListFacts": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).ListFacts(ctx, service.List{GroupID: g})
		}},
		"ListEpisodes": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).ListEpisodes(ctx, service.List{GroupID: g})
		}},
		"ListStatements": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).ListStatements(ctx, service.List{GroupID: g})
		}},
		"ListEntities": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).ListEntities(ctx, service.List{GroupID: g, OrderBy: "degree"})
		}},
		"Fact": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Fact(ctx, g, l.fact) }},
		"FactsByID": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).FactsByID(ctx, g, []uuid.UUID{l.fact})
		}},
		"EpisodesByID": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).EpisodesByID(ctx, g, []uuid.UUID{l.episode})
		}},
		"EntitiesByID": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).EntitiesByID(ctx, g, []uuid.UUID{l.entity})
		}},
		"EditEntity": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.EditEntity(ctx, g, l.entity, annals.EntityEdit{Attributes: json.RawMessage(`{"checked": true}`)})
		}},
		"UndoThread": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.UndoThread(ctx, g, "new", true)
		}},
		"DeleteTemplate": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, service.New(c).DeleteTemplate(ctx, g, "new")
		}},
		"DeleteEntity": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, c.DeleteEntity(ctx, g, uuid.New())
		}},
		"CreateUser": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).CreateUser(ctx, service.User{GroupID: g})
		}},
		"CreateThread": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.CreateThread(ctx, annals.NewThread{GroupID: g, ID: "new"})
		}},
		"CreateTemplate": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).CreateTemplate(ctx, g, service.Template{ID: "new", Template: "new"})
		}},
		"AddEntities": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.AddEntities(ctx, g, []annals.Entity{{Name: "Eve"}})
		}},
		"Add": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Add(ctx, episode(g)) }},
		"CreateWebhook": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			_, made, err := service.New(c).CreateWebhook(ctx, hook(g))
			return made, err
		}},
		"DeleteWebhook": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			_, made, err := service.New(c).CreateWebhook(ctx, hook(g))
			if err != nil {
				return nil, err
			}
			return nil, service.New(c).DeleteWebhook(ctx, g, made.ID)
		}},
		"Deliveries": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			_, made, err := service.New(c).CreateWebhook(ctx, hook(g))
			if err != nil {
				return nil, err
			}
			return service.New(c).Deliveries(ctx, g, made.ID, 0)
		}},
		"CompleteUpload": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, service.New(c).CompleteUpload(ctx, g, service.Upload{ID: uuid.Must(uuid.NewV7()), Episodes: 1})
		}},
		"UpdateWebhook": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			_, made, err := service.New(c).CreateWebhook(ctx, hook(g))
			if err != nil {
				return nil, err
			}
			return service.New(c).UpdateWebhook(ctx, made.ID, hook(g))
		}},
		"Webhook": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			_, made, err := service.New(c).CreateWebhook(ctx, hook(g))
			if err != nil {
				return nil, err
			}
			return service.New(c).Webhook(ctx, g, made.ID)
		}},
		"Webhooks": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Webhooks(ctx, g)
		}},
		"AddAll": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.AddAll(ctx, []annals.Episode{episode(g)})
		}},
		"AddTriple": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.AddTriple(ctx, annals.Triple{GroupID: g, Source: graph.TripleEnd{Name: "Eve"}, Predicate: "KNOWS", Target: graph.TripleEnd{Name: "Frank"}})
		}},
		"AddAllTx": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			tx, err := l.owner.Begin(ctx)
			l.try(err)
			defer func() { _ = tx.Rollback(ctx) }()
			stored, err := service.New(c).AddAllTx(ctx, tx, []annals.Episode{episode(g)})
			if err == nil {
				err = tx.Commit(ctx)
			}
			return stored, err
		}},
		"SaveReplyTx": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, c.InGroup(ctx, g, func(tx pgx.Tx) error {
				return service.New(c).SaveReplyTx(ctx, tx, service.Request{GroupID: g, Caller: "leak", Key: "leak"}, service.Reply{Status: 200})
			})
		}},
		"Erasures": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Erasures(ctx, g, 0)
		}},
		"AddTx": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			tx, err := l.owner.Begin(ctx)
			l.try(err)
			defer func() { _ = tx.Rollback(ctx) }()
			stored, err := c.AddTx(ctx, tx, episode(g))
			if err == nil {
				err = tx.Commit(ctx)
			}
			return stored, err
		}},
		"RunExclusively": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.RunExclusively(ctx, g, "leak", func(keep func() error) error { return keep() })
		}},
		"ApplyRetention": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.ApplyRetention(ctx, g, true)
		}},
		"BuildCommunities": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.BuildCommunities(ctx, g) }},
		"ClaimKey": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).ClaimKey(ctx, service.Request{GroupID: g, Caller: "leak", Key: "leak"})
		}},
		"Communities": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Communities(ctx, annals.CommunityFilter{GroupID: g, Limit: 100})
		}},
		"Context": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Context(ctx, leakQuery(g))
		}},
		"ContextAs": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.ContextAs(ctx, leakQuery(g), annals.Construction{Citations: true})
		}},
		"CreateGroup": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.CreateGroup(ctx, annals.Group{ID: g})
		}},
		"Undo": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Undo(ctx, g, l.said[0])
		}},
		"UndoAll": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.UndoAll(ctx, annals.Undoing{GroupID: g, EpisodeIDs: l.said[1:2], AnyReader: true})
		}},
		"Diff": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Diff(ctx, annals.DiffFilter{GroupID: g, From: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
		}},
		"Embed": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Embed(ctx, g, nil)
		}},
		"Entities": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Entities(ctx, annals.EntityFilter{GroupID: g, Limit: 100})
		}},
		"Entity": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Entity(ctx, g, l.entity.String())
		}},
		"EntityAt": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.EntityAt(ctx, g, l.entity.String(), time.Now())
		}},
		"EntityHistory": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.EntityHistory(ctx, g, l.entity)
		}},
		"Episode": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Episode(ctx, g, l.episode)
		}},
		"EpisodeCounts": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.EpisodeCounts(ctx, g) }},
		"Episodes": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Episodes(ctx, annals.EpisodeFilter{GroupID: g})
		}},
		"Erase": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Erase(ctx, annals.Erasure{GroupID: g, EpisodeIDs: l.said[2:], AnyReader: true})
		}},
		"Export": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			var archive strings.Builder
			_, err := c.Export(ctx, g, &archive, annals.ExportOptions{Vectors: true})
			return archive.String(), err
		}},
		"Facts": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Facts(ctx, annals.FactFilter{GroupID: g})
		}},
		"ForTenant": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			other, err := c.ForTenant(ctx, g)
			if err != nil {
				return nil, err
			}
			return other.Tenant(), nil
		}},
		"EditFact": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.EditFact(ctx, g, l.fact, annals.FactEdit{Attributes: json.RawMessage(`{"checked": true}`)})
		}},
		"EditFacts": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.EditFacts(ctx, g, []uuid.UUID{l.fact}, annals.FactEdit{Attributes: json.RawMessage(`{"checked": true}`)})
		}},
		"Clear": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, service.New(c).Clear(ctx, g)
		}},
		"ReleaseKey": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, service.New(c).ReleaseKey(ctx, service.Request{GroupID: g, Caller: "leak", Key: "leak"})
		}},
		"Group": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Group(ctx, g) }},
		"Groups": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Groups(ctx, annals.GroupFilter{Among: []string{g}})
		}},
		"History": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.History(ctx, g, l.fact) }},
		"Import": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Import(ctx, strings.NewReader(l.archive), annals.ImportOptions{GroupID: g})
		}},
		"InGroup": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			var rows []db.FactRow
			err := c.InGroup(ctx, g, func(tx pgx.Tx) error {
				var err error
				rows, err = db.New(tx).FactList(ctx, db.FactListParams{GroupID: g, MaxRows: 100})
				return err
			})
			return rows, err
		}},
		"InSnapshot": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			var rows []db.FactRow
			err := c.InSnapshot(ctx, g, func(tx pgx.Tx) error {
				var err error
				rows, err = db.New(tx).FactList(ctx, db.FactListParams{GroupID: g, MaxRows: 100})
				return err
			})
			return rows, err
		}},
		"SaveReply": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, service.New(c).SaveReply(ctx, service.Request{GroupID: g, Caller: "leak", Key: "leak"}, service.Reply{Status: 200})
		}},
		"MergeEntities": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.MergeEntities(ctx, g, l.other, l.entity)
		}},
		"Ontology": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Ontology(ctx, g) }},
		"Process":  {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return nil, c.Process(ctx, g, nil) }},
		"RenameEntity": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.RenameEntity(ctx, g, l.entity, "Robert")
		}},
		"ReplaceOntology": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, c.ReplaceOntology(ctx, g, annals.Ontology{}, annals.Ontology{Instructions: "Heed."})
		}},
		"Retention": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Retention(ctx, g) }},
		"Retry":     {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Retry(ctx, g) }},
		"Search":    {true, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Search(ctx, leakQuery(g)) }},
		"SetOntology": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, c.SetOntology(ctx, g, annals.Ontology{Instructions: "Mind."})
		}},
		"SetRetention": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, c.SetRetention(ctx, g, annals.Retention{MaxEpisodes: 1000})
		}},
		"SplitEntity": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.SplitEntity(ctx, g, l.entity, "Half", []uuid.UUID{l.fact})
		}},
		"SummariseThread": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.SummariseThread(ctx, g, "thread")
		}},
		"Thread": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Thread(ctx, g, "thread") }},
		"Threads": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Threads(ctx, annals.ThreadFilter{GroupID: g, Limit: 100})
		}},
		"Timeline": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Timeline(ctx, annals.TimelineFilter{GroupID: g, Limit: 100})
		}},
		"Trace": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Trace(ctx, g, l.episode) }},
		"Usage": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return c.Usage(ctx, g) }},
		"RestoreFact": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.RestoreFact(ctx, g, l.fact)
		}},
		"TakeSpans": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			run := service.NewSpan("7", "1", "")
			run.Root, run.Of, run.Task = true, service.SpanOfRun, "Find Bob"
			return service.New(c).TakeSpans(ctx, g, []service.Span{run, service.NewSpan("8", "2", "1")})
		}},
		"EraseAgain": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).EraseAgain(ctx, g, annals.Certificate{Scope: "episode"})
		}},
		"EditEach": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).EditEach(ctx, g, []service.FactChange{{ID: l.fact, Edit: annals.FactEdit{Attributes: json.RawMessage(`{"checked": true}`)}}})
		}},
		"WithdrawFacts": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, service.New(c).WithdrawFacts(ctx, g, []uuid.UUID{l.fact})
		}},
		"WithdrawFact": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, c.WithdrawFact(ctx, g, l.fact)
		}},
		"Vectors": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Vectors(ctx, g)
		}},
	}
	maps.Copy(calls, l.exploringCalls())
	maps.Copy(calls, l.beliefCalls())
	return calls
}

// leakQuery returns a query for what another group knows.
func leakQuery(group string) annals.Query {
	return annals.Query{GroupID: group, Text: "Bob Carol knows Acme Lisbon secret07x secret08x", Limit: 50}
}

// inOrder sorts the methods: first those that only read, and last Clear, which leaves nothing for
// the others.
func inOrder(calls map[string]clientCall) []string {
	place := func(name string) int {
		switch {
		case calls[name].read:
			return 0
		case name == "Clear":
			return 2
		}
		return 1
	}
	return slices.SortedFunc(maps.Keys(calls), func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b))
	})
}

// groupless are the methods without a group that return nothing of any. Reembed, which changes the
// vectors of all groups, is tested by reembedding.
var groupless = []string{"Analyst", "Close", "Embedder", "HasReplica", "LLMs", "LSN", "Reembed", "Replica", "Server", "Tenant"}

func TestEveryMethodIsInTheLeakSuite(t *testing.T) {
	t.Parallel()
	calls := (&leak{T: t}).clientCalls()
	for _, of := range []reflect.Type{reflect.TypeFor[*annals.Client](), reflect.TypeFor[*service.Service]()} {
		for i := range of.NumMethod() {
			name := of.Method(i).Name
			if _, ok := calls[name]; !ok && aboutAll[name] == nil && !slices.Contains(append(ownOnly, groupless...), name) {
				t.Errorf("%s.%s is not in the leak suite: add it to clientCalls", of, name)
			}
		}
	}
}
