package retrieval_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/retrieval"
)

// entity stores an entity with a summary.
func (w *world) entity(group, name, summary string) {
	w.t.Helper()
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ($1) ON CONFLICT DO NOTHING`, group)
	w.exec(`INSERT INTO annals.entities (group_id, id, name, summary) VALUES ($1, gen_random_uuid(), $2, $3)`, group, name, summary)
}

// episode stores an episode.
func (w *world) episode(group, content string) {
	w.t.Helper()
	w.exec(`INSERT INTO annals.groups (group_id) VALUES ($1) ON CONFLICT DO NOTHING`, group)
	w.exec(`INSERT INTO annals.episodes (group_id, id, content, content_hash) VALUES ($1, gen_random_uuid(), $2, '')`, group, content)
}

// byWords returns the first text that a search by words finds, of any kind.
func (w *world) byWords(text string) string {
	w.t.Helper()
	result, err := w.search.Search(w.t.Context(), retrieval.Query{
		GroupID: "g", Text: text, Methods: []retrieval.Method{retrieval.MethodTerms},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	switch {
	case len(result.Facts) > 0:
		return result.Facts[0].Fact.Fact
	case len(result.Entities) > 0:
		return result.Entities[0].Summary
	case len(result.Episodes) > 0:
		return result.Episodes[0].Content
	case len(result.Communities) > 0:
		return result.Communities[0].Summary
	}
	return ""
}

// Words are found in scripts that are written without spaces, with or without
// accents, and in any form of the same letters.
func TestWordsOfAllScripts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("g", "Zoë moved to Zürich and opened a cafe\u0301.", "[2024-01-01,)")
	w.fact("g", "小林先生住在大阪府。", "[2024-01-01,)")
	w.entity("g", "Tanaka", "彼女はトウキョウで働くエンジニアです。")
	w.entity("g", "Somchai", "ผมชอบกินข้าวผัดที่เชียงใหม่")
	w.entity("g", "Seng", "ຂ້ອຍຢູ່ວຽງຈັນ")
	w.entity("g", "Sok", "ខ្ញុំរស់នៅភ្នំពេញ")
	w.entity("g", "Thiha", "ကျွန်တော်ရန်ကုန်မှာနေတယ်")
	w.episode("g", "我养了一只猫，在iPhone手机上有照片。")
	w.episode("g", "저는 부산 대학교에 다녀요.")
	w.exec(`INSERT INTO annals.communities (group_id, id, name, summary) VALUES ('g', gen_random_uuid(), '登山', '𠮷野家族每年登山')`)
	for _, tt := range []struct{ query, want string }{
		{"Zurich", "Zürich"},
		{"Zu\u0308rich", "Zürich"},
		{"ZÜRICH", "Zürich"},
		{"café", "Zürich"},
		{"cafe", "Zürich"},
		{"小林住在哪里", "大阪"},
		{"大阪", "大阪"},
		{"阪", "大阪"},
		{"府", "大阪"},
		{"ﾄｳｷｮｳ", "トウキョウ"},
		{"エンジニア", "エンジニア"},
		{"ข้าวผัด", "เชียงใหม่"},
		{"ວຽງຈັນ", "ວຽງຈັນ"},
		{"ភ្នំពេញ", "ភ្នំពេញ"},
		{"ရန်ကုန်", "ရန်ကုန်"},
		{"猫", "猫"},
		{"手机 照片", "猫"},
		{"iPhone", "猫"},
		{"부산", "부산"},
		{"登山", "登山"},
		{"𠮷野", "登山"},
	} {
		if got := w.byWords(tt.query); !strings.Contains(got, tt.want) {
			t.Errorf("%s: found %q first, want what holds %s", tt.query, got, tt.want)
		}
	}
	for _, query := range []string{"林大", "东京", "ü"} {
		if got := w.byWords(query); got != "" {
			t.Errorf("%s: found %q, want nothing", query, got)
		}
	}
}

// The longest texts with all letters different can be stored.
func TestLongTextsWithoutSpaces(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t)
	letters := make([]rune, 0, 120_000)
	for r := rune(0x20000); len(letters) < cap(letters); r++ {
		letters = append(letters, 0x20000+(r*7919)%0x1fff0)
	}
	w.episode("g", string(letters))
	w.episode("g", strings.Repeat("ﷺ京", 50_000))
	for _, at := range []int{100, 39_000} {
		if asked, got := string(letters[at:at+10]), w.byWords(string(letters[at:at+10])); !strings.Contains(got, asked) || len([]rune(got)) > 2010 {
			t.Errorf("found %d letters of a text of %d, want the passage with %s", len([]rune(got)), len(letters), asked)
		}
	}
}

func TestSegmented(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		text    string
		singles bool
		want    []string
	}{
		{"plain words", true, []string{"plain", "words"}},
		{"", true, nil},
		{"猫", true, []string{"猫"}},
		{"东京塔 is 高", false, []string{"东京", "京塔", "is", "高"}},
		{"东京塔 is 高", true, []string{"东京", "京塔", "is", "高", "东", "京", "塔"}},
		{"5月3日", false, []string{"5", "月", "3", "日"}},
		{"부산 대학교", true, []string{"부산", "대학교"}},
	} {
		var got string
		if err := w.pool.QueryRow(t.Context(), `SELECT annals_internal.segmented($1, $2)`, tt.text, tt.singles).Scan(&got); err != nil {
			t.Fatal(err)
		}
		words, want := strings.Fields(got), slices.Clone(tt.want)
		slices.Sort(words)
		slices.Sort(want)
		if !slices.Equal(words, want) {
			t.Errorf("%q becomes %q, want %q", tt.text, words, want)
		}
	}
}
