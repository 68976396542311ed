package offline

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

const (
	maxJSONClaims = 20
	maxJSONDepth  = 16
	maxJSONBytes  = 1 << 20
	maxJSONValue  = 80 // bytes of a value that may be a name
)

var (
	// Keys whose value names an object, in order of preference.
	nameKeys = []string{"name", "full_name", "fullName", "title", "label", "username", "user_name", "email", "id"}

	// Keys whose value names an entity, by its type.
	labelledKeys = map[string]string{
		"user": "Person", "customer": "Person", "author": "Person", "owner": "Person", "assignee": "Person", "contact": "Person",
		"manager": "Person", "company": "Organization", "organization": "Organization", "organisation": "Organization",
		"employer": "Organization", "city": "Place", "country": "Place", "location": "Place",
	}

	wordBreak = pattern.New(`[^\p{L}\d]+|([\p{Ll}\d])(\p{Lu})`)
)

// document is a JSON episode that is being read.
type document struct {
	said
	at time.Time
}

// readJSON reads an object as statements about the entity that it names, or else about the speaker.
// Each other key with a plain value is a statement.
func readJSON(e prompts.Episode) reading {
	var r reading
	if e.Speaker != "" {
		r.speakers = []string{e.Speaker}
	}
	var root any
	if len(e.Content) > maxJSONBytes || json.Unmarshal([]byte(e.Content), &root) != nil {
		return r
	}
	d := document{at: e.OccurredAt, said: said{limit: maxJSONClaims * 2}}
	d.walk(root, e.Speaker, 0)
	r.said = []said{d.said}
	return r
}

// walk reads a value that belongs to owner.
func (d *document) walk(value any, owner string, depth int) {
	if depth > maxJSONDepth || len(d.claims) >= maxJSONClaims {
		return
	}
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			d.walk(item, owner, depth+1)
		}
	case map[string]any:
		d.object(value, owner, depth)
	}
}

func (d *document) object(object map[string]any, owner string, depth int) {
	subject, nameKey := namedBy(object)
	if subject == "" {
		subject = owner
	} else {
		d.names = append(d.names, name{text: subject})
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if key == nameKey {
			continue
		}
		for _, value := range valuesOf(object[key]) {
			d.state(subject, key, value)
		}
		d.walk(object[key], subject, depth+1)
	}
}

// valuesOf returns the names in a value: the value itself, the name of an object, or those of a
// list.
func valuesOf(value any) []string {
	items, ok := value.([]any)
	if !ok {
		items = []any{value}
	}
	var out []string
	for _, item := range items {
		text, _ := item.(string)
		if nested, ok := item.(map[string]any); ok {
			text, _ = namedBy(nested)
		}
		if number, ok := item.(float64); ok {
			text = strings.TrimSuffix(fmt.Sprintf("%.2f", number), ".00")
		}
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	return out
}

func (d *document) state(subject, key, value string) {
	words := strings.ToLower(strings.TrimSpace(wordBreak().ReplaceAllString(key, "$1 $2")))
	predicate := attributes[words]
	if len(d.claims) >= maxJSONClaims || words == "" || predicate == "" && !looksNamed(value) || len(value) > maxJSONValue {
		return
	}
	label := labelledKeys[words]
	d.names = append(d.names, name{text: value, label: label})
	if subject == "" || fold(subject) == fold(value) {
		return
	}
	if predicate == "" {
		predicate = predicateOf("HAS", words)
	}
	d.claims = append(d.claims, claim{
		subject: subject, object: value, objectLabel: label, predicate: predicate, rule: "the key " + key,
		sentence: fmt.Sprintf("%s has the %s %s.", subject, words, value), timing: dated{ref: d.at}.said(),
	})
}

// namedBy returns the name of an object, and the key that holds it.
func namedBy(object map[string]any) (subject, key string) {
	for _, key := range nameKeys {
		if s, ok := object[key].(string); ok && strings.TrimSpace(s) != "" && len(s) <= maxJSONValue {
			return strings.TrimSpace(s), key
		}
	}
	return "", ""
}

var machineText = pattern.New(`^(?:https?://|[\d.:TZ+-]+$|[0-9a-fA-F-]{16,}$|true$|false$|null$)`)

// looksNamed reports whether a value is a name or a short thing, and no text, number, date or id.
func looksNamed(value string) bool {
	return len(value) > 1 && len(strings.Fields(value)) <= 6 && !machineText().MatchString(value) &&
		strings.ContainsFunc(value, unicode.IsLetter) && !strings.ContainsAny(value, "\n{}<>")
}
