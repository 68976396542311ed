package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// order is the order of the fields of an entry.
var order = []string{"type", "command", "args", "env"}

var byteOrderMark = []byte("\xef\xbb\xbf")

// editJSON adds an entry to JSON settings, with comments and trailing commas if the host allows
// them. Everything else keeps its place and its formatting.
func editJSON(before []byte, key string, s Server, fields map[string]any) ([]byte, error) {
	text, marked := bytes.CutPrefix(before, byteOrderMark)
	d := &document{text: string(text)}
	if strings.TrimSpace(d.text) == "" {
		d.text = "{}\n"
	}
	held, err := d.decode()
	if err != nil {
		return nil, err
	}
	d.measure()
	servers, isObject := held[key].(map[string]any)
	entry, known := servers[s.Name].(map[string]any)
	switch {
	case addressed(entry):
		return nil, errAddressed
	case held[key] != nil && !isObject:
		return nil, fmt.Errorf("%q is no object there; mend that, or write the server in by hand", key)
	case known:
		err = d.update([]string{key, s.Name}, entry, fields)
	default:
		err = d.set([]string{key, s.Name}, ordered(fields))
	}
	if err != nil {
		return nil, err
	}
	if err := d.changedOnly(held, key, s.Name, fields); err != nil {
		return nil, err
	}
	after := []byte(d.text)
	if marked {
		after = slices.Concat(byteOrderMark, after)
	}
	return after, nil
}

// document is the settings being edited.
type document struct {
	text   string
	indent string // of one level
	line   string // the line ending
}

func (d *document) decode() (map[string]any, error) {
	standard, err := hujson.Standardize([]byte(d.text))
	if err != nil {
		return nil, fmt.Errorf("it cannot be read as JSON: %w", err)
	}
	var held map[string]any
	if err := json.Unmarshal(standard, &held); err != nil || held == nil {
		return nil, errors.New("it holds no JSON object")
	}
	return held, nil
}

// measure detects the indentation and the line endings.
func (d *document) measure() {
	d.indent, d.line = "  ", "\n"
	if strings.Contains(d.text, "\r\n") {
		d.line = "\r\n"
	}
	for line := range strings.Lines(d.text) {
		text := strings.TrimLeft(line, " \t")
		if space := line[:len(line)-len(text)]; space != "" && strings.HasPrefix(text, `"`) {
			d.indent = space
			return
		}
	}
}

// update sets the fields of an existing entry. Other fields stay, also in its environment.
func (d *document) update(path []string, entry, fields map[string]any) error {
	for _, name := range order {
		value, ok := fields[name]
		if !ok {
			continue
		}
		at := append(slices.Clone(path), name)
		env, isEnv := value.(map[string]string)
		if _, ok := entry[name].(map[string]any); !isEnv || !ok {
			if err := d.set(at, value); err != nil {
				return err
			}
			continue
		}
		for _, variable := range sortedKeys(env) {
			if err := d.set(append(slices.Clone(at), variable), env[variable]); err != nil {
				return err
			}
		}
	}
	return nil
}

// set sets the value at a path, and creates missing objects.
func (d *document) set(path []string, value any) error {
	root, err := hujson.Parse([]byte(d.text))
	if err != nil {
		return fmt.Errorf("read it again: %w", err)
	}
	at := &root
	for depth, name := range path {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return fmt.Errorf("%q is no object there; mend that, or write the server in by hand", strings.Join(path[:depth], "."))
		}
		member := memberOf(object, name)
		if member == nil {
			for i := len(path) - 1; i > depth; i-- {
				value = members{{path[i], value}}
			}
			d.insert(at, object, depth+1, d.rendered(members{{name, value}}, depth+1))
			return nil
		}
		at = member
	}
	d.text = d.text[:at.StartOffset] + d.value(value, len(path)) + d.text[at.EndOffset:]
	return nil
}

// memberOf returns the last member with a name: that one counts.
func memberOf(object *hujson.Object, name string) *hujson.Value {
	for i := len(object.Members) - 1; i >= 0; i-- {
		if literal, ok := object.Members[i].Name.Value.(hujson.Literal); ok && literal.String() == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

// insert adds a member at the end of an object, after its comments.
func (d *document) insert(at *hujson.Value, object *hujson.Object, depth int, member string) {
	begin, comma := at.StartOffset+1, ""
	if len(object.Members) > 0 {
		last := object.Members[len(object.Members)-1].Value
		begin = last.EndOffset
		if last.AfterExtra != nil { // a comma follows it
			comma = ","
		} else {
			d.text = d.text[:begin] + "," + d.text[begin:]
			begin++
			at.EndOffset++
		}
	}
	end := at.EndOffset - 1 // the end of the text before the bracket
	kept := strings.TrimRight(d.text[begin:end], " \t\r\n")
	d.text = d.text[:begin] + kept + d.line + strings.Repeat(d.indent, depth) + member + comma +
		d.line + strings.Repeat(d.indent, depth-1) + d.text[end:]
}

// members are the members of an object in order.
type members []member

type member struct {
	name  string
	value any
}

func ordered(fields map[string]any) members {
	var all members
	for _, name := range order {
		if value, ok := fields[name]; ok {
			all = append(all, member{name, value})
		}
	}
	return all
}

func (d *document) rendered(all members, depth int) string {
	lines := make([]string, len(all))
	for i, m := range all {
		lines[i] = quote(m.name) + ": " + d.value(m.value, depth)
	}
	return strings.Join(lines, ","+d.line+strings.Repeat(d.indent, depth))
}

// value formats a value at a depth.
func (d *document) value(value any, depth int) string {
	switch value := value.(type) {
	case members:
		return "{" + d.line + strings.Repeat(d.indent, depth+1) + d.rendered(value, depth+1) + d.line + strings.Repeat(d.indent, depth) + "}"
	case map[string]string:
		var all members
		for _, name := range sortedKeys(value) {
			all = append(all, member{name, value[name]})
		}
		return d.value(all, depth)
	case []string:
		quoted := make([]string, len(value))
		for i, text := range value {
			quoted[i] = quote(text)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case string:
		return quote(value)
	}
	return "null" // no other types are written
}

func quote(text string) string { return string(hujson.String(text)) }

// changedOnly returns an error unless the entry is the only change to the settings.
func (d *document) changedOnly(held map[string]any, key, name string, fields map[string]any) error {
	now, err := d.decode()
	if err != nil {
		return err
	}
	servers, ok := now[key].(map[string]any)
	entry, isObject := servers[name].(map[string]any)
	if !ok || !isObject || !holds(entry, fields) {
		return errUnsafe
	}
	delete(servers, name)
	before, had := held[key].(map[string]any)
	if had {
		delete(before, name)
	} else {
		delete(now, key)
		delete(held, key)
	}
	if !reflect.DeepEqual(held, now) {
		return errUnsafe
	}
	return nil
}

// holds reports whether an entry has all the fields.
func holds(entry, fields map[string]any) bool {
	text, err := json.Marshal(fields)
	var want map[string]any
	if err != nil || json.Unmarshal(text, &want) != nil {
		return false
	}
	for name, value := range want {
		env, isEnv := value.(map[string]any)
		has, ok := entry[name].(map[string]any)
		if isEnv && ok {
			for variable := range env {
				if env[variable] != has[variable] {
					return false
				}
			}
		} else if !reflect.DeepEqual(entry[name], value) {
			return false
		}
	}
	return true
}

var errUnsafe = errors.New("it is written in a way that cannot be edited without harm; write the server in by hand")
