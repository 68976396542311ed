package citus

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
)

// plausible makes arguments for any statement from existing rows.
type plausible struct {
	ids    map[string][]uuid.UUID // of the group, by kind
	vector pgvector.HalfVector
	model  string
}

func newPlausible(t testing.TB, conn *pgx.Conn) *plausible {
	t.Helper()
	p := &plausible{ids: map[string][]uuid.UUID{}}
	for kind, table := range map[string]string{"episode": "annals.episodes", "entity": "annals.entities", "fact": "annals.facts", "community": "annals.communities", "agent": "annals.agents", "block": "annals.blocks", "webhook": "annals.webhooks", "batch": "annals_internal.batches"} {
		rows, err := conn.Query(t.Context(), `SELECT id FROM `+table+` WHERE group_id = ANY($1) ORDER BY id LIMIT 5`, []string{group, "app"})
		if err != nil {
			t.Fatal(err)
		}
		if p.ids[kind], err = pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil || len(p.ids[kind]) == 0 {
			t.Fatalf("%s: %v %v", table, p.ids[kind], err)
		}
	}
	var text string
	if err := conn.QueryRow(t.Context(), `SELECT embedding::text, model FROM annals_internal.fact_embeddings WHERE group_id = $1 LIMIT 1`, group).Scan(&text, &p.model); err != nil {
		t.Fatal(err)
	}
	if err := p.vector.Parse(text); err != nil {
		t.Fatal(err)
	}
	return p
}

// of returns the ids that an argument of a statement refers to.
func (p *plausible) of(statement, name string) []uuid.UUID {
	for _, about := range []string{strings.ToLower(name), strings.ToLower(statement)} {
		for _, noun := range []struct{ stem, kind string }{
			{"webhook", "webhook"},
			{"batch", "batch"},
			{"agent", "agent"},
			{"block", "block"},
			{"communiti", "community"},
			{"community", "community"},
			{"episode", "episode"},
			{"fact", "fact"},
			{"entit", "entity"},
		} {
			if strings.Contains(about, noun.stem) {
				return p.ids[noun.kind]
			}
		}
	}
	return p.ids["entity"]
}

// words are meaningful values of text arguments.
var words = map[string]string{
	"GroupID": group, "Query": "lives in Paris", "Lesser": "", "ThreadID": "talk-1", "ExternalID": "line-3", "Namespace": "app", "OrderBy": "name", "After": "",
	"Reference": "Alice", "Words": "alice", "State": "done", "TimeZone": "UTC", "Url": "https://example.com", "Purpose": "graph", "Kind": "fact", "Kinds": "fact", "One": group,
	"Search": "ali", "Switch": "", "Among": group, "IndexName": "fact_embeddings_hnsw_000000000000000000000000", "Events": "episode.processed", "Role": "user", "Phrases": "lives in",
	"Door": "cli", "Step": "extract", "Origin": `{"door":"cli"}`, "Tables": "facts", "ToVacuum": "facts", "Scope": "fact", "Decision": "merge", "Digest": "x", "Rights": "all", "Threads": "talk-1",
	"Part": "facts", "Subject": "group", "Reader": "", "Relation": "WORKS_AT", "Embeddings": "[1]", "FromGroup": "g2",
}

func (p *plausible) text(name string) string {
	if name == "Model" || name == "Embedder" {
		return p.model
	}
	if word, ok := words[name]; ok {
		return word
	}
	return "Alice"
}

// fillIn sets the value of an argument.
func (p *plausible) fillIn(v reflect.Value, statement, name string) {
	switch x := v.Addr().Interface().(type) {
	case *uuid.UUID:
		*x = p.of(statement, name)[0]
	case *[]uuid.UUID:
		*x = p.of(statement, name)
	case *time.Time:
		*x = time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC)
		if name == "Until" || name == "ToAt" {
			*x = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		}
	case *json.RawMessage:
		*x = p.object(name)
	case *[]byte:
		*x = make([]byte, 32)
	case *[][]byte:
		*x = [][]byte{make([]byte, 32)}
	case *pgvector.HalfVector:
		*x = p.vector
	case *pgvector.Vector:
		*x = pgvector.NewVector(p.vector.Slice())
	case *graph.Kind:
		*x = graph.KindFact
	case *graph.FactKind:
		*x = graph.FactState
	case *graph.Authority:
		*x = graph.AuthorityUser
	case *graph.State:
		*x = graph.StateDone
	case *graph.Source:
		*x = graph.SourceMessage
	case *graph.GroupKind:
		*x = "graph"
	case *graph.EpisodeRole:
		*x = "states"
	case *temporal.Basis:
		*x = "stated"
	case *temporal.Precision:
		*x = "day"
	default:
		p.fillKind(v, statement, name)
	}
}

func (p *plausible) fillKind(v reflect.Value, statement, name string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(p.text(name))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(5)
		if name == "Bound" || statement == "PostingsOfTerms" { // which rows are within it nothing says
			v.SetInt(10000)
		}
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.fillIn(v.Elem(), statement, name)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		p.fillIn(v.Index(0), statement, strings.TrimSuffix(name, "s"))
	case reflect.Struct:
		for i := range v.NumField() {
			p.fillIn(v.Field(i), statement, v.Type().Field(i).Name)
		}
	}
}

func (p *plausible) object(name string) json.RawMessage {
	switch name {
	case "Filter":
		return json.RawMessage(`{"labels":["Person"],"actors":["Alice","Bob"],"episodes":true}`)
	case "Claims":
		return json.RawMessage(`[]`)
	}
	return json.RawMessage(`{}`)
}

// argument names the only argument of a statement; the generated code does not.
func argument(statement string, t reflect.Type) string {
	switch {
	case t.Kind() != reflect.String && (t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.String):
		return ""
	case statement == "VectorIndexesRecheck" || statement == "VectorIndexesRetire" || strings.HasPrefix(statement, "Embedder"):
		return "Model"
	case statement == "GroupsFilledBy":
		return "Door"
	case statement == "OriginSet":
		return "Origin"
	case statement == "Readmit":
		return "Switch"
	case statement == "APIKeyByPrefix" || statement == "APIKeyRevoke" || statement == "LockTry" || statement == "LockWait":
		return "Name"
	}
	return "GroupID"
}
