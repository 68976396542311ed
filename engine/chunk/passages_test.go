package chunk_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/engine/chunk"
)

func TestPassages(t *testing.T) {
	t.Parallel()
	degree := "I graduated with a degree in Business Administration, which helps me every day at my new job."
	tips := "Do you have any tips on how to keep all of my paperwork in order, week after week, without much work?"
	many := strings.Repeat(degree+" ", 30)
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                      {"", nil},
		"white space":                  {" \n\t ", nil},
		"one sentence":                 {degree, nil},
		"short sentences":              {"Yes. I did. It was good.", nil},
		"two long ones":                {degree + " " + tips, []string{degree, tips}},
		"lines":                        {degree + "\n\n" + tips + "\n", []string{degree, tips}},
		"a short one joins the next":   {"Hi! " + degree + " " + tips, []string{"Hi! " + degree, tips}},
		"a short one before the end":   {degree + " " + tips + " Thanks!", []string{degree, tips, "Thanks!"}},
		"too long to be joined":        {"Well, thank you so much for all of that, it helps. " + degree + degree + " " + tips, []string{"Well, thank you so much for all of that, it helps.", degree + degree, tips}},
		"no more than twelve":          {many, slicesOf(strings.TrimSpace(strings.Repeat(degree+" ", 3)), 10)},
		"no sentence ends, no passage": {strings.Repeat("and so on ", 300), nil},
	} {
		if diff := cmp.Diff(tt.want, chunk.Passages(tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func slicesOf(s string, n int) (many []string) {
	for range n {
		many = append(many, s)
	}
	return many
}

func FuzzPassages(f *testing.F) {
	for _, seed := range []string{"", "I moved. I like it here.\n\nDo you?", strings.Repeat("Es war schön! ", 90), "\xff. \x00", "。你好。"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		passages := chunk.Passages(text)
		if len(passages) == 1 || len(passages) > 12 {
			t.Errorf("%d passages", len(passages))
		}
		if got := strings.Join(strings.Fields(strings.Join(passages, " ")), ""); len(passages) > 0 && got != strings.Join(strings.Fields(text), "") {
			t.Errorf("the passages of %q say %q", text, got)
		}
	})
}
