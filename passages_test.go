package annals_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
)

// A remark in a long message has a vector of its own, however the message was added, and is found
// by it. Assistants' messages and documents have none, nor does anything if vectors compare
// spelling.
func TestPassagesHaveVectors(t *testing.T) {
	t.Parallel()
	const (
		tips = "Do you have any tips on how to keep all of my receipts in order, week after week, without much work?"
		said = "I graduated with a degree in Business Administration, which helps me every day at my new job. " + tips
	)
	url := pgtest.New(t)
	hash, err := model.NewHashEmbedder(384)
	if err != nil {
		t.Fatal(err)
	}
	client := clienttest.Open(t, annals.Config{DatabaseURL: url, Embedder: meaning{hash}})
	for _, e := range []annals.Episode{
		{Source: graph.SourceMessage, Role: "user", Name: "a user", Content: said},
		{Source: graph.SourceMessage, Actor: "Nora", Name: "somebody", Content: said},
		{Source: graph.SourceMessage, Role: "user", Name: "kept from the model", Content: said, Deferred: true},
		{Source: graph.SourceMessage, Role: " Assistant", Name: "an assistant", Content: said},
		{Source: graph.SourceText, Name: "a document", Content: said},
		{Source: graph.SourceMessage, Role: "user", Name: "one sentence", Content: tips},
	} {
		e.GroupID, e.OccurredAt = "g", time.Date(2024, 3, 1, 9, 0, 0, 0, time.UTC)
		if _, err := client.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Process(t.Context(), "g", nil); err != nil {
		t.Fatal(err)
	}
	counted := func() string {
		return psql(t, url, `SELECT e.name || ' ' || count(*) || ' ' || min(v.part) || max(v.part) FROM annals_internal.episode_embeddings v JOIN annals.episodes e
			ON e.group_id = v.group_id AND e.id = v.episode_id GROUP BY e.id, e.name ORDER BY e.id`)
	}
	want := "a user 3 02\nsomebody 3 02\nkept from the model 3 02\nan assistant 1 00\na document 1 00\none sentence 1 00"
	if diff := cmp.Diff(want, counted()); diff != "" {
		t.Errorf("vectors (-want +got):\n%s", diff)
	}
	result, err := client.Search(t.Context(), annals.Query{
		GroupID: "g", Text: strings.TrimSuffix(said, " "+tips), Scopes: []graph.Kind{graph.KindEpisode}, Methods: []annals.Method{annals.MethodVector},
		Conversation: true, Explain: true, Limit: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{}
	for i, e := range result.Episodes {
		if i < 3 {
			places[e.Name] = true
		}
	}
	if len(result.Episodes) != 6 || !places["a user"] || !places["somebody"] || !places["kept from the model"] {
		t.Errorf("of %d messages these are nearest: %v", len(result.Episodes), places)
	}
	psql(t, url, `DELETE FROM annals_internal.episode_embeddings`)
	if _, err := client.Reembed(t.Context(), meaning{hash}, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, counted()); diff != "" {
		t.Errorf("made anew (-want +got):\n%s", diff)
	}
	spelling, err := model.NewHashEmbedder(128)
	if err != nil {
		t.Fatal(err)
	}
	if done, err := client.Reembed(t.Context(), model.NewCachedEmbedder(spelling, 10), nil); err != nil || done.Made < 6 {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := psql(t, url, `SELECT count(*) || ' ' || max(part) FROM annals_internal.episode_embeddings`); got != "6 0" {
		t.Errorf("vectors of spellings, and their parts: %s", got)
	}
}

// Go and SQL agree on which messages are a person's.
func TestMessagesOfPersons(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	url := pgtest.New(t)
	for _, source := range []graph.Source{graph.SourceMessage, graph.SourceText, graph.SourceJSON} {
		for _, role := range []string{"", "user", "assistant", " AI", "Agent ", "bot", "model", "tool", "function", "system", "human", "nurse"} {
			want := "f"
			if (graph.Episode{Source: source, Role: role}).ByPerson() {
				want = "t"
			}
			if got := psql(t, url, `SELECT annals_internal.authority_of('`+string(source)+`', '`+role+`') = 'user'`); got != want {
				t.Errorf("%s of %q: %s in SQL, %s here", source, role, got, want)
			}
		}
	}
}
