package doors_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server/graphiti"
	"github.com/annalsdb/annals/internal/server/otlp"
	zepproject "github.com/annalsdb/annals/internal/server/zep/project"
	v3 "github.com/annalsdb/annals/internal/server/zep/v3"
	v4 "github.com/annalsdb/annals/internal/server/zep/v4"
	rights "github.com/annalsdb/annals/internal/service"
)

// changing lists every operation that changes something, by its line in docs/security.md:
// operations of REST, commands, tools of MCP, and routes of Zep's clients and Graphiti's by method
// and path. All others only read. Add new ones here.
var changing = map[string][]string{
	"words": {
		"add-episodes", "add-messages", "add-triple", "retry-episodes", "import-group", "add-run", "annals skills record", "annals skills import", "record_run", "annals add", "annals triple", "annals retry", "annals demo", "add_memory", "add_triplet",
		"POST /graph", "POST /graph-batch", "POST /graph/add-fact-triple", "POST /graph/nodes", "POST /graph/clone", "POST /threads", "POST /threads/{thread}/messages",
		"POST /threads/{thread}/messages-batch", "POST /batches", "POST /batches/{batch}/items", "POST /batches/{batch}/process",
		"POST /graphs/{graph}/nodes", "POST /graphs/{graph}/edges", "POST /graphs/{graph}/episodes", "POST /graphs/{graph}/clone", "POST /graphs/{graph}/hyperedges",
		"POST /graphs/{graph}/hyperedges/{hyperedge}/edges", "POST /messages", "POST /entity-node",
		"POST /v1/groups/{group}/otlp/v1/traces", "POST /agents/{agent}/traces", "POST /agents/{agent}/traces/{trace}/events", "POST /agents/{agent}/traces/{trace}/close",
	},
	"corrections": {
		"edit-fact", "withdraw-fact", "restore-fact", "rename-entity", "merge-entity", "split-entity", "undo-episode", "take-back",
		"annals facts edit", "annals facts end", "annals facts withdraw", "annals facts restore", "annals entities merge", "annals entities rename", "annals entities split",
		"annals undo", "delete_entity_edge", "delete_episode", "clear_graph",
		"PATCH /graph/node/{node}", "DELETE /graph/node/{node}", "PATCH /graph/edge/{edge}", "DELETE /graph/edge/{edge}", "PATCH /graph/episodes/{episode}", "DELETE /graph/episodes/{episode}",
		"DELETE /threads/{thread}", "PATCH /threads/{thread}/messages/{message}", "PATCH /messages/{message}", "DELETE /batches/{batch}", "DELETE /agents/{agent}/traces/{trace}",
		"PATCH /graphs/{graph}/nodes/{node}", "DELETE /graphs/{graph}/nodes/{node}", "PATCH /graphs/{graph}/edges/{edge}", "DELETE /graphs/{graph}/edges/{edge}",
		"PATCH /graphs/{graph}/episodes/{episode}", "DELETE /graphs/{graph}/episodes/{episode}", "PATCH /graphs/{graph}/hyperedges/{hyperedge}",
		"DELETE /graphs/{graph}/hyperedges/{hyperedge}", "DELETE /graphs/{graph}/hyperedges/{hyperedge}/edges/{edge}", "DELETE /entity-edge/{uuid}", "DELETE /episode/{uuid}",
	},
	"marks": {"mark", "annals mark", "mark_memory"},
	"trust": {
		"confirm-fact", "unconfirm-fact", "release-episodes", "decide-review", "annals facts confirm", "annals trust release",
		"annals review approve", "annals review edit", "annals review leave", "annals review reject",
		"decide-skill", "annals skills approve", "annals skills leave", "annals skills reject", "POST /agents/{agent}/skills/{skill}/approve", "POST /agents/{agent}/skills/{skill}/retire",
	},
	"policy":    {"set-trust", "annals trust set"},
	"retention": {"set-retention", "apply-retention", "annals retention set", "annals retention apply"},
	"reading": {
		"set-ontology", "annals ontology set", "PUT /entity-types", "POST /custom-instructions", "DELETE /custom-instructions", "POST /user-summary-instructions", "DELETE /user-summary-instructions",
		"PUT /graphs/{graph}/ontology", "PUT /graphs/{graph}/instructions", "PUT /project/ontology", "PUT /project/instructions", "PUT /project/user-summary-instructions",
		"PUT /users/{user}/summary-instructions",
	},
	"template": {"POST /context-templates", "PUT /context-templates/{template}", "DELETE /context-templates/{template}"},
	"names": {
		"create-group", "update-group", "create-user", "update-user", "annals groups create", "POST /graph/create", "POST /graphs", "POST /users", "POST /agents",
		"PATCH /graph/{graph}", "PATCH /graphs/{graph}", "PATCH /users/{user}", "PATCH /projects/info", "PATCH /project",
	},
	"answer":  {"keep-answer", "drop-answer", "annals answers drop", "annals answers refresh", "annals ask", "keep_answer", "drop_answer"},
	"webhook": {"create-webhook", "update-webhook", "delete-webhook"},
	"agent": {
		"create-agent", "configure-agent", "delete-agent", "import-agent", "resume-agent", "stream-agent", "tell-agent", "keep-passage", "attach-document", "detach-document",
		"edit-block", "redo-block", "undo-block", "annals agent attach", "annals agent chat", "annals agent create", "annals agent delete", "annals agent import", "annals agent run",
	},
	"derived": {
		"build-communities", "build-observations", "summarise-thread", "annals communities build", "annals observations build", "annals threads summarise",
		"annals rebuild", "annals reembed", "build_communities", "summarize_saga",
	},
	"erasing": {"erase-group", "erase-user", "erase-entity", "annals erase", "DELETE /graph/{graph}", "DELETE /graphs/{graph}", "DELETE /agents/{agent}", "DELETE /users/{user}", "DELETE /group/{group}", "POST /clear"},
	"force":   {}, // a field of operations that add
	"operator": {
		"annals import", "annals keys create", "annals keys revoke", "annals keys rotate", "annals migrate", "annals migrate down", "annals migrate up", "annals distribute",
		"annals models pull", "annals mcp install", "annals up", "annals down", "annals serve", "annals worker", "annals mcp", "annals explore", "annals doctor", "annals verify",
	},
}

