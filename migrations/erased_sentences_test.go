package migrations_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// buried returns a database with a group from which 1,001 sentences were erased:
// 1,000 of many lengths with the same first word, and one whose ending repeats its
// beginning.
func buried(t *testing.T) *pgx.Conn {
	t.Helper()
	conn := connect(t, pgtest.New(t))
	if _, err := conn.Exec(t.Context(), `
		INSERT INTO annals.groups (group_id) VALUES ('g');
		SELECT annals_internal.add_tombstone('g', 'sentence', format('the %s %s of case %s is kept safe', repeat('long ', n % 100), repeat('story', n % 7 + 1), n))
		FROM generate_series(1, 1000) AS n;
		SELECT annals_internal.add_tombstone('g', 'sentence', 'the long long long long and then the long long long long')`); err != nil {
		t.Fatal(err)
	}
	return conn
}

// A long text that repeats the first word of erased sentences costs about as much
// as any other of its length.
func TestErasedSentencesAreFoundInTimeThatTheTextGives(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	conn := buried(t)
	if _, err := conn.Exec(t.Context(), "SET statement_timeout = '60s'"); err != nil {
		t.Fatal(err)
	}
	const most = 1 << 20
	for name, text := range map[string]string{
		"hostile":             strings.Repeat("the ", most/4),
		"as they all begin":   strings.Repeat("the long long long long ", most/24),
		"as many ends":        strings.Repeat("the long long long long ", most/24) + strings.Repeat("of case 7 is kept safe ", 100),
		"nothing of the kind": strings.Repeat("We walked along the river until the rain came. ", most/47),
	} {
		began := time.Now()
		var found int
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM annals_internal.erased_sentences('g', $1)", text).Scan(&found); err != nil || found != 0 {
			t.Fatalf("%s: found %d in %v: %v", name, found, time.Since(began), err)
		}
		t.Logf("%s: %v", name, time.Since(began))
	}
}

// Sentences with a common beginning, end or both are told apart, and found at any
// position.
func TestErasedSentencesAreToldApart(t *testing.T) {
	t.Parallel()
	conn := buried(t)
	long := "the " + strings.Repeat("long ", 12) + strings.Repeat("story", 1) + " of case 112 is kept safe"
	for name, tt := range map[string]struct {
		text  string
		found int
	}{
		"one":                  {long, 1},
		"within others' words": {"Well, he said: " + long + ", I think.", 1},
		"over two lines":       {strings.Replace(long, " of ", "\nof ", 1), 1},
		"twice":                {long + " and " + long, 2},
		"another case":         {strings.Replace(long, "112", "113", 1), 0},
		"a word less":          {strings.Replace(long, "long ", "", 1), 0},
		"without its end":      {strings.TrimSuffix(long, " safe"), 0},
		"part of its end":      {strings.TrimSuffix(long, "e"), 0},
		"four words":           {"the long long long", 0},
		"nothing":              {"", 0},
	} {
		var found int
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM annals_internal.erased_sentences('g', $1)", tt.text).Scan(&found); err != nil || found != tt.found {
			t.Errorf("%s: found %d, want %d (%v)", name, found, tt.found, err)
		}
	}
	if _, err := conn.Exec(t.Context(), "SELECT annals_internal.add_tombstone('g', 'sentence', 'Paris is nice.')"); err == nil {
		t.Error("a sentence of three words was buried, which nothing would find")
	}
}

// TestHashesOfATextAreFew: no run of words is hashed in a long text without the
// longest words of erased sentences. In a text with a few of them, only the runs
// around them are hashed.
func TestHashesOfATextAreFew(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	conn := connect(t, pgtest.New(t))
	if _, err := conn.Exec(t.Context(), `INSERT INTO annals.groups (group_id) VALUES ('g');
		SELECT annals_internal.add_tombstone('g', 'sentence', 'My password for the bank is hunter22 and nobody knows it.')`); err != nil {
		t.Fatal(err)
	}
	plain := strings.Repeat("My walk along the river for the most part is long, and nobody minds it. ", 1<<20/72)
	for name, tt := range map[string]struct {
		text string
		most int
	}{
		"nothing of it":     {plain, 0},
		"its first word":    {strings.Repeat("My ", 1<<18), 0},
		"a word ten times":  {plain + strings.Repeat("Set a password. ", 10), 10},
		"the whole of it":   {plain + "My password for the bank is hunter22 and nobody knows it.", 2},
		"a word everywhere": {strings.ReplaceAll(plain, "river", "password"), 1<<20/72 + 1},
	} {
		began := time.Now()
		var hashed, found int
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM annals_internal.erased_run_candidates('g', $1)", tt.text).Scan(&hashed); err != nil || hashed > tt.most {
			t.Errorf("%s: %d runs are hashed, want at most %d (%v)", name, hashed, tt.most, err)
		}
		listed := time.Since(began)
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM annals_internal.erased_sentences('g', $1)", tt.text).Scan(&found); err != nil || (found > 0) != (name == "the whole of it") {
			t.Errorf("%s: found %d (%v)", name, found, err)
		}
		t.Logf("%s: listed in %v, searched in %v", name, listed, time.Since(began)-listed)
	}
}
