package construct_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
)

// everywhere puts one text wherever outside text can stand.
func everywhere(s string) retrieval.Result {
	return retrieval.Result{
		Facts:       []retrieval.FactHit{{Fact: graph.Fact{Fact: s, Source: s, Target: s, Predicate: s}}},
		Entities:    []retrieval.EntityHit{{Entity: graph.Entity{Name: s, Summary: s, Aliases: []string{s}, Labels: []string{s}}}},
		Communities: []retrieval.CommunityHit{{Community: graph.Community{Name: s, Summary: s}}},
		Episodes: []retrieval.EpisodeHit{{Episode: graph.Episode{
			Actor: s, Role: s, Source: graph.Source(s), Name: s, ThreadID: s, Content: s,
		}}},
	}
}

// xml is a template with tags of its own that shows every text.
const xml = `<memory>
{{range .Facts}}<fact id="1">{{.Fact}}{{.Source}}{{.Predicate}}{{.Target}}</fact>
{{end}}{{range .Entities}}<who>{{.Name}}{{range .Aliases}}{{.}}{{end}}{{range .Labels}}{{.}}{{end}}{{.Summary}}</who>
{{end}}{{range .Communities}}<who>{{.Name}}{{.Summary}}</who>
{{end}}{{range .Episodes}}<said>{{.Speaker}}{{.Role}}{{.Source}}{{.Name}}{{.Thread}}{{.Content}}</said>
{{end}}</memory>`

// longer is the rest of a word.
var longer = regexp.MustCompile(`^\w`)

// tagsIn lists the tags of a text as a lenient reader sees them: in any case,
// with space or something invisible in them.
func tagsIn(text string, ours ...string) []string {
	text = strings.Map(func(r rune) rune { // invisible characters inside of a tag change nothing
		if !unicode.IsSpace(r) && unicode.In(r, unicode.C, unicode.Mn, unicode.Me) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	unseen := func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.C) }
	var found []string
	for _, rest := range strings.Split(text, "<")[1:] {
		rest, end := strings.CutPrefix(strings.TrimLeftFunc(rest, unseen), "/")
		rest = strings.ToLower(strings.TrimLeftFunc(rest, unseen))
		for _, name := range ours {
			if after, ok := strings.CutPrefix(rest, name); ok && !longer.MatchString(after) {
				if end {
					name = "/" + name
				}
				found = append(found, name)
			}
		}
	}
	return found
}

// Whatever a text holds, the context string has the tags, lines and citations that it has with a
// harmless text.
func TestDataCannotBreakTheStructure(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"<", ">", "</", "< /", "<\u200b/", "<\n", "/", "\n", "\r\n", " ", "\u00a0", "\u2028", "‹", "\x00", "\xff",
		"{{.Facts}}", "{{end}}", "{{", "%s", "$1", "- ", "facts", "FACTS>", "</FACTS>", "<Entities>", "</entities >", "communities", "EPISODES",
		"</memory>", "memory", "fact", "who", "/said>", "<said", "[f:0199d1c0]", "[", "f:0199d1c0", "<|im_end|>", "[INST]", "</s>",
		"</FA\u200bCTS>", "</\u00admemory>", "＜/fact>", "</EPIS\u0301ODES>", "</who\ufe0f>", "<said\u0488A<",
	}
	hostile := rapid.Custom(func(t *rapid.T) string {
		return "x" + strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.String()), 0, 10).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		text := hostile.Draw(t, "text")
		for _, c := range []construct.Construction{{}, {Template: xml}, {Tokens: 100_000, Citations: true}} {
			want, err := c.Construct(everywhere("x"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Construct(everywhere(text))
			if err != nil {
				t.Fatal(err)
			}
			ours := []string{"facts", "entities", "communities", "episodes"}
			if c.Template != "" {
				ours = []string{"memory", "fact", "who", "said"}
			}
			if diff := cmp.Diff(tagsIn(want, ours...), tagsIn(got, ours...)); diff != "" {
				t.Fatalf("%q changed the tags (-harmless +hostile):\n%s", text, diff)
			}
			if c.Template == "" && strings.Count(got, "\n") != strings.Count(want, "\n") {
				t.Fatalf("%q changed the lines:\n%s", text, got)
			}
			if strings.Count(got, "[f:") != strings.Count(want, "[f:") && strings.Contains(got, "[f:0199d1c0") {
				t.Fatalf("%q forged a citation:\n%s", text, got)
			}
			if strings.Contains(got, "<|") || strings.Contains(got, "[INST]") || strings.Contains(got, "</s>") {
				t.Fatalf("%q holds marks of chat templates:\n%s", text, got)
			}
		}
	})
}

// The text of a template neither completes a bracket at the end of a stored text nor opens a tag in
// another script.
func TestTagsOfTemplates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ template, text, want string }{
		{"<b>{{range .Facts}}{{.Fact}}/b> and on{{end}}</b>", "x <", "<b>x ‹/b> and on</b>"},
		{"<b>{{range .Facts}}{{.Fact}}/b> and on{{end}}</b>", "x < y", "<b>x < y/b> and on</b>"},
		{"<факты>{{range .Facts}}{{.Fact}}{{end}}</факты>", "</Факты><факт>", "<факты>‹/Факты><факт></факты>"},
		{"<a-b>{{range .Facts}}{{.Fact}}{{end}}</a-b>", "</a-b></a></a-b-c></ab><a-b<a-b", "<a-b>‹/a-b></a>‹/a-b-c></ab>‹a-b‹a-b</a-b>"},
		{"none {{range .Facts}}{{.Fact}}{{end}}", "</FACTS></b>", "none ‹/FACTS></b>"}, // it may stand in a prompt
	} {
		got, err := construct.Construction{Template: tt.template}.Construct(everywhere(tt.text))
		if err != nil || got != tt.want {
			t.Errorf("%s with %s gives %s, %v; want %s", tt.template, tt.text, got, err, tt.want)
		}
	}
}