// readingOnly lists the commands that change nothing in a memory.
var readingOnly = strings.Fields(`answers answers.history answers.show communities context entities episodes episodes.show facts facts.rejected groups observations
	observations.history skills skills.diff skills.export skills.history skills.show review review.added search threads diff history timeline erasures mark.list retention trust agent agent.blocks agent.export agent.list keys keys.list audit audit.export audit.head
	audit.verify export migrate.grants migrate.sql migrate.status models models.list ontology prompts prompts.show usage bench bench.ingest bench.search bench.serve eval eval.all eval.datetime eval.dmr
	eval.entity eval.locomo eval.locomo.convert eval.longmemeval eval.reading eval.truth completion completion.bash completion.fish completion.powershell completion.zsh version`)

// Every operation of every interface that changes something is in the table of docs/security.md,
// which says what the database guards.
func TestWhoMaySetWhat(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	s := serveWith(t, annals.Config{DatabaseURL: url})
	rows := settingsTable(t)
	line := map[string]string{}
	for row, ops := range changing {
		if rows[row] == nil {
			t.Errorf("docs/security.md has no line %s", row)
		}
		for _, op := range ops {
			line[op] = row
		}
	}
	for row := range rows {
		if changing[row] == nil {
			t.Errorf("nothing is known of the line %s of docs/security.md", row)
		}
	}
	for _, op := range slices.Concat(operations(t, s), commands(t), zepRoutes(), writing(graphiti.Routes()), writing(otlp.Routes())) {
		if line[op] == "" {
			t.Errorf("nobody says who may %s", op)
		}
		delete(line, op)
	}
	for op := range line {
		if !strings.Contains(op, "_") { // tools: see TestAKeyThatMayOnlyReadWritesNothing in mcp
			t.Errorf("there is no %s", op)
		}
	}
	conn := clienttest.Dial(t, url)
	guards, err := conn.Query(t.Context(), `SELECT DISTINCT split_part(encode(tgargs, 'escape'), '\000', 1), split_part(encode(tgargs, 'escape'), '\000', 2), split_part(encode(tgargs, 'escape'), '\000', 3)
		FROM pg_trigger WHERE tgfoid = 'annals_internal.guard_setting'::regproc`)
	if err != nil {
		t.Fatal(err)
	}
	defer guards.Close()
	stands := map[string]string{"settings assistant": "names", "settings user": "reading", "instructions user": "reading", "user assistant": "names", "block assistant": "agent"}
	for guards.Next() {
		var what, least, right string
		if err := guards.Scan(&what, &least, &right); err != nil {
			t.Fatal(err)
		}
		name := what
		if other, ok := stands[what+" "+least]; ok {
			name = other
		}
		if row := rows[name]; row == nil || row[1] != least || (row[2] == "erase") != (right == "erase") {
			t.Errorf("the database guards %s: at least %s, with the right %q; docs/security.md says %q of %s", what, least, right, row, name)
		}
	}
}

