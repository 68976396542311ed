package migrations_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/pgtest"
)

// TestFold: texts that look alike to a reader fold to the same, and no others do.
func TestFold(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	fold := func(s string) string {
		t.Helper()
		var folded string
		if err := conn.QueryRow(t.Context(), `SELECT annals_internal.fold_text($1)`, s).Scan(&folded); err != nil {
			t.Fatal(err)
		}
		return folded
	}
	const said = "my pin is 4711 ok"
	for _, same := range []string{
		"My PIN is 4711, OK.", "my  pin\tis\n4711 ok", "Мy ріn іs 4711 оk", "my ρiη is 4711 οk", "my\u200b pin is 47\u00ad11 ok", "\u202emy pin\u202c is 4711 ok",
		"ｍｙ ｐｉｎ ｉｓ ４７１１ ｏｋ", "mý pïn ís 4711 ök", "\ufeffmy p\u2060in is 4711\ufe0f ok", "my – pin – is “4711” ok…", "m\U000e0061y pin is 4711 ok",
	} {
		if got := fold(same); got != said {
			t.Errorf("fold(%q) = %q; want %q", same, got, said)
		}
	}
}

// TestFoldKeepsApart: scripts without Latin look-alikes keep their letters, and a
// text with letters never folds to the empty text.
func TestFoldKeepsApart(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	seen := map[string]string{}
	for _, said := range []string{
		"我住在巴黎", "我住在里昂", "أسكن في باريس", "أسكن في ليون", "मैं पेरिस में रहता हूँ", "मैं लियोन में रहता हूँ", "나는 파리에 산다", "나는 리옹에 산다",
		"パリに住んでいます", "リヨンに住んでいます", "Я живу в Париже", "Я живу в Лионе", "Ζω στο Παρίσι", "Ζω στη Λυών", "אני גר בפריז", "אני גר בליון",
		"ฉันอยู่ปารีส", "ฉันอยู่ลียง", "I write C", "I write C++", "😀 yes", "😡 yes", "в", "ё", "ـا",
	} {
		var folded string
		if err := conn.QueryRow(t.Context(), `SELECT annals_internal.fold_text($1)`, said).Scan(&folded); err != nil {
			t.Fatal(err)
		}
		if folded == "" {
			t.Errorf("fold(%q) is empty", said)
		}
		if other, ok := seen[folded]; ok {
			t.Errorf("fold(%q) = fold(%q) = %q", said, other, folded)
		}
		seen[folded] = said
	}
}

// TestFoldIsOneForASCII: ASCII text folds alike alone and beside other letters.
func TestFoldIsOneForASCII(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `
		SELECT format('%s: %L and %L', n, annals_internal.fold_text(s.text || 'e'), annals_internal.fold_text(s.text || U&'\00e9'))
		FROM generate_series(1, 127) AS n
		CROSS JOIN LATERAL (VALUES ('A' || chr(n) || 'b'), ('A' || chr(n) || chr(n) || ' ' || chr(n) || 'B '), (chr(n) || ' x ')) AS s(text)
		WHERE annals_internal.fold_text(s.text || 'e') <> annals_internal.fold_text(s.text || U&'\00e9')`)
	if err != nil {
		t.Fatal(err)
	}
	if wrong, err := pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || len(wrong) > 0 {
		t.Errorf("folded otherwise: %q (%v)", wrong, err)
	}
}
