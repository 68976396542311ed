package rest_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

const restTenants = 50

// shortTenants is the number of tenants in short test runs.
const shortTenants = 10

var anySecret = regexp.MustCompile(`secret\d\dx|tenant-\d\d`)

// resident is a tenant of the service: a user with rows of every kind.
type resident struct {
	group, secret, key string
	parameters         map[string]string // of paths
}

// foreign lists the words of other tenants in a text, except those of the request.
func (r resident) foreign(text []byte, asked ...string) []string {
	return slices.DeleteFunc(anySecret.FindAllString(string(text), -1), func(s string) bool {
		return s == r.secret || s == r.group || slices.Contains(asked, s)
	})
}

// path fills in a path of the document, for a group and with the ids of a tenant.
func (r resident) path(described, group string) string {
	path := strings.NewReplacer("{group}", group, "{user}", group).Replace(described)
	for name, value := range r.parameters {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	return path
}

// agentRows contain an agent's content: the group, its id and the secret.
var agentRows = []string{
	`INSERT INTO annals.agents (group_id, id, name, summary, last_seq) VALUES ($1, $2, 'sam', $3, 1)`,
	`INSERT INTO annals.blocks (group_id, id, label, value, char_limit) VALUES ($1, $2, 'human', 'Was ' || $3::text, 100)`,
	`UPDATE annals.blocks SET value = $3 WHERE group_id = $1 AND id = $2`,
	`INSERT INTO annals.agent_blocks (group_id, agent_id, block_id) SELECT $1, $2, $2 WHERE $3::text <> ''`,
	`INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, role, kind, content, tokens, occurred_at) VALUES ($1, $2, 1, $2, 'user', 'message', $3, 3, now())`,
	`INSERT INTO annals.agent_files (group_id, agent_id, id, name, content, lines, chunks) VALUES ($1, $2, $2, 'notes of ' || $3::text, $3, 1, 1)`,
	`INSERT INTO annals.episodes (group_id, id, source, content, thread_id, deferred)
		SELECT $1, gen_random_uuid(), 'text', 'Bob knows Carol. ' || $3::text, 'agent/' || $2::uuid || t, true FROM (VALUES (''), ('/archive')) v(t)`,
}

func (s *running) settle(i int, conn *pgx.Conn) resident {
	s.t.Helper()
	r := resident{group: fmt.Sprintf("tenant-%02d", i), secret: fmt.Sprintf("secret%02dx", i)}
	try := func(err error) {
		s.t.Helper()
		if err != nil {
			s.t.Fatal(err)
		}
	}
	ctx := s.t.Context()
	_, err := service.New(s.client).CreateUser(ctx, service.User{GroupID: r.group, FirstName: r.secret})
	try(err)
	stored, err := s.client.Add(ctx, annals.Episode{GroupID: r.group, Actor: "Alice", Content: "I live in Paris. " + r.secret, ThreadID: "thread", SourceDescription: r.secret})
	try(err)
	known := annals.Triple{
		GroupID: r.group, Source: graph.TripleEnd{Name: "Bob " + r.secret}, Predicate: "KNOWS", Target: graph.TripleEnd{Name: "Carol " + r.secret},
		Fact: "Bob knows Carol. " + r.secret,
	}
	added, err := s.client.AddTriple(ctx, known)
	try(err)
	_, err = s.client.AddTriple(ctx, known) // again, which makes an observation
	try(err)
	try(s.client.Observe(ctx, r.group))
	observed, err := s.client.Observations(ctx, annals.ObservationFilter{GroupID: r.group})
	try(err)
	if len(observed) != 1 {
		s.t.Fatalf("%s observes %d times", r.group, len(observed))
	}
	standing, err := s.client.KeepAnswer(ctx, annals.Question{Query: annals.Query{GroupID: r.group, Text: "Who is Bob " + r.secret + "?"}})
	try(err)
	_, err = s.client.CreateThread(ctx, annals.NewThread{GroupID: r.group, ID: "thread", Metadata: []byte(`{"of": "` + r.secret + `"}`)})
	if graph.CodeOf(err) != graph.CodeConflict {
		try(err)
	}
	try(service.New(s.client).SetTrustPolicy(ctx, r.group, service.TrustPolicy{Assistants: true, Threads: []string{"post of " + r.secret}}))
	_, err = s.client.AddTriple(annals.WithOrigin(ctx, annals.Origin{Door: "rest", Cap: graph.AuthorityAssistant}), annals.Triple{ // waits for a review
		GroupID: r.group, Source: graph.TripleEnd{Name: "Eve"}, Predicate: "KNOWS", Target: graph.TripleEnd{Name: "Dan"}, Fact: "Eve knows Dan. " + r.secret,
	})
	try(err)
	_, hook, err := service.New(s.client).CreateWebhook(ctx, service.WebhookSpec{GroupID: r.group, URL: "https://example.com/" + r.secret})
	try(err)
	try(s.client.SetOntology(ctx, r.group, annals.Ontology{Instructions: "Mind " + r.secret}))
	_, err = s.client.BuildCommunities(ctx, r.group)
	try(err)
	agent := uuid.Must(uuid.NewV7())
	for _, statement := range agentRows {
		_, err := conn.Exec(ctx, statement, r.group, agent, r.secret)
		try(err)
	}
	_, err = conn.Exec(ctx, `INSERT INTO annals.webhook_deliveries (group_id, id, webhook_id, event, payload, error)
		VALUES ($1, gen_random_uuid(), $2, 'episode.processed', '{}', $3)`, r.group, hook.ID, r.secret)
	try(err)
	skill := uuid.Must(uuid.NewV7())
	_, err = conn.Exec(ctx, `INSERT INTO annals.skills (group_id, id, skill_id, procedure, name, tasks, steps, pitfalls, preconditions, why, reader, worked_at, failed_at, worked, failed, valid)
		VALUES ($1, $2, $2, $2, $3, ARRAY[$3], ARRAY[$3], '{}', '{}', '', 'offline', ARRAY[now()], '{}', ARRAY[$2::uuid], '{}', tstzrange(now(), NULL))`, r.group, skill, r.secret)
	try(err)
	r.key = s.newKey(r.group)
	r.parameters = map[string]string{
		"agent": "sam", "label": "human", "entity": added.SourceID.String(), "episode": stored.ID.String(), "fact": added.FactID.String(),
		"thread": "thread", "webhook": hook.ID.String(), "observation": observed[0].ID.String(), "answer": standing.ID.String(), "skill": skill.String(),
	}
	return r
}

// Fifty tenants call every route at once: for the next tenant's group, and for their own group with
// the next tenant's ids. A test of the client does the same for the library.
func TestNoRouteReachesAnotherGroup(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	address := pgtest.New(t)
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s := serve(t, server.Options{Client: client}, rest.Options{})
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	var residents []resident
	tenants := restTenants
	if !slow.Long() {
		tenants = shortTenants
	}
	for i := range tenants {
		residents = append(residents, s.settle(i, conn))
	}
	operations := s.generator(1).operations
	tasks := errgroup.Group{}
	tasks.SetLimit(8)
	for i, own := range residents {
		tasks.Go(func() error {
			for _, o := range operations {
				own.ask(t, s.as(own.key), o, residents[(i+1)%tenants])
			}
			return nil
		})
	}
	if err := tasks.Wait(); err != nil {
		t.Fatal(err)
	}
	control(t, s, operations, residents[7])
}

// query returns the required query parameters of an operation.
func query(o operation, group, episode string) string {
	values := url.Values{}
	parameters, _ := at(o.details, "parameters").([]any)
	for _, p := range parameters {
		if value, ok := map[string]string{"query": "Bob knows Carol", "from": "2000-01-01", "since": "2000-01-01", "limit": "100", "group": group, "episode": episode}[fmt.Sprint(at(p, "name"))]; ok && at(p, "in") == "query" {
			values.Set(fmt.Sprint(at(p, "name")), value)
		}
	}
	return "?" + values.Encode()
}

// ask tries one route.
func (r resident) ask(t *testing.T, s *running, o operation, next resident) {
	body, inBody := "", ""
	if o.method != "GET" && o.method != "DELETE" {
		body = "{}"
	}
	switch o.method + strings.TrimPrefix(o.path, "/v1/groups/{group}") {
	case "POST/search", "POST/context", "POST/ask":
		body = `{"query": "Bob knows Carol"}`
	case "POST/answers":
		body = `{"query": "Whom does Bob know?"}`
	case "POST/marks":
		inBody = `{"mark": "pinned", "ids": ["` + next.parameters["fact"] + `"]}`
	case "POST/trust/release":
		inBody = `{"hold": true, "episodes": ["` + next.parameters["episode"] + `"]}`
	}
	body = cmp.Or(inBody, body)
	if strings.Contains(o.path, "{group}") || strings.Contains(o.path, "{user}") || strings.Contains(query(o, next.group, next.parameters["episode"]), next.group) {
		a := s.send(o.method, next.path(o.path, next.group)+query(o, next.group, next.parameters["episode"]), body)
		if a.status != http.StatusNotFound && a.status != http.StatusForbidden || len(r.foreign(a.body, next.group)) > 0 {
			t.Errorf("%s %s of another group: %d: %s", o.method, o.path, a.status, a.body)
		}
	}
	// The own group, with the next tenant's ids. Not for agents, whose names are the same, and not
	// for routes that would remove the tenant's own rows.
	ids := inBody != "" || strings.Count(o.path, "{") > 1 && !strings.Contains(o.path, "{agent}") && !strings.Contains(o.path, "{thread}")
	if o.method == "GET" || ids || strings.Contains(body, "query") {
		a := s.send(o.method, next.path(o.path, r.group)+query(o, r.group, next.parameters["episode"]), body)
		if found := r.foreign(a.body); len(found) > 0 || ids && a.status < 400 && !strings.HasSuffix(o.path, "/history") {
			t.Errorf("%s %s of the own group: %d: %s", o.method, o.path, a.status, a.body)
		}
	}
}

// silent lists reading routes without content of tenants: times, numbers, and calls of models, of
// which there are none here.
var silent = []string{
	"/v1/groups/{group}/audit", "/v1/groups/{group}/audit/head", "/v1/groups/{group}/audit/verification",
	"/v1/groups", "/v1/groups/{group}", "/v1/groups/{group}/episodes/{episode}/trace", "/v1/groups/{group}/retention", "/v1/groups/{group}/usage",
	"/v1/groups/{group}/rejections", // nothing is rejected here; a test of the library covers it
	"/v1/groups/{group}/marks",      // ids and times
	"/v1/groups/{group}/times", "/v1/groups/{group}/queue", "/v1/queue", "/v1/whoami",
	"/v1/groups/{group}/agents/{agent}/fill", "/v1/agents/{agent}/fill", // numbers of tokens
	"/v1/groups/{group}/learned", // nothing is read here; a test of the service covers it
}

// control checks that a key for all groups can read a tenant's word on the reading routes, and that
// each tenant still has all its rows.
func control(t *testing.T, s *running, operations []operation, r resident) {
	t.Helper()
	for _, o := range operations {
		if o.method != "GET" {
			continue
		}
		path := r.path(o.path, r.group) + query(o, r.group, r.parameters["episode"])
		a := s.send("GET", path, "")
		if tells := strings.Contains(string(a.body), r.secret); a.status != http.StatusOK || tells == slices.Contains(silent, o.path) {
			t.Errorf("GET %s tells the administrator of %s: %v (%d %s)", o.path, r.group, tells, a.status, a.body)
		}
		if a := s.as(r.key).send("GET", path, ""); len(r.foreign(a.body)) > 0 {
			t.Errorf("GET %s of its own tells: %s", o.path, a.body)
		}
	}
}
