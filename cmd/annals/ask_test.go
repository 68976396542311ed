package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/slow"
)

// An answer shows the facts that answer the question, with their messages. If none do, the shown
// text is called passages. A question about something never stated gets "not known".
func TestAskPrintsWhatAnswers(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	for _, said := range [][2]string{
		{"2023-01-10", "I live in Paris."}, {"2024-03-15", "I moved to Lisbon last week."}, {"2024-03-16", "The new bakery has fine bread."},
	} {
		m.must("add", "-g", "t", "--actor", "Alice", "--occurred-at", said[0], said[1])
	}
	const cites = ` \[fact [0-9a-f-]{36}, episode [0-9a-f-]{36}\]\n`
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"Where does Alice live?"}, `^Alice moved to Lisbon in the week of 4 March 2024\. \(since the week of 4 March 2024\)` + cites + "$"},
		{
			[]string{"Does Alice still live in Paris?"},
			`^Alice lives in Paris\. \(known from 10 January 2023 until the week of 4 March 2024\)` + cites + `Alice moved to Lisbon .*` + cites + "$",
		},
		{[]string{"--as-of", "2023-06-01", "Where does Alice live?"}, `^Alice lives in Paris\. .*` + cites + "$"},
		{[]string{"What is Alice's blood type?"}, `^Not known\.\n$`},
	} {
		got := m.must(append([]string{"ask", "-g", "t"}, tt.args...)...)
		if !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("ask %s:\n%swant %s", strings.Join(tt.args, " "), got, tt.want)
		}
	}
}
