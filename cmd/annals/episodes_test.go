package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/slow"
)

func TestEpisodesAreShown(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--no-process", "--actor", "Alice", "--occurred-at", "2024-01-01", "I live in Paris.\n\nIt is nice.")
	var listed struct{ Episodes []struct{ ID string } }
	m.read(&listed, "episodes", "-g", "t")
	id := listed.Episodes[0].ID
	waiting := m.run("", "episodes", "show", id, "--trace", "-g", "t")
	if waiting.code != exitOK || !strings.Contains(waiting.stdout, "pending") || !strings.Contains(waiting.stderr, "Nothing was decided about it yet") {
		t.Errorf("a waiting episode: exit %d, %q, %q", waiting.code, waiting.stdout, waiting.stderr)
	}
	m.must("retry", "-g", "t")
	got := m.must("episodes", "show", strings.ToUpper(id), "--trace", "-g", "t")
	for _, want := range []string{"2024-01-01", "Alice", "done", "I live in Paris. It is nice.", "STEP", "extract facts", "Alice lives in Paris."} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	var shown struct {
		Episode struct {
			ID, Content, State string
			OccurredAt         string `json:"occurred_at"`
		}
		Trace []any
	}
	m.read(&shown, "episodes", "show", id, "-g", "t")
	if shown.Episode.Content != "I live in Paris.\n\nIt is nice." || shown.Episode.OccurredAt != "2024-01-01T00:00:00Z" || shown.Trace != nil {
		t.Errorf("without --trace: %+v", shown)
	}
	for _, tt := range []struct {
		want string
		args []string
	}{
		{`episode: "first" is no episode id; 'annals episodes' lists them`, []string{"first"}},
		{"group t has no episode 0199d1c0-0000-7000-8000-000000000000", []string{"0199d1c0-0000-7000-8000-000000000000"}},
		{`there is no group "elsewhere"`, []string{id, "-g", "elsewhere"}},
	} {
		m.run("", append([]string{"episodes", "show", "-g", "t"}, tt.args...)...).failsWith(t, tt.want)
	}
}

// A deferred episode is hidden from the language model until it is processed, also among the
// earlier messages of its thread.
func TestDeferredEpisodes(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.knowsMoves("last week")
	s.must("add", "-g", "t", "--no-llm", "--thread-id", "one", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	s.must("add", "-g", "t", "--file", s.file("chat.jsonl",
		`{"content":"I moved to Lisbon last week.","actor":"Alice","thread_id":"two","occurred_at":"2024-03-15","deferred":true}`+"\n"+
			`{"content":"Nice weather.","actor":"Bob","thread_id":"two","occurred_at":"2024-03-16","deferred":false}`+"\n"))
	for _, r := range s.server.Calls() {
		if strings.Contains(r.User, "Paris") || strings.Contains(r.User, "Lisbon") {
			t.Errorf("the model was asked %s about a deferred episode", r.Prompt)
		}
	}
	states := map[string]string{}
	var listed episodesJSON
	s.read(&listed, "episodes", "-g", "t")
	for _, e := range listed.Episodes {
		states[e.Content] = e.State
	}
	want := map[string]string{"I live in Paris.": "pending", "I moved to Lisbon last week.": "pending", "Nice weather.": "done"}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if got := s.must("search", "-g", "t", "Lisbon"); !strings.Contains(got, "I moved to Lisbon last week.") {
		t.Errorf("search does not find what is deferred:\n%s", got)
	}
	if got := s.must("retry", "-g", "t"); !strings.HasPrefix(got, "2 done, 0 failed") {
		t.Errorf("retry says %q", got)
	}
	homes := []string{"Paris 2023-01-10T00:00:00Z 2024-03-04T00:00:00Z", "Lisbon 2024-03-04T00:00:00Z –"}
	if diff := cmp.Diff(homes, s.homes()); diff != "" {
		t.Errorf("homes (-want +got):\n%s", diff)
	}
}

// The number of earlier messages shown to a model can be set for an episode, for a line, and for
// all.
func TestPreviousMessages(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := newScripted(t)
	for name, tt := range map[string]struct {
		setting, line string
		flags         []string
		want          int
	}{
		"unsaid":            {want: 4},
		"a flag":            {flags: []string{"--previous", "2"}, want: 2},
		"none":              {flags: []string{"--previous", "0"}, want: 0},
		"a line":            {line: `,"previous":1`, flags: []string{"--previous", "3"}, want: 1},
		"the setting":       {setting: "3", want: 3},
		"none by setting":   {setting: "0", want: 0},
		"a flag against it": {setting: "0", flags: []string{"--previous", "5"}, want: 5},
	} {
		s.environ["ANNALS_PREVIOUS"] = tt.setting
		group := strings.ReplaceAll(name, " ", "-")
		var before strings.Builder
		for _, number := range []string{"one", "two", "three", "four", "five", "six"} {
			before.WriteString(`{"content":"` + number + `","actor":"Bob","thread_id":"chat","occurred_at":"2024-01-01"}` + "\n")
		}
		s.must("add", "-g", group, "--llm", "offline", "--file", s.file("before.jsonl", before.String()))
		last := `{"content":"` + name + `","actor":"Alice","thread_id":"chat","occurred_at":"2024-01-02"` + tt.line + `}` + "\n"
		s.must(append([]string{"add", "-g", group, "--file", s.file("last.jsonl", last)}, tt.flags...)...)
		shown := -1 // the model was not called for the message
		for _, r := range s.server.Calls() {
			if r.Prompt == "extract_entities" && strings.Contains(r.User, "\n"+name+"\n") {
				shown = strings.Count(r.User, "<earlier ")
			}
		}
		if shown != tt.want {
			t.Errorf("%s: the model was shown %d earlier messages, want %d", name, shown, tt.want)
		}
	}
	for _, tt := range []struct{ previous, want string }{{"-1", "previous: is -1; it must be 0 to 100"}, {"101", "previous: is 101"}} {
		s.run("", "add", "-g", "t", "--previous", tt.previous, "hello").failsWith(t, tt.want)
	}
	for line, want := range map[string]string{
		`{"content":"a","previous":"two"}`: "previous: is a JSON string; it must be a whole number",
		`{"content":"a","deferred":"yes"}`: "deferred: is a JSON string; it must be a boolean: true or false",
	} {
		s.run(line, "add", "-g", "t").failsWith(t, want)
	}
}