func TestHarmlessTextStays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a < b && b > c", `{"html":"<b>bold</b>","n":[1, 2]}`, "<factory> and <memo>", "[1] [f:x]", "{{.Facts}} $1 %d", "Здравствуй, 世界 👋🏽",
	} {
		for _, template := range []string{"", xml} {
			got, err := construct.Construction{Template: template}.Construct(everywhere(text))
			if err != nil || strings.Count(got, text) < 6 {
				t.Errorf("%q does not stay as it is: error %v\n%s", text, err, got)
			}
		}
	}
}

// A template may show contents with their line breaks, but not with long runs of
// white space.
func TestContentInTemplates(t *testing.T) {
	t.Parallel()
	c := construct.Construction{Template: "{{range .Episodes}}{{.Content}}|{{oneLine .Content}}{{end}}"}
	for content, want := range map[string]string{
		"a\n\n  b":                           "a\n\n  b|a b",
		" a ":                                " a |a",
		"a" + strings.Repeat(" ", 64) + "b":  "a" + strings.Repeat(" ", 64) + "b|a b",
		"a" + strings.Repeat(" ", 65) + "b":  "a b|a b",
		strings.Repeat("\n ", 400_000) + "b": "\n\nb|b",
		strings.Repeat("\u3000", 22) + "b":   " b|b",
	} {
		got, err := c.Construct(everywhere(content))
		if err != nil || got != want {
			t.Errorf("%.80q gives %q, %v; want %q", content, got, err, want)
		}
	}
}

// Every citation shown finds what it stands for, and none is longer than needed.
func TestCitationsFindTheirHits(t *testing.T) {
	t.Parallel()
	ids := rapid.Custom(func(t *rapid.T) uuid.UUID { // many that begin alike
		id := uuid.MustParse("0199d1c0-4a10-7c3e-8f00-000000000000")
		id[rapid.IntRange(0, 15).Draw(t, "byte")] = rapid.Byte().Draw(t, "value")
		return id
	})
	const cites = "{{range .Facts}}{{.Cite}} {{range .Sources}}{{.}} {{end}}{{end}}{{range .Entities}}{{.Cite}} {{end}}" +
		"{{range .Communities}}{{.Cite}} {{end}}{{range .Episodes}}{{.Cite}} {{end}}"
	rapid.Check(t, func(t *rapid.T) {
		var r retrieval.Result
		var want []string
		for _, id := range rapid.SliceOfNDistinct(ids, 0, 12, rapid.ID).Draw(t, "facts") {
			source := ids.Draw(t, "source")
			f := graph.Fact{ID: id, Fact: id.String(), Episodes: []uuid.UUID{source}}
			r.Facts = append(r.Facts, retrieval.FactHit{Fact: f})
			want = append(want, "fact "+id.String(), "episode "+source.String())
		}
		for _, id := range rapid.SliceOfNDistinct(ids, 0, 12, rapid.ID).Draw(t, "entities") {
			r.Entities = append(r.Entities, retrieval.EntityHit{Entity: graph.Entity{ID: id}})
			want = append(want, "entity "+id.String())
		}
		for _, id := range rapid.SliceOfNDistinct(ids, 0, 12, rapid.ID).Draw(t, "communities") {
			r.Communities = append(r.Communities, retrieval.CommunityHit{Community: graph.Community{ID: id}})
			want = append(want, "community "+id.String())
		}
		for _, id := range rapid.SliceOfNDistinct(ids, 0, 12, rapid.ID).Draw(t, "episodes") {
			r.Episodes = append(r.Episodes, retrieval.EpisodeHit{Episode: graph.Episode{ID: id}})
			want = append(want, "episode "+id.String())
		}
		text, err := construct.Construction{Citations: true, Template: cites}.Construct(r)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for citation := range strings.FieldsSeq(text) {
			kind, id, ok := r.Cited(citation)
			if !ok {
				t.Fatalf("%s is not found", citation)
			}
			got = append(got, string(kind)+" "+id.String())
			if shorter := strings.TrimSuffix(citation, "]"); len(shorter) > len("[f:0199d1c0") {
				if _, id, ok := r.Cited(shorter[:len(shorter)-1]); ok {
					t.Fatalf("%s is longer than needed for %s", citation, id)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

func TestCitedOfNothing(t *testing.T) {
	t.Parallel()
	for _, citation := range []string{"", "[]", "[f:]", "f", ":", "[f:0199d1c0]", "[x:0199d1c0-4a]", "[f:0199d1c0-4a10-7c3e-8f00-0000000000010]", "[n:0199d1b]"} {
		if kind, id, ok := lisbon().Cited(citation); ok {
			t.Errorf("%s stands for the %s %s", citation, kind, id)
		}
	}
	for _, citation := range []string{"[f:0199d1c0-4a]", "f:0199D1C0-4A10", " [f:0199d1c0-4a10-7c3e-8f00-000000000001] "} {
		if _, id, ok := lisbon().Cited(citation); !ok || id != lisbon().Facts[0].ID {
			t.Errorf("%s stands for %s, %t", citation, id, ok)
		}
	}
}
