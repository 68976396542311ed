package acceptance_test

import (
	"net/http"
	"strings"
	"testing"
)

const home = "Where does Nora live?"

// A message of one scope is not found in another, however well it fits.
func crossTenantAbsent(t *testing.T, s *store, d door, group string) {
	other := group + "-other"
	say(t, d, message{group: group, text: "I live in Velnor."})
	say(t, d, message{group: other, text: "I work at Quuxwerk."})
	if !holds(d.recall(t, group, home), "Velnor") {
		t.Fatal("the control finds nothing")
	}
	if found := d.recall(t, other, home); holds(found, "Velnor") {
		t.Errorf("the other scope recalls %s", found)
	}
}

// A caller with access to one scope cannot reach another by naming it.
func callerCannotWiden(t *testing.T, s *store, d door, group string) {
	const own = "scope-a" // that of the key
	say(t, d, message{group: group, text: "I live in Velnor."})
	say(t, d, message{group: own, text: "I work at Quuxwerk."})
	switch d.name() {
	case "rest":
		for _, name := range []string{group, "*", "%2A", "", "%20", own + "%00", own + "%2F..%2F" + group} {
			for _, request := range [][2]string{{"POST", "/context"}, {"GET", "/search?query=Velnor"}, {"GET", "/facts"}, {"GET", "/episodes"}, {"POST", "/episodes"}, {"DELETE", ""}} {
				var body any
				if request[0] == "POST" {
					body = map[string]any{"query": home}
					if request[1] == "/episodes" {
						body = map[string]any{"content": "I live in Intruderton."}
					}
				}
				if status, text := s.send(t, scopedKey, request[0], "/v1/groups/"+name+request[1], body); status < 300 || holds(string(text), "Velnor") {
					t.Errorf("%s %q %s: %d %.200s", request[0], name, request[1], status, text)
				}
			}
		}
		status, text := s.send(t, scopedKey, "POST", "/v1/groups/"+own+"/search", map[string]any{"query": home, "also_in": []string{group}})
		if status != http.StatusNotFound && status != http.StatusForbidden || holds(string(text), "Velnor") {
			t.Errorf("also_in: %d %s", status, text)
		}
		if status, text := s.send(t, scopedKey, "POST", "/v1/groups/"+own+"/search", map[string]any{"query": "work"}); status != http.StatusOK || !holds(string(text), "Quuxwerk") {
			t.Errorf("the control: %d %s", status, text)
		}
	case "mcp":
		session := s.connect(t, scopedKey)
		for _, name := range []string{group, "*", " ", "%"} {
			for tool, arguments := range map[string]map[string]any{
				"get_context":         {"query": home, "group_ids": []string{name}},
				"search_memory_facts": {"query": home, "group_ids": []string{own, name}},
				"get_episodes":        {"group_ids": []string{name}},
				"add_memory":          {"name": "x", "episode_body": "I live in Intruderton.", "group_id": name},
				"clear_graph":         {"group_ids": []string{name}},
			} {
				if text, err := call(t, session, tool, arguments, nil); err == nil || holds(text, "Velnor") {
					t.Errorf("%s of %q: %s", tool, name, text)
				}
			}
		}
		if text, err := call(t, session, "get_context", map[string]any{"query": "Where does Nora work?"}, nil); err != nil || !holds(text, "Quuxwerk") || holds(text, "Velnor") {
			t.Errorf("an empty group is not confined to the key's: %s, %v", text, err)
		}
	case "cli":
		for _, name := range []string{group, "*", " ", "%"} {
			for _, args := range [][]string{{"context", home}, {"facts"}, {"episodes"}, {"add", "I live in Intruderton."}, {"erase", "--yes"}} {
				out, failure, ok := s.run(t.Context(), "", append(args, "--group", name, "--tenant", own)...)
				if ok || holds(out+failure, "Velnor") {
					t.Errorf("%q in %q: %s", args, name, out)
				}
			}
		}
		if out := s.must(t, "context", "--tenant", own, "Where does Nora work?"); !holds(out, "Quuxwerk") {
			t.Errorf("the control: %s", out)
		}
	case "sql":
		conn, err := s.pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
		ask := func(setting, sql string) (found string, err error) {
			tx, err := conn.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback(t.Context())
			if _, err := tx.Exec(t.Context(), `SET LOCAL ROLE annals_tenant`); err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), `SELECT set_config('annals.group_id', $1, true)`, setting); err != nil {
				t.Fatal(err)
			}
			err = tx.QueryRow(t.Context(), sql).Scan(&found)
			return found, err
		}
		for _, setting := range []string{own, "*", "", "%"} {
			for _, sql := range []string{
				`SELECT coalesce(string_agg(fact, ' '), '') FROM annals.facts`, `SELECT coalesce(string_agg(content, ' '), '') FROM annals.episodes`,
				`SELECT coalesce(string_agg(f.fact, ' '), '') FROM annals.facts_at('` + group + `') f`, `SELECT annals.context('` + group + `', 'Velnor')`,
			} {
				if found, err := ask(setting, sql); err == nil && holds(found, "Velnor") {
					t.Errorf("as %q, %s gives %s", setting, sql, found)
				}
			}
			if _, err := ask(setting, `SELECT annals.add_episode('`+group+`', 'I live in Intruderton.')::text`); err == nil {
				t.Errorf("as %q another group takes a message", setting)
			}
		}
		if found, err := ask(own, `SELECT string_agg(fact, ' ') FROM annals.facts`); err != nil || !holds(found, "Quuxwerk") {
			t.Errorf("the control: %s, %v", found, err)
		}
	}
	s.read(t, group)
	if found := d.recall(t, group, home); holds(found, "Intruderton") || !holds(found, "Velnor") {
		t.Errorf("the other scope was written to: %s", found)
	}
}

// Data derived in the background contains nothing of another scope.
func backgroundRespectsBoundary(t *testing.T, s *store, d door, group string) {
	other := group + "-other"
	for _, m := range []message{
		{group: group, text: "I live in Velnor.", thread: "talk"},
		{group: other, text: "I live in Quorvik.", thread: "talk"},
		{group: group, text: "I work at Quuxwerk.", thread: "talk"},
		{group: other, text: "I work at Zorbcorp.", thread: "talk"},
	} {
		say(t, d, m)
	}
	for range 2 { // the second time with warm caches
		s.background(t, group)
		s.background(t, other)
		for of, foreign := range map[string]string{group: "Quorvik Zorbcorp", other: "Velnor Quuxwerk"} {
			for word := range strings.FieldsSeq(foreign) {
				if found := d.recall(t, of, home); holds(found, word) {
					t.Errorf("%s recalls %q: %s", of, word, found)
				}
				for kind, sql := range derived {
					if n := s.count(t, sql, of, "%"+word+"%"); n > 0 {
						t.Errorf("%d %s of %s hold %q", n, kind, of, word)
					}
				}
			}
		}
	}
	if !holds(d.recall(t, group, home), "Velnor") || !holds(d.recall(t, other, home), "Quorvik") {
		t.Error("the control finds nothing")
	}
	if n := s.count(t, `SELECT count(*) FROM annals.communities WHERE group_id = $1`, group); n == 0 {
		t.Error("the control has no communities")
	}
}
