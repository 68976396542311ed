package offline

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/annalsdb/annals/prompts"
)

const maxJSONClaims = 20

var (
	// Keys whose value names the thing the object is about.
	nameKeys = []string{"name", "full_name", "fullName", "title", "label", "username", "email", "id"}

	wordBreak = regexp.MustCompile(`[_\-\s]+|([\p{Ll}\d])(\p{Lu})`)
)

// readJSON reads an object as statements about whatever it names: each other
// key with a plain value is one.
func readJSON(e prompts.Episode) reading {
	var document any
	if err := json.Unmarshal([]byte(e.Content), &document); err != nil {
		return reading{}
	}
	var r reading
	if e.Speaker != "" {
		r.speakers = []string{e.Speaker}
	}
	r.walk(document, e.Speaker)
	return r
}

// walk reads a value that belongs to the owner, and returns what it is about.
func (r *reading) walk(value any, owner string) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			r.walk(item, owner)
		}
	case map[string]any:
		r.walkObject(value, owner)
	}
}

func (r *reading) walkObject(object map[string]any, owner string) {
	subject, key := subjectOfObject(object)
	if subject == "" {
		subject = owner
	} else {
		r.names = append(r.names, name{text: subject})
	}
	for _, k := range slices.Sorted(maps.Keys(object)) {
		if k == key || len(r.claims) >= maxJSONClaims {
			continue
		}
		if nested, ok := object[k].(map[string]any); ok {
			if other, _ := subjectOfObject(nested); other != "" && subject != "" {
				r.state(subject, k, other)
			}
		}
		if text := scalar(object[k]); text != "" && subject != "" {
			r.state(subject, k, text)
		}
		r.walk(object[k], subject)
	}
}

func (r *reading) state(subject, key, value string) {
	words := strings.ToLower(strings.TrimSpace(wordBreak.ReplaceAllString(key, "$1 $2")))
	if words == "" || fold(subject) == fold(value) {
		return
	}
	r.claims = append(r.claims, claim{
		subject: subject, object: value, predicate: predicateOf("HAS", words), rule: "JSON key " + key,
		sentence: fmt.Sprintf("%s has %s %s.", subject, words, value),
	})
}

func subjectOfObject(object map[string]any) (subject, key string) {
	for _, key := range nameKeys {
		if s, ok := object[key].(string); ok && s != "" && len(s) <= 120 {
			return s, key
		}
	}
	return "", ""
}

// scalar is a plain value worth being an end of a fact.
func scalar(value any) string {
	switch value := value.(type) {
	case string:
		if s := strings.TrimSpace(value); len(s) <= 120 && !strings.Contains(s, "\n") {
			return s
		}
	case float64:
		return strings.TrimSuffix(fmt.Sprintf("%.6f", value), ".000000")
	}
	return ""
}
