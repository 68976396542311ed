package hosts

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// editTOML adds a table to TOML settings. A table of the same name is rewritten with its former
// fields; everything else stays unchanged.
func editTOML(before []byte, key string, s Server, fields map[string]any) ([]byte, error) {
	held, err := decodeTOML(before)
	if err != nil {
		return nil, err
	}
	servers, _ := held[key].(map[string]any)
	entry, known := servers[s.Name].(map[string]any)
	if addressed(entry) {
		return nil, errAddressed
	}
	merged := maps.Clone(entry)
	if merged == nil {
		merged = map[string]any{}
	}
	for name, value := range fields {
		if env, ok := value.(map[string]string); ok {
			value = mergedEnv(entry[name], env)
		}
		merged[name] = value
	}
	written, err := tableOf(key, s.Name, merged)
	if err != nil {
		return nil, err
	}
	rest, at, err := withoutTable(before, key, s.Name)
	if err != nil {
		return nil, err
	}
	if known && at < 0 {
		return nil, fmt.Errorf("%s.%s is no table of its own there; write the server in by hand", key, s.Name)
	}
	after := splice(rest, at, written)
	now, err := decodeTOML(after)
	if err != nil {
		return nil, fmt.Errorf("%s is written in a way that takes no table; write the server in by hand", key)
	}
	if !sameBut(held, now, key, s.Name) {
		return nil, errUnsafe
	}
	return after, nil
}

func decodeTOML(text []byte) (map[string]any, error) {
	held := map[string]any{}
	if err := toml.Unmarshal(text, &held); err != nil {
		return nil, fmt.Errorf("it cannot be read as TOML: %w", err)
	}
	return held, nil
}

func mergedEnv(held any, env map[string]string) map[string]any {
	merged := map[string]any{}
	if held, ok := held.(map[string]any); ok {
		maps.Copy(merged, held)
	}
	for name, value := range env {
		merged[name] = value
	}
	return merged
}

// tableOf formats a table with its full name.
func tableOf(key, name string, entry map[string]any) ([]byte, error) {
	var out bytes.Buffer
	err := toml.NewEncoder(&out).Encode(map[string]any{key: map[string]any{name: entry}})
	if err != nil {
		return nil, fmt.Errorf("write the table: %w", err)
	}
	text, _ := strings.CutPrefix(out.String(), "["+key+"]\n")
	return []byte(strings.TrimSpace(text) + "\n"), nil
}

// withoutTable removes a table and its subtables from a text. at is where the first of them was, -1
// if there was none.
func withoutTable(text []byte, key, name string) (rest []byte, at int, err error) {
	at = -1
	parser := unstable.Parser{KeepComments: true}
	parser.Reset(text)
	var pieces []piece
	ours := false
	for parser.NextExpression() {
		expression := parser.Expression()
		switch expression.Kind {
		case unstable.Table, unstable.ArrayTable:
			path, start := keyOf(expression)
			ours = len(path) >= 2 && path[0] == key && path[1] == name
			pieces = append(pieces, piece{start: lineStart(text, start), ours: ours})
		case unstable.Comment:
			pieces = append(pieces, piece{start: lineStart(text, int(expression.Raw.Offset)), ours: ours, comment: true})
		case unstable.KeyValue:
			_, start := keyOf(expression)
			pieces = append(pieces, piece{start: lineStart(text, start), ours: ours})
		}
	}
	if err := parser.Error(); err != nil {
		return nil, -1, fmt.Errorf("it cannot be read as TOML: %w", err)
	}
	// Comments at the end of a table may be about the next one.
	for i := len(pieces) - 1; i >= 0; i-- {
		if pieces[i].comment && (i == len(pieces)-1 || !pieces[i+1].ours) {
			pieces[i].ours = false
		}
	}
	kept := 0
	for i, p := range pieces {
		if !p.ours {
			continue
		}
		end := len(text)
		if i+1 < len(pieces) {
			end = pieces[i+1].start
		}
		rest = append(rest, text[kept:p.start]...)
		if at < 0 {
			at = len(rest)
		}
		kept = end
	}
	return append(rest, text[kept:]...), at, nil
}

// piece is an expression in a text, up to the next one.
type piece struct {
	start         int
	ours, comment bool
}

// keyOf returns the key of a table or a value, and its offset.
func keyOf(n *unstable.Node) (path []string, start int) {
	start = -1
	for keys := n.Key(); keys.Next(); {
		if start < 0 {
			start = int(keys.Node().Raw.Offset)
		}
		path = append(path, string(keys.Node().Data))
	}
	return path, max(start, 0)
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// splice inserts a table at its former offset, or at the end, surrounded by empty lines.
func splice(rest []byte, at int, table []byte) []byte {
	if bytes.Contains(rest, []byte("\r\n")) {
		table = bytes.ReplaceAll(table, []byte("\n"), []byte("\r\n"))
	}
	if at < 0 {
		at = len(rest)
	}
	head, tail := rest[:at], rest[at:]
	line := []byte("\n")
	if bytes.Contains(rest, []byte("\r\n")) {
		line = []byte("\r\n")
	}
	if trimmed := bytes.TrimRight(head, " \t\r\n"); len(trimmed) > 0 && len(trimmed) == len(bytes.TrimRight(head, "\r\n")) && at == len(rest) {
		head = slices.Concat(trimmed, line, line)
	}
	if len(bytes.TrimSpace(tail)) > 0 {
		table = slices.Concat(table, line)
	} else {
		tail = nil
	}
	return slices.Concat(head, table, tail)
}

// sameBut reports whether two settings are equal except for one table.
func sameBut(before, after map[string]any, key, name string) bool {
	without := func(settings map[string]any) {
		if servers, ok := settings[key].(map[string]any); ok {
			delete(servers, name)
			if len(servers) == 0 {
				delete(settings, key)
			}
		}
	}
	without(before)
	without(after)
	return reflect.DeepEqual(before, after)
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
