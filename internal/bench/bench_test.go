package bench

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

func TestSearch(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	options := Options{
		DatabaseURL: pgtest.New(t), Sample: "People remember people: people forget.", Facts: []int{60, 400}, Others: 100, Queries: 3, IndexedFrom: 300,
	}
	report, err := Search(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	methods := map[string][]string{}
	for _, m := range report.Measurements {
		if m.Method == "bm25" && (m.Recall == nil && m.Class != ClassRare || m.Recall != nil && *m.Recall != 1) { // few hold a rare word, perhaps none
			t.Errorf("%s: bm25 does not find all of the ten best among a few: %+v", m.Group, m)
		}
		if m.Class != ClassAll {
			continue
		}
		methods[m.Group] = append(methods[m.Group], m.Method)
		switch {
		case m.Queries != 3*len(classes) || m.P50 <= 0 || m.P50 > m.P95 || m.P95 > m.P99:
			t.Errorf("%+v: that is no measurement of %d queries", m, 3*len(classes))
		case m.Method == "exact vectors" && *m.Recall != 1:
			t.Errorf("%s: exact search finds %g of what it finds", m.Group, *m.Recall)
		case strings.HasPrefix(m.Method, "HNSW") && *m.Recall < 0.9:
			t.Errorf("%s: %s finds %g of 400 vectors", m.Group, m.Method, *m.Recall)
		}
	}
	through := []string{"bm25", "cosine", "bfs, 2 hops", "hybrid of facts", "hybrid of facts, as tenant", "hybrid of all scopes", "hybrid of all scopes, as tenant"}
	want := map[string][]string{
		"bench-60":  append([]string{"exact vectors"}, through...),
		"bench-400": append([]string{"exact vectors", "HNSW, ef 40", "HNSW, ef 100", "HNSW, ef 200", "HNSW, ef 300", "HNSW, ef 400"}, through...),
	}
	if diff := cmp.Diff(want, methods); diff != "" {
		t.Errorf("methods (-want +got):\n%s", diff)
	}
	if table := report.Markdown(); !strings.Contains(table, "| 400 | HNSW, ef 100 | all |") ||
		!regexp.MustCompile(`(?m)^\| 400 \| bm25 \| frequent \|.*\| 1\.000 \|$`).MatchString(table) {
		t.Errorf("the table lacks a line:\n%s", table)
	}
	if _, err := json.Marshal(report); err != nil {
		t.Errorf("no JSON: %v", err)
	}
	if report, err = Search(t.Context(), options); err != nil || report.Groups[1].Load != 0 || len(report.Groups[1].Indexes) != 0 {
		t.Errorf("the second run makes the groups anew (%v): %+v", err, report.Groups)
	}
}

func TestIngest(t *testing.T) {
	t.Parallel()
	report, err := Ingest(t.Context(), Options{DatabaseURL: pgtest.New(t), Facts: []int{50}, Queries: 10, IndexedFrom: -1})
	if err != nil {
		t.Fatal(err)
	}
	in := report.Intakes[0]
	if in.Episodes != 10 || in.Indexed || in.P50 <= 0 || in.Store <= 0 || in.RowsPerSecond < 3*in.EpisodesPerSecond {
		t.Errorf("%+v: an episode has %d facts", in, factsPerEpisode)
	}
	if table := report.Markdown(); !strings.Contains(table, "| 50 | none | 10 |") {
		t.Errorf("the table lacks a line:\n%s", table)
	}
}

// Frequent words make ranking by words expensive, so they must be as frequent
// as in real text.
func TestWordsAreAsFrequentAsInALanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(newVocabulary("people people remember"), 5000, 1)
	r := rand.New(rand.NewPCG(1, 1))
	holders := map[string]int{}
	for range 5000 {
		seen := map[string]bool{}
		for _, word := range strings.Fields(strings.TrimSuffix(w.fact(r).sentence, ".")) {
			if _, known := w.words.rank[word]; known && !seen[word] {
				seen[word] = true
				holders[word]++
			}
		}
	}
	if share := float64(holders["people"]) / 5000; share < 0.05 || share > 0.3 {
		t.Errorf("the commonest word stands in %g of the facts", share)
	}
	once := 0
	for _, n := range holders {
		if n <= 2 {
			once++
		}
	}
	if share := float64(once) / float64(len(holders)); share < 0.25 {
		t.Errorf("only %g of the words are rare", share)
	}
}

func TestTopicsLieTogether(t *testing.T) {
	t.Parallel()
	words := newVocabulary("")
	e := newTopicEmbedder(words, 128)
	text := func(ranks ...int) string {
		said := make([]string, len(ranks))
		for i, rank := range ranks {
			said[i] = words.words[rank]
		}
		return strings.Join(said, " ")
	}
	vectors, err := e.Embed(t.Context(), []string{
		text(1000, 1000+topics, 1000+2*topics), text(1000+3*topics, 1000+4*topics, 1000+5*topics), text(1001, 1002, 1003), text(1000, 1000+topics, 1000+2*topics),
	})
	if err != nil {
		t.Fatal(err)
	}
	if same, other := dot(vectors[0], vectors[1]), dot(vectors[0], vectors[2]); same < other+0.2 {
		t.Errorf("texts of one topic are as like as %g, those of others %g", same, other)
	}
	if diff := cmp.Diff(vectors[0], vectors[3]); diff != "" {
		t.Errorf("the same text has two vectors:\n%s", diff)
	}
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestPercentiles(t *testing.T) {
	t.Parallel()
	times := make([]time.Duration, 0, 200)
	for i := 200; i > 0; i-- {
		times = append(times, time.Duration(i)*time.Millisecond)
	}
	if diff := cmp.Diff(Latency{P50: 100, P95: 190, P99: 198}, latencyOf(times)); diff != "" {
		t.Errorf("of 1 to 200 ms (-want +got):\n%s", diff)
	}
	if got := percentile([]time.Duration{time.Millisecond}, 50); got != 1 {
		t.Errorf("the median of 1 ms is %g", got)
	}
}

func TestZipfSizes(t *testing.T) {
	t.Parallel()
	sizes := zipfSizes(10_000, 5)
	if diff := cmp.Diff([]int{4379, 2189, 1459, 1094, 875}, sizes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
