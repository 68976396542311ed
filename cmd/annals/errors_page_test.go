package main

import (
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/migrations"
)

// docs/errors.md has every error code of every interface.
func TestErrorsPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "errors.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- errors -->\n", "<!-- /errors -->\n"
	before, rest, begun := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Fatalf("%s has no part <!-- errors --> … <!-- /errors -->", path)
	}
	page := before + begin + problemsTable(t) + exitsTable() + statesTable(t) + protocolTable(t) + end + after
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if page != string(text) {
		t.Errorf("%s is stale; write it anew with go test ./cmd/annals -run TestErrorsPage -update", path)
	}
}

// sourcesOf calls see with every source below a folder, except tests.
func sourcesOf(t *testing.T, folder string, see func(source string)) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		see(string(source))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	pythonKind = regexp.MustCompile(`(?m)^ +(\d{3}): (\w+),$`)
	zepCode    = regexp.MustCompile(`http\.Status(\w+): +"(\w+)",`)
	answered   = regexp.MustCompile(`(?:NewProblem|WriteProblem|WriteHeader)\((?:w, )?http\.Status(\w+)`)
)

// problemsTable returns the table of codes that Go, REST, MCP and the interfaces of other memories
// share. The class is that of the clients for Python and TypeScript, which agree.
func problemsTable(t *testing.T) string {
	t.Helper()
	classes := map[string]string{}
	for _, file := range []string{"python/src/annalsdb/errors.py", "typescript/src/errors.ts"} {
		source, err := os.ReadFile(filepath.Join("..", "..", "clients", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range pythonKind.FindAllStringSubmatch(string(source), -1) {
			if before := classes[found[1]]; before != "" && before != found[2] {
				t.Errorf("%s is %s in Python and %s in TypeScript", found[1], before, found[2])
			}
			classes[found[1]] = found[2]
		}
	}
	zep := map[string]string{}
	sourcesOf(t, filepath.Join("..", "..", "internal", "server", "zep", "v4"), func(source string) {
		for _, found := range zepCode.FindAllStringSubmatch(source, -1) {
			zep[found[1]] = found[2]
		}
	})
	var page strings.Builder
	page.WriteString("\n## Codes\n\nREST gives `code` with the HTTP status, Go `annals.CodeOf(err)`; Python and TypeScript raise a class.\n" +
		"MCP gives the text as the result of the tool, with `isError`. At the doors of Zep and Graphiti the status is the same, but for Zep's 400 for `invalid` and `conflict`;\n" +
		"version 4 of Zep has codes of its own.\n\n" +
		"| status | `code` | class | Zep 4 | what it means | what to do |\n|---|---|---|---|---|---|\n")
	statuses, inGo := map[string]bool{}, map[annals.Code]bool{}
	for _, k := range server.Kinds() {
		class := classes[strconv.Itoa(k.Status)]
		switch {
		case class == "" && k.Status >= 500:
			class = "ServiceFailed"
		case class == "":
			class = "AnnalsError"
		}
		name := strings.NewReplacer(" ", "", "-", "").Replace(http.StatusText(k.Status))
		zepHas := zep[name]
		switch {
		case zepHas == "" && k.Status >= 500:
			zepHas = "internal_error"
		case zepHas == "":
			zepHas = "invalid_request"
		}
		fmt.Fprintf(&page, "| %d | `%s` | `%s` | `%s` | %s | %s |\n", k.Status, k.Code, class, zepHas, k.Means, k.Do)
		statuses[name], inGo[annals.Code(k.Code)] = true, true
	}
	sourcesOf(t, filepath.Join("..", "..", "internal", "server"), func(source string) {
		for _, found := range answered.FindAllStringSubmatch(source, -1) {
			if name := found[1]; !statuses[name] && !slices.Contains([]string{"OK", "NoContent", "Accepted", "Created", "NotModified", "SeeOther"}, name) {
				t.Errorf("http.Status%s is answered somewhere, and is no kind of internal/server/codes.go", name)
			}
		}
	})
	for _, code := range []annals.Code{annals.CodeInvalid, annals.CodeNotFound, annals.CodeConflict, annals.CodeForbidden, annals.CodeUnavailable, annals.CodeInternal} {
		if !inGo[code] {
			t.Errorf("the code %s of the library is no kind of internal/server/codes.go", code)
		}
	}
	return page.String()
}

func exitsTable() string {
	return fmt.Sprintf("\n## The command\n\n`annals` prints one line to standard error.\n\n| exit status | what it means | what to do |\n|---|---|---|\n"+
		"| %d | It was done. | |\n"+
		"| %d | It was begun and failed, in part or as a whole; what was stored is kept. | Do what the line says, and run it again. |\n"+
		"| %d | It was not begun: a command, a flag or a variable is wrong. | See `annals COMMAND --help`. |\n", exitOK, exitFailed, exitUsage)
}

// sqlStates explains each SQLSTATE that our functions and triggers raise.
var sqlStates = map[string][3]string{
	"AN001":                            {"AN001", "It repeats what was erased.", "Leave it out. `SET LOCAL annals.take_back = 'on'` in the same transaction takes it in: [erase.md](erase.md)."},
	"AN002":                            {"AN002", "The fact was withdrawn before.", "`annals facts restore` readmits it."},
	"AN003":                            {"AN003", "The authority or the rights of who writes do not allow it.", "Use a way in or a key with more authority or rights."},
	"AN004":                            {"AN004", "The vector is by another embedder than that of the database.", "Set `ANNALS_EMBEDDER` to that one, or run `annals reembed`."},
	"invalid_parameter_value":          {"22023", "An argument breaks a rule; the column names it.", "Correct it as the text says."},
	"no_data_found":                    {"P0002", "There is nothing with this id in the group.", "Look at the id and the group."},
	"object_not_in_prerequisite_state": {"55000", "The vectors of the database have other dimensions.", "Set `ANNALS_EMBEDDING_DIM` to theirs, or run `annals reembed`."},
	"restrict_violation":               {"23001", "A record of what happened cannot be changed or removed.", "Erase the group: it goes with that."},
}

var raised = regexp.MustCompile(`ERRCODE\s*=\s*'(\w+)'`)

func statesTable(t *testing.T) string {
	t.Helper()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]string{}
	for _, file := range files {
		script, err := fs.ReadFile(migrations.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range raised.FindAllStringSubmatch(string(script), -1) {
			code := found[1]
			if other := used[code]; other != "" && other != file && strings.HasPrefix(code, "AN") {
				t.Errorf("SQLSTATE %s is raised in %s and in %s; a code of ours means one thing", code, other, file)
			}
			used[code] = file
		}
	}
	var page strings.Builder
	page.WriteString("\n## SQL\n\n| SQLSTATE | what it means | what to do |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(used)) {
		about, ok := sqlStates[name]
		if !ok {
			t.Errorf("nothing says what SQLSTATE %s means that a migration raises", name)
		}
		fmt.Fprintf(&page, "| `%s` | %s | %s |\n", about[0], about[1], about[2])
	}
	for name := range sqlStates {
		if used[name] == "" {
			t.Errorf("no migration raises %s", name)
		}
	}
	return page.String()
}

// protocolCodes are the JSON-RPC codes that the MCP server returns by itself or through the SDK.
var protocolCodes = map[string][3]string{
	"ParseError":     {"-32700", "The message is no JSON.", "Over standard input: send one message a line."},
	"MethodNotFound": {"-32601", "The server has no such method, or not what the client may ask for.", "Ask for what `initialize` lists."},
	"InvalidParams":  {"-32602", "There is no such tool, prompt or resource, or its parameters are of the wrong kind.", "List them again: `tools/list`."},
	"InvalidRequest": {"-32600", "It is no message of JSON-RPC 2.0, or too long.", "Send one message at a time, long documents in parts."},
}

var protocolCode = regexp.MustCompile(`jsonrpc\.Code(\w+)`)

func protocolTable(t *testing.T) string {
	t.Helper()
	used := map[string]bool{"MethodNotFound": true, "InvalidParams": true} // of the SDK
	sourcesOf(t, filepath.Join("..", "..", "internal", "server", "mcp"), func(source string) {
		for _, found := range protocolCode.FindAllStringSubmatch(source, -1) {
			used[found[1]] = true
		}
	})
	var page strings.Builder
	page.WriteString("\n## JSON-RPC\n\nWhat MCP refuses before a tool is called:\n\n| code | what it means | what to do |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(used)) {
		about, ok := protocolCodes[name]
		if !ok {
			t.Errorf("nothing says what jsonrpc.Code%s means", name)
		}
		fmt.Fprintf(&page, "| `%s` | %s | %s |\n", about[0], about[1], about[2])
	}
	return page.String()
}
