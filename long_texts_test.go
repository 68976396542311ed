package annals_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// longText has a remark far behind, a letter that stands alone in its language and words
// with quotes and backslashes, which a tsvector must keep.
func longText(size int, remark string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "Section %d speaks of the harbour, its cranes and what Alice ships there. ", i)
		if i == size/100 {
			b.WriteString(remark)
		}
	}
	return b.String()
}

const remark = `The zirconium vault of Nørrebro, path C:\tmp\it's, opens at dawn. `

// A phrase is found in a long text as whole words, and anywhere in scripts without spaces.
func TestPhrasesOfLongTextsAreWholeWords(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	for i, words := range []string{
		"An apple fell beside the pineapple tree-house of Zoë's uncle. ", "彼は東京タワーを見た。京の町にもAPPLE treeがある。 ", "The apple: tree and all. Zoë's uncle-in-law came. ",
	} {
		if _, err := client.Add(t.Context(), annals.Episode{GroupID: "t", Source: graph.SourceText, Name: fmt.Sprint(i), Content: longText(12_000, words), Deferred: true}); err != nil {
			t.Fatal(err)
		}
	}
	for phrase, want := range map[string]string{
		"apple tree": "1 2", "pineapple tree": "0", "pine": "", "apple": "0 1 2", "東京": "1", "京タワー": "1", "京都": "",
		"Zoe's uncle": "0 2", "Zo": "", "uncle-in-law": "2", "uncle in": "2",
	} {
		got := psql(t, url, fmt.Sprintf(`SELECT coalesce(string_agg(e.name, ' ' ORDER BY e.name), '')
			FROM annals_internal.rank_by_phrases('t', 'episode', ARRAY[$p$%s$p$], false, '{}', NULL, false, 99) r JOIN annals.episodes e ON e.id = r.id`, phrase))
		if got != want {
			t.Errorf("%q is in %q, want %q", phrase, got, want)
		}
	}
}

// A word anywhere in a text of any length finds it, and the passage with the word is shown, for
// each way of searching.
func TestLongTextsAreFoundByTheirPassages(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t)
	client := clienttest.Open(t, annals.Config{DatabaseURL: url})
	at := time.Date(2024, 3, 1, 9, 0, 0, 0, time.UTC)
	content := longText(150_000, remark)
	text, err := client.Add(t.Context(), annals.Episode{GroupID: "g", Source: graph.SourceText, Name: "report", Content: content, OccurredAt: at, Deferred: true})
	if err != nil {
		t.Fatal(err)
	}
	if text.Note != "" {
		t.Errorf("a note on a text all of which is searched: %s", text.Note)
	}
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: "g", Actor: "Alice", Content: "I work at the harbour with cranes.", OccurredAt: at, Deferred: true}); err != nil {
		t.Fatal(err)
	}
	for _, q := range []annals.Query{
		{Text: "When does the zirconium vault open?"},
		{Text: `"zirconium vault of Norrebro"`},
		{Text: "zirconium", Conversation: true},
		{Text: "zirconium", Methods: []annals.Method{annals.MethodTerms}, KnownAt: time.Now().Add(time.Hour)},
	} {
		q.GroupID, q.Scopes = "g", []graph.Kind{graph.KindEpisode}
		found, err := client.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Episodes) == 0 || found.Episodes[0].ID != text.ID {
			t.Errorf("%s: finds %d episodes, not the text first", q.Text, len(found.Episodes))
			continue
		}
		if h := found.Episodes[0]; !h.Passage || len(h.Content) > 2100 || !strings.Contains(h.Content, strings.TrimSpace(remark)) {
			t.Errorf("%s: shows %d bytes: %.200s", q.Text, len(h.Content), h.Content)
		}
	}
	shown, err := client.Context(t.Context(), annals.Query{GroupID: "g", Text: "When does the zirconium vault open?"})
	if err != nil || !strings.Contains(shown, "zirconium vault") || len(shown) > 5000 {
		t.Errorf("the context has %d bytes, %v: %.300s", len(shown), err, shown)
	}
	for _, sql := range []string{
		`SELECT content FROM annals.search('g', 'When does the zirconium vault open?', '{episode}') WHERE rank = 1`,
		`SELECT annals.context('g', 'When does the zirconium vault open?')`,
	} {
		if got := psql(t, url, sql); !strings.Contains(got, "zirconium vault") || len(got) > 5000 {
			t.Errorf("%s: %d bytes: %.300s", sql, len(got), got)
		}
	}
	if whole, err := client.Episode(t.Context(), "g", text.ID); err != nil || whole.Content != content {
		t.Errorf("the episode itself has %d of %d bytes, %v", len(whole.Content), len(content), err)
	}
	// Many words of the question spread over a long text do not outweigh a message about it.
	found, err := client.Search(t.Context(), annals.Query{GroupID: "g", Text: "harbour cranes", Scopes: []graph.Kind{graph.KindEpisode}})
	if err != nil || len(found.Episodes) != 2 || found.Episodes[0].ID == text.ID {
		t.Errorf("a text of many harbours stands before the message: %v", err)
	}
	if verified, err := service.New(client).Verify(t.Context(), "g", false); err != nil || len(verified.Broken()) > 0 {
		t.Errorf("verify: %+v, %v", verified.Broken(), err)
	}
}

// A text with more different words than can be indexed reports how many are not, in the receipt and
// in the trace; the first ones are.
func TestWordsThatAreNotSearchedAreCounted(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client := clienttest.Open(t, annals.Config{DatabaseURL: pgtest.New(t)})
	var b strings.Builder
	for i := 0; b.Len() < 1<<20-40; i++ {
		fmt.Fprintf(&b, "q%dx-y%dz ", i, i)
	}
	stored, err := client.Add(t.Context(), annals.Episode{GroupID: "g", Source: graph.SourceText, Content: b.String(), Deferred: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stored.Note, "words of it, the last, are not searched") {
		t.Errorf("the receipt says %q", stored.Note)
	}
	trace, err := client.Trace(t.Context(), "g", stored.ID)
	if err != nil || len(trace) != 1 || trace[0].Reason != stored.Note {
		t.Errorf("the trace says %+v, %v", trace, err)
	}
	found, err := client.Search(t.Context(), annals.Query{GroupID: "g", Text: "q7x", Methods: []annals.Method{annals.MethodTerms}, Scopes: []graph.Kind{graph.KindEpisode}})
	if err != nil || len(found.Episodes) != 1 {
		t.Errorf("one of the first words finds %d, %v", len(found.Episodes), err)
	}
}
