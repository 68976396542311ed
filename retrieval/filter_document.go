package retrieval

import (
	"encoding/json"
	"errors"
	"maps"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// OfTrust is the filter as the database's functions read it, with a condition on the trust of
// facts. An empty trust keeps facts that are believed or disputed.
func (f Filter) OfTrust(trust graph.Trust) (json.RawMessage, error) {
	if err := errors.Join(f.validate(), graph.ValidateTrust("trust", trust)); err != nil {
		return nil, err
	}
	switch trust {
	case "":
		trust = graph.TrustBelieved
	case graph.TrustAll:
		trust = ""
	}
	document, _ := f.document(time.Time{}, trust)
	return document, nil
}

// Document is the filter as the database's functions read it. narrows reports whether it leaves
// anything out.
func (f Filter) Document() (narrows bool, document json.RawMessage, err error) {
	if err := f.validate(); err != nil {
		return false, nil, err
	}
	document, narrows = f.document(time.Time{}, "")
	return narrows, document, nil
}

// document is the filter as the database's functions read it, and whether it leaves anything out. A
// knownAt keeps the episodes and entities that existed by then, a trust the facts of that trust;
// the zero values keep all.
func (f Filter) document(knownAt time.Time, trust graph.Trust) (json.RawMessage, bool) {
	d := map[string]any{}
	if !knownAt.IsZero() {
		d["known_at"] = knownAt.UTC()
	}
	if trust != "" {
		d["trust"] = trust
	}
	for name, list := range f.lists() {
		if len(list) > 0 {
			d[name] = list
		}
	}
	if f.Attributes != nil {
		d["attributes"] = new(jsonPath).document(f.Attributes, nil)
	}
	if scopes := f.scopes(); f.Metadata != nil || len(scopes) > 0 {
		d["metadata"] = new(jsonPath).document(f.Metadata, scopes)
	}
	for name, c := range f.times() {
		if len(c) > 0 {
			d[name] = c
		}
	}
	if len(f.Sources)+len(f.Threads)+len(f.Actors)+len(f.Roles)+len(f.Occurred) > 0 || d["metadata"] != nil {
		d["episodes"] = true
	}
	text, err := json.Marshal(d)
	if err != nil { // validated: only texts, numbers and booleans
		panic("retrieval: " + err.Error())
	}
	return text, len(d) > 0
}

// lists are the lists of texts, by their names in JSON.
func (f Filter) lists() map[string][]string {
	sources := each.Of(f.Sources, func(s graph.Source) string { return string(s) })
	return map[string][]string{
		"labels": f.Labels, "excluded_labels": f.ExcludedLabels, "predicates": f.Predicates, "excluded_predicates": f.ExcludedPredicates, "told_by": f.ToldBy,
		"sources": sources, "threads": f.Threads, "actors": f.Actors, "roles": f.Roles, "users": f.Users, "agents": f.Agents, "runs": f.Runs,
	}
}

// times are the conditions on times, by their names in JSON.
func (f Filter) times() map[string]TimeCondition {
	return map[string]TimeCondition{"valid": f.Valid, "invalid": f.Invalid, "created": f.Created, "expired": f.Expired, "occurred": f.Occurred}
}

// scopes are the named sub-scopes, by their key in metadata.
func (f Filter) scopes() map[string][]string {
	scopes := map[string][]string{"user_id": f.Users, "agent_id": f.Agents, "run_id": f.Runs}
	maps.DeleteFunc(scopes, func(_ string, names []string) bool { return len(names) == 0 })
	return scopes
}