// settingsTable returns the table of docs/security.md by its first column.
func settingsTable(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "<!-- settings -->")
	table, _, found := strings.Cut(rest, "<!-- /settings -->")
	if !found {
		t.Fatal("docs/security.md has no table of settings")
	}
	rows := map[string][]string{}
	for text := range strings.Lines(table) {
		if cells := strings.Split(strings.Trim(text, "| \n"), " | "); strings.HasPrefix(cells[0], "`") && len(cells) >= 3 {
			rows[strings.Trim(cells[0], "`")] = cells
		}
	}
	return rows
}

// operations lists the operations of REST that change something.
func operations(t *testing.T, s *service) []string {
	t.Helper()
	response, err := http.Get(s.url + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	reads := strings.Fields("search get-context ask explain-search")
	var ops []string
	for _, methods := range document.Paths {
		for method, op := range methods {
			id := strings.TrimPrefix(op.OperationID, "key-")
			if method != "get" && !slices.Contains(reads, id) && !slices.Contains(ops, id) {
				ops = append(ops, id)
			}
		}
	}
	return ops
}

// commands lists the commands in docs/cli.md that change something.
func commands(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "<!-- commands -->")
	page, _, _ := strings.Cut(rest, "<!-- /commands -->")
	var list []string
	for _, m := range regexp.MustCompile(`(?m)^##+ ([a-z ]+)$`).FindAllStringSubmatch(page, -1) {
		if !slices.Contains(readingOnly, strings.ReplaceAll(m[1], " ", ".")) {
			list = append(list, "annals "+m[1])
		}
	}
	return list
}

// zepRoutes lists the routes of Zep's clients that change something.
func zepRoutes() []string {
	reads := regexp.MustCompile(`^GET |^POST .*(/list|/lookup|/search.*|/subgraph|/neighbors|/context|/query|/warm|/compare)$|^POST /graph/(edge|episodes|node|thread-summary)/`)
	var list []string
	for _, routes := range []zepproject.Routes{v3.Routes(), v4.Routes()} {
		for route := range maps.Keys(routes) {
			if !reads.MatchString(route) && !slices.Contains(list, route) {
				list = append(list, route)
			}
		}
	}
	return list
}

// writing lists the routes that change something.
func writing(routes map[string]rights.Rights) (list []string) {
	for route, needs := range routes {
		if needs != rights.RightsRead {
			list = append(list, route)
		}
	}
	return list
}
