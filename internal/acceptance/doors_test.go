package acceptance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals/internal/server/mcp"
)

// errAbsent means that a door lacks the operation.
var errAbsent = errors.New("the door has no such operation")

// message is a message with its speaker and time.
type message struct {
	group, speaker, text, day string
	role, source, thread      string
}

// door is an interface to the memory. A refusal is an error that gives the
// reason.
type door interface {
	name() string

	// say stores a message, has it read, and returns its id.
	say(t *testing.T, m message) (string, error)

	// recall returns the context for a question.
	recall(t *testing.T, group, question string) string

	// bounded returns the context with limits of hits and tokens.
	bounded(t *testing.T, group, question string, hits, tokens int) (string, error)

	withdraw(t *testing.T, group, fact string) error
	undo(t *testing.T, group, episode string) error
	erase(t *testing.T, group, episode string) error

	// state adds a fact without a message.
	state(t *testing.T, group, source, predicate, target, sentence string) error
}

var doorNames = []string{"rest", "mcp", "cli", "sql"}

func (s *store) doors(t *testing.T) map[string]door {
	t.Helper()
	return map[string]door{"rest": restDoor{s}, "mcp": &mcpDoor{store: s}, "cli": cliDoor{s}, "sql": sqlDoor{s}}
}

// restDoor is /v1.
type restDoor struct{ *store }

func (restDoor) name() string { return "rest" }

// send makes a request of the server, with a key.
func (s *store) send(t *testing.T, key, method, path string, body any) (int, []byte) {
	t.Helper()
	var sent io.Reader = http.NoBody
	switch body := body.(type) {
	case nil:
	case string:
		sent = strings.NewReader(body)
	default:
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, sent)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		if _, lines := body.(string); lines {
			request.Header.Set("Content-Type", "application/x-ndjson")
		}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, text
}

