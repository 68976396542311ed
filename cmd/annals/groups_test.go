package main

import (
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/slow"
)

func TestGroupsAreListed(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	if o := m.run("", "groups"); o.code != exitOK || o.stdout != "" || !strings.Contains(o.stderr, "'annals add' makes one") {
		t.Errorf("before there is one: %+v", o)
	}
	m.must("add", "-g", "alice", "--actor", "Alice", "--occurred-at", "2023-01-10", "I live in Paris.")
	m.makeGroup("bob")
	want := "GROUP  NAME  KIND   EPISODES  ENTITIES  FACTS  LAST EPISODE  LANGUAGE\n" +
		"alice        graph  1         2         1      2023-01-10    english until it is detected\n" +
		"bob          graph  0         0         0      –             english until it is detected\n"
	if got := m.must("groups"); got != want {
		t.Errorf("the groups are\n%s\nwant\n%s", got, want)
	}
	var got struct{ Groups []groupJSON }
	m.read(&got, "groups")
	if len(got.Groups) != 2 || got.Groups[0].ID != "alice" || got.Groups[0].Facts != 1 || got.Groups[0].LastEpisodeAt == nil || got.Groups[1].LastEpisodeAt != nil {
		t.Errorf("as JSON: %+v", got.Groups)
	}
	if got.Groups[0].Language != "english" || got.Groups[0].LanguageFrom != "default" {
		t.Errorf("the language of alice is %+v", got.Groups[0])
	}
	if o := m.run("", "groups", "--limit", "1"); !strings.Contains(o.stderr, "--after alice") || strings.Contains(o.stdout, "bob") {
		t.Errorf("with a limit: %+v", o)
	}
	m.read(&got, "groups", "--after", "alice")
	if len(got.Groups) != 1 || got.Groups[0].ID != "bob" {
		t.Errorf("after alice: %+v", got.Groups)
	}
	m.run("", "groups", "--limit", "0").failsWith(t, "limit")
	m.environ["ANNALS_TENANT"] = "bob"
	if got := m.must("groups"); strings.Contains(got, "alice") || !strings.Contains(got, "bob") {
		t.Errorf("a tenant is told of\n%s", got)
	}
}

// The list of memories and doctor show the language of each memory, and whether it was detected or
// set.
func TestLanguagesAreTold(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "anna", "--actor", "Anna", "Ich wohne seit dem Frühling mit meiner Familie in Graz und arbeite bei Siemens.")
	m.makeGroup("bob")
	m.psql("sql", "UPDATE annals.groups SET text_search = 'annals.english' WHERE group_id = 'bob'")
	for group, want := range map[string]string{"anna": "german, detected", "bob": "english, set"} {
		for _, line := range strings.Split(m.must("groups"), "\n") {
			if strings.HasPrefix(line, group) && !strings.HasSuffix(line, want) {
				t.Errorf("groups tells %q of %s, want %q", line, group, want)
			}
		}
		if got := m.must("doctor", "--no-models", "-g", group); !strings.Contains(got, want) {
			t.Errorf("the doctor does not tell that %s has %q:\n%s", group, want, got)
		}
		var report doctorJSON
		if m.read(&report, "doctor", "--no-models", "-g", group); report.Language+", "+report.LanguageFrom != want {
			t.Errorf("the doctor's report of %s has %q, %q", group, report.Language, report.LanguageFrom)
		}
	}
}

// A command that needs an existing memory suggests a name that may be meant, and does nothing. A
// command that creates memories creates it.
func TestAGroupThatIsNotThere(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	m := newMemory(t)
	m.run("", "facts", "-g", "alice").failsWith(t, `there is no group "alice"; 'annals add' makes it`)
	m.must("add", "-g", "alice", "--actor", "Alice", "I live in Paris.")
	m.must("add", "-g", "quite-another", "--actor", "Alice", "I live in Oslo.")
	makes := map[string]bool{
		"add": true, "import": true, "triple": true, "ontology set": true, "retention set": true, "trust set": true, "agent create": true, "agent import": true, "skills record": true, "skills import": true, "mcp": true, "mcp install": true,
		"doctor": true, "groups": true, "groups create": true, // they are about all groups
		"erasures": true, // also of removed groups
	}
	for name, args := range tenantArgs {
		if makes[name] || len(name) == 0 || strings.HasPrefix(name, "trace") || strings.HasSuffix(name, " trace") || strings.HasSuffix(name, "summarize") || name == "ontology show" {
			continue
		}
		line := append(append([]string{"-g", "alcie"}, strings.Fields(name)...), args...)
		if name == "agent delete" {
			line = append(line, "--yes")
		}
		m.run("", line...).failsWith(t, `there is no group "alcie"; did you mean "alice"?`)
	}
	m.run("", "erase", "--user", "alcie", "--yes").failsWith(t, `did you mean "alice"?`)
	m.run("", "facts", "-g", "ali").failsWith(t, `did you mean "alice"?`)
	m.run("", "facts", "-g", "zzzzzz").failsWith(t, `there is no group "zzzzzz"; 'annals groups' lists those there are`)
	// A tenant is not told of other groups.
	m.environ["ANNALS_TENANT"] = "alcie"
	if o := m.run("", "facts"); o.code != exitFailed || o.stderr != "annals: there is no group \"alcie\"; 'annals add' makes it\n" {
		t.Errorf("a tenant: %+v", o)
	}
	m.must("add", "--actor", "Alice", "I live in Rome.")
	if got := m.must("facts"); !strings.Contains(got, "Rome") {
		t.Errorf("the tenant's own: %q", got)
	}
}

// The help has chapters, with each command in one.
func TestHelpIsInChapters(t *testing.T) {
	t.Parallel()
	help := (&memory{t: t, environ: map[string]string{}}).must("--help")
	at := 0
	for _, title := range []string{"Remember and ask\n", "Time\n", "Correct", "Serve\n", "Database\n", "Models\n", "Try\n", "Additional Commands:\n"} {
		next := strings.Index(help, "\n"+title)
		if next < at {
			t.Errorf("%q is not where it belongs in\n%s", title, help)
		}
		at = next
	}
	rest := help[at:strings.Index(help, "\nFlags:")]
	if got := strings.Fields(rest); strings.Count(rest, "\n  ") != 3 || !strings.Contains(rest, "  version ") {
		t.Errorf("outside of all chapters: %q", got)
	}
}
