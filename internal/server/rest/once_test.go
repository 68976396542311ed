package rest_test

import (
	"net/http"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
)

// The work of a request and its reply are one transaction, or the transaction of the work records
// that it is done. A service killed between the two does not do the work again, however late the
// request is repeated.
func TestARequestIsDoneOnceAcrossACrash(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s := serve(t, server.Options{Client: client}, rest.Options{})
	conn := clienttest.Dial(t, url)
	count := func(query string) (n int) {
		if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, key := range []string{s.key, s.newKey("g")} {
		s := s.as(key)
		const told, path = `{"messages": [{"content": "I live in Paris.", "actor": "Alice"}, {"content": "I like tea.", "actor": "Alice"}]}`, "/v1/groups/g/threads/t/messages"
		const wrote, episodes = `{"content": "I work in Lyon.", "actor": "Alice"}`, "/v1/groups/g/episodes"
		first := s.must(http.StatusAccepted, nil, "POST", episodes, wrote, "Idempotency-Key", "episode")
		s.must(http.StatusAccepted, nil, "POST", path, told, "Idempotency-Key", "messages")
		if n := count(`SELECT count(*) FROM annals_internal.replies r WHERE status = 202 AND EXISTS (SELECT FROM annals.episodes e WHERE e.xmin = r.xmin)`); n%2 != 0 || n == 0 {
			t.Errorf("%d answers were written by the transactions that stored the episodes", n)
		}
		again := s.must(http.StatusAccepted, nil, "POST", episodes, wrote, "Idempotency-Key", "episode")
		if string(first.body) != string(again.body) || first.header.Get("Location") != again.header.Get("Location") || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("first %s, again %s %v", first.body, again.body, again.header)
		}
		s.must(http.StatusUnprocessableEntity, nil, "POST", episodes, `{"content": ""}`, "Idempotency-Key", "wrong")
		s.must(http.StatusUnprocessableEntity, nil, "POST", episodes, `{"content": ""}`, "Idempotency-Key", "wrong")
	}
	const triple = `{"source": "Alice", "predicate": "LIKES", "target": "Tea", "fact": "Alice likes tea."}`
	s.must(http.StatusCreated, nil, "POST", "/v1/groups/g/facts", triple, "Idempotency-Key", "triple")
	before := count(`SELECT count(*) FROM annals.episodes`)
	for _, statement := range []string{ // as after a crash before the reply is saved
		`UPDATE annals_internal.replies SET status = NULL, header = '{}', body = '' WHERE key = 'triple'`,
		`UPDATE annals_internal.replies SET created_at = created_at - interval '11 minutes'`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	var p problem
	s.must(http.StatusConflict, &p, "POST", "/v1/groups/g/facts", triple, "Idempotency-Key", "triple")
	if n := count(`SELECT count(*) FROM annals.episodes`); n != before {
		t.Errorf("the repeated request was done again: %d episodes, before %d", n, before)
	}
}

// An empty list is refused, with and without an Idempotency-Key, and so is null.
func TestNoMessagesAreRefused(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	s.must(http.StatusCreated, nil, "POST", "/v1/groups", `{"id": "g"}`)
	for _, body := range []string{`{"messages": []}`, `{"messages": null}`, `{"messages": null, "return_context": true}`} {
		s.must(http.StatusUnprocessableEntity, nil, "POST", "/v1/groups/g/threads/t/messages", body)
		s.must(http.StatusUnprocessableEntity, nil, "POST", "/v1/groups/g/threads/t/messages", body, "Idempotency-Key", body)
	}
	s.must(http.StatusAccepted, nil, "POST", "/v1/groups/g/episodes", `{"content": "I live in Paris.", "actor": "Alice"}`)
	s.process("g")
	for _, facts := range []string{"[]", "null"} {
		s.must(http.StatusUnprocessableEntity, nil, "POST", "/v1/groups/g/entities/Alice/split", `{"name": "Alicia", "facts": `+facts+`}`)
	}
}