func (d restDoor) ask(t *testing.T, method, path string, body, into any) error {
	t.Helper()
	status, text := d.send(t, adminKey, method, path, body)
	if status >= 300 {
		return fmt.Errorf("%s %s: %d %s", method, path, status, text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

func (d restDoor) say(t *testing.T, m message) (string, error) {
	t.Helper()
	body := map[string]any{"content": m.text, "actor": m.speaker, "role": m.role, "thread_id": m.thread}
	if m.day != "" {
		body["occurred_at"] = m.day
	}
	if m.source != "" {
		body["source"] = m.source
	}
	var stored struct{ ID string }
	if err := d.ask(t, "POST", "/v1/groups/"+m.group+"/episodes", body, &stored); err != nil {
		return "", err
	}
	d.read(t, m.group)
	return stored.ID, nil
}

func (d restDoor) recall(t *testing.T, group, question string) string {
	t.Helper()
	text, err := d.bounded(t, group, question, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (d restDoor) bounded(t *testing.T, group, question string, hits, tokens int) (string, error) {
	t.Helper()
	var found struct{ Context string }
	err := d.ask(t, "POST", "/v1/groups/"+group+"/context", map[string]any{"query": question, "hits": hits, "tokens": tokens}, &found)
	return found.Context, err
}

func (d restDoor) withdraw(t *testing.T, group, fact string) error {
	t.Helper()
	return d.ask(t, "DELETE", "/v1/groups/"+group+"/facts/"+fact, nil, nil)
}

func (d restDoor) undo(t *testing.T, group, episode string) error {
	t.Helper()
	return d.ask(t, "DELETE", "/v1/groups/"+group+"/episodes/"+episode, nil, nil)
}

func (d restDoor) erase(t *testing.T, group, episode string) error {
	t.Helper()
	return d.ask(t, "DELETE", "/v1/groups/"+group+"/episodes/"+episode+"?erase=true", nil, nil)
}

func (d restDoor) state(t *testing.T, group, source, predicate, target, sentence string) error {
	t.Helper()
	return d.ask(t, "POST", "/v1/groups/"+group+"/facts", map[string]any{
		"source": source, "target": target, "predicate": predicate, "fact": sentence,
	}, nil)
}

// mcpDoor is /mcp, by the client of the SDK.
type mcpDoor struct {
	*store
	session *sdk.ClientSession
}

func (*mcpDoor) name() string { return "mcp" }

// keyed sends a key with every request, and has tools answer with objects.
type keyed struct {
	base http.RoundTripper
	key  string
}

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.key)
	r.Header.Set(mcp.ToolsHeader, "structured")
	return k.base.RoundTrip(r)
}

// connect opens a session for one test.
func (s *store) connect(t *testing.T, key string) *sdk.ClientSession {
	t.Helper()
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	client := sdk.NewClient(&sdk.Implementation{Name: "acceptance", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: s.url + "/mcp", HTTPClient: &http.Client{Transport: keyed{base, key}}, MaxRetries: -1,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool and reads what it says.
func call(t *testing.T, session *sdk.ClientSession, tool string, arguments map[string]any, into any) (string, error) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, content := range result.Content {
		if said, ok := content.(*sdk.TextContent); ok {
			text.WriteString(said.Text)
		}
	}
	if result.IsError {
		return "", errors.New(text.String())
	}
	if into != nil {
		structured, err := json.Marshal(result.StructuredContent)
		if err != nil {
			return "", err
		}
		return text.String(), json.Unmarshal(structured, into)
	}
	return text.String(), nil
}

func (d *mcpDoor) use(t *testing.T, tool string, arguments map[string]any, into any) (string, error) {
	t.Helper()
	if d.session == nil {
		d.session = d.connect(t, adminKey)
	}
	return call(t, d.session, tool, arguments, into)
}

func (d *mcpDoor) say(t *testing.T, m message) (string, error) {
	t.Helper()
	var stored struct{ UUID string }
	source := m.source
	if source == "" {
		source = "message"
	}
	arguments := map[string]any{"name": "said", "episode_body": m.text, "group_id": m.group, "source": source, "actor": m.speaker, "saga": m.thread}
	if m.day != "" {
		arguments["reference_time"] = m.day
	}
	if _, err := d.use(t, "add_memory", arguments, &stored); err != nil {
		return "", err
	}
	d.read(t, m.group)
	return stored.UUID, nil
}

func (d *mcpDoor) recall(t *testing.T, group, question string) string {
	t.Helper()
	text, err := d.bounded(t, group, question, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (d *mcpDoor) bounded(t *testing.T, group, question string, hits, tokens int) (string, error) {
	t.Helper()
	return d.use(t, "get_context", map[string]any{"query": question, "group_ids": []string{group}, "max_hits": hits, "max_tokens": tokens}, nil)
}

func (d *mcpDoor) withdraw(t *testing.T, group, fact string) error {
	t.Helper()
	_, err := d.use(t, "delete_entity_edge", map[string]any{"uuid": fact, "group_id": group}, nil)
	return err
}

func (d *mcpDoor) undo(t *testing.T, group, episode string) error {
	t.Helper()
	_, err := d.use(t, "delete_episode", map[string]any{"uuid": episode, "group_id": group}, nil)
	return err
}

func (*mcpDoor) erase(*testing.T, string, string) error { return errAbsent }

func (d *mcpDoor) state(t *testing.T, group, source, predicate, target, sentence string) error {
	t.Helper()
	_, err := d.use(t, "add_triplet", map[string]any{
		"source_node_name": source, "edge_name": predicate, "target_node_name": target, "fact": sentence, "group_id": group,
	}, nil)
	return err
}

// cliDoor is the command.
type cliDoor struct{ *store }

func (cliDoor) name() string { return "cli" }

func (d cliDoor) try(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	out, failure, ok := d.run(t.Context(), stdin, args...)
	if !ok {
		return out, fmt.Errorf("annals %q: %s", args, failure)
	}
	return out, nil
}

func (d cliDoor) say(t *testing.T, m message) (string, error) {
	t.Helper()
	line := map[string]any{"content": m.text, "actor": m.speaker, "role": m.role, "thread_id": m.thread}
	if m.day != "" {
		line["occurred_at"] = m.day
	} else {
		line["occurred_at"] = time.Now().UTC().Format(time.RFC3339Nano)
	}
	if m.source != "" {
		line["source"] = m.source
	}
	text, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.try(t, string(text), "add", "--group", m.group, "--json", "--format", "jsonl")
	if err != nil {
		return "", err
	}
	var stored struct{ Episodes []struct{ ID string } }
	if err := json.Unmarshal([]byte(out), &stored); err != nil || len(stored.Episodes) != 1 {
		return "", fmt.Errorf("annals add printed %s (%w)", out, err)
	}
	return stored.Episodes[0].ID, nil
}

func (d cliDoor) recall(t *testing.T, group, question string) string {
	t.Helper()
	return d.must(t, "context", "--group", group, question)
}

func (d cliDoor) bounded(t *testing.T, group, question string, hits, tokens int) (string, error) {
	t.Helper()
	return d.try(t, "", "context", "--group", group, fmt.Sprint("--hits=", hits), fmt.Sprint("--tokens=", tokens), question)
}

func (d cliDoor) withdraw(t *testing.T, group, fact string) error {
	t.Helper()
	_, err := d.try(t, "", "facts", "withdraw", "--group", group, fact)
	return err
}

func (d cliDoor) undo(t *testing.T, group, episode string) error {
	t.Helper()
	_, err := d.try(t, "", "undo", "--group", group, episode)
	return err
}

func (d cliDoor) erase(t *testing.T, group, episode string) error {
	t.Helper()
	_, err := d.try(t, "", "erase", "--group", group, "--episode", episode, "--yes")
	return err
}

func (d cliDoor) state(t *testing.T, group, source, predicate, target, sentence string) error {
	t.Helper()
	_, err := d.try(t, "", "triple", "--group", group, source, predicate, target, "--fact", sentence)
	return err
}

// sqlDoor is psql.
type sqlDoor struct{ *store }

func (sqlDoor) name() string { return "sql" }

func (d sqlDoor) say(t *testing.T, m message) (string, error) {
	t.Helper()
	var id string
	source := m.source
	if source == "" {
		source = "message"
	}
	err := d.pool.QueryRow(t.Context(),
		`SELECT annals.add_episode($1, $2, coalesce($3::timestamptz, now()), $4, $5, $6, $7)::text`,
		m.group, m.text, none(m.day), source, m.speaker, m.role, m.thread).Scan(&id)
	if err != nil {
		return "", err
	}
	d.read(t, m.group)
	return id, nil
}

func none(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (d sqlDoor) recall(t *testing.T, group, question string) string {
	t.Helper()
	text, err := d.bounded(t, group, question, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (d sqlDoor) bounded(t *testing.T, group, question string, hits, tokens int) (string, error) {
	t.Helper()
	if tokens > 0 {
		return "", errAbsent
	}
	var text string
	if hits == 0 {
		err := d.pool.QueryRow(t.Context(), `SELECT annals.context($1, $2)`, group, question).Scan(&text)
		return text, err
	}
	err := d.pool.QueryRow(t.Context(), `SELECT annals.context($1, $2, kinds => '{fact}', max_rows => $3)`, group, question, hits).Scan(&text)
	return text, err
}

func (d sqlDoor) withdraw(t *testing.T, group, fact string) error {
	t.Helper()
	return errAbsent
}

func (sqlDoor) undo(*testing.T, string, string) error  { return errAbsent }
func (sqlDoor) erase(*testing.T, string, string) error { return errAbsent }

func (d sqlDoor) state(t *testing.T, group, source, predicate, target, sentence string) error {
	t.Helper()
	_, err := d.pool.Exec(t.Context(), `WITH ends AS (
			INSERT INTO annals.entities (group_id, id, name) SELECT $1, gen_random_uuid(), n.name FROM unnest(ARRAY[$2, $4]) AS n(name)
			WHERE NOT EXISTS (SELECT FROM annals.entities e WHERE e.group_id = $1 AND e.name = n.name) RETURNING id, name
		), known AS (SELECT id, name FROM ends UNION ALL SELECT id, name FROM annals.entities WHERE group_id = $1 AND name IN ($2, $4))
		INSERT INTO annals.facts (group_id, id, source_id, target_id, predicate, fact, valid, statement_id)
		SELECT $1, gen_random_uuid(), s.id, o.id, $3, $5, tstzrange('1990-01-01', NULL), gen_random_uuid() FROM known s, known o WHERE s.name = $2 AND o.name = $4`,
		group, source, predicate, target, sentence)
	return err
}
