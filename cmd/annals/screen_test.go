package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// hostile sets a terminal's title, clears it in two ways and reverses the direction of writing.
const hostile = "x\x1b]0;owned\x07\x1b[2J\u009b2J\x7f\u202egnp\u2066"

func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Ünïcode, 世界\n\tand tabs": "Ünïcode, 世界\n\tand tabs",
		hostile:                   `x\u001b]0;owned\u0007\u001b[2J\u009b2J\u007f\u202egnp\u2066`,
		"over\rwritten\b":         `over\u000dwritten\u0008`,
		"a byte: \x9b2J, \ufffd":  "a byte: \\x9b2J, \ufffd",
		"\u200fשלום":              `\u200fשלום`,
	} {
		if got := printable(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
		if again := printable(want); again != want {
			t.Errorf("%q is shown as %q the second time", want, again)
		}
		for size := 1; size < 5; size++ { // characters that are split between writes
			var out bytes.Buffer
			s := newScreen(&out, nil)
			for i := 0; i < len(text); i += size {
				if _, err := s.Write([]byte(text[i:min(i+size, len(text))])); err != nil {
					t.Fatal(err)
				}
			}
			s.flush()
			if out.String() != want {
				t.Errorf("written by %d bytes, %q is shown as %q, want %q", size, text, out.String(), want)
			}
		}
	}
}

func TestAScreenKeepsWhatJSONSays(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	a := &app{printer: printer{stdout: newScreen(&out, nil)}}
	if err := a.printJSON(hostile); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != hostile || steering(out.String()) != "" {
		t.Errorf("%q says %q (%v)", out.String(), back, err)
	}
}

// steering returns the first character that a terminal may take for a control character.
func steering(text string) string {
	if !utf8.ValidString(text) {
		return "a byte that is no UTF-8"
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return fmt.Sprintf("%U", r)
		}
	}
	return ""
}

// silentCommands print nothing that was stored, serve, or print JSON: 'annals import' reads an
// export.
var silentCommands = append([]string{
	"", "add", "agent attach", "audit", "audit export", "audit head", "audit verify", "mark", "mark list", "trust release", "answers drop", "answers history", "answers refresh", "agent create", "agent delete", "agent import", "completion", "communities build", "doctor", "erase", "erasures", "explore", "export",
	"facts withdraw", "groups create", "import", "mcp", "mcp install", "models", "models list", "observations build", "observations history", "models pull", "prompts", "prompts show", "retention", "retention apply", "retention set", "retry", "review approve", "review edit", "review leave", "review reject", "skills record", "skills history", "skills diff", "skills export", "skills import", "serve", "triple", "undo", "up",
	"down", "usage", "version", "ontology set",
}, wholeDatabase...)

// Stored content is untrusted, and no command lets it control the terminal.
func TestStoredTextCannotSteerATerminal(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := newChatty(t)
	s.answers[""] = func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Calls: []modeltest.Call{{Name: "send_message", Arguments: map[string]any{"message": hostile}}}}
	}
	for _, prompt := range []string{"summarise_thread", "summarise_members", "combine_summaries"} {
		s.answers[prompt] = says(map[string]string{"summary": hostile})
	}
	s.answers["name_community"] = says(map[string]string{"name": hostile})
	s.answers["answer_question"] = says(map[string]any{ // no passage says this, so the passages are shown
		"reason": hostile, "known": true, "sentences": []map[string]any{{"text": hostile, "passages": []int{1}}}, "slots": []any{},
	})
	s.answers["derive_observations"] = says(map[string]any{
		"reason": hostile, "observations": []map[string]any{{"predicate": "KNOWS", "observation": hostile, "facts": []int{1, 2}, "against": []int{}}},
	})
	s.answers["extract_entities"] = func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Text: hostile} } // it is not JSON
	s.run("", "add", "--thread-id", hostile, "--actor", hostile, hostile).failsWith(t, "could not be read")
	delete(s.answers, "extract_entities")
	s.must("retry")
	s.must("triple", "Ann "+hostile, "KNOWS", "Bob "+hostile, "--fact", "Ann knows Bob, "+hostile, "--valid-at", "2023-01-10")
	s.must("triple", "Ann "+hostile, "LIKES", "Tea "+hostile, "--fact", "Ann likes tea, "+hostile)
	s.must("agent", "blocks", "sam", "--label", "human", "--set", hostile)
	var jam annals.AddedTriple
	s.read(&jam, "triple", "Ann "+hostile, "HATES", "Jam "+hostile, "--fact", "Ann hates jam, "+hostile)
	s.must("facts", "withdraw", jam.FactID.String())
	if o := s.run(`{"entity_types": [{"name": "Product", "description": `+quoted(hostile)+`}]}`, "ontology", "set", "-"); o.code != exitOK {
		t.Fatal(o.stderr)
	}
	if _, err := connect(t, s.environ["ANNALS_DATABASE_URL"]).conn.Exec(t.Context(), `UPDATE annals.groups SET name = $1`, hostile); err != nil {
		t.Fatal(err)
	}
	var facts factsJSON
	s.read(&facts, "facts")
	var episodes struct{ Episodes []struct{ ID string } }
	s.read(&episodes, "episodes")
	fact, ann := facts.Facts[0].ID, facts.Facts[0].Source
	s.must("communities", "build")
	s.must("triple", "Ann "+hostile, "KNOWS", "Bob "+hostile, "--fact", "Ann knows Bob, "+hostile, "--valid-at", "2023-01-10")
	s.must("observations", "build")

	s.answers["extract_entities"] = says(prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{{Name: "Zed", Label: "Person"}, {Name: "Rum", Label: "Drink"}}})
	s.answers["extract_facts"] = says(prompts.ExtractedFacts{Facts: []prompts.ExtractedFact{{Source: 1, Target: 2, Predicate: "LIKES", Fact: "Zed likes rum, " + hostile}}})
	s.must("add", "--role", "assistant", "--actor", hostile, "Zed likes rum.") // waits for a review
	delete(s.answers, "extract_entities")
	delete(s.answers, "extract_facts")

	if o := s.run(`{"task": `+quoted(hostile)+`, "outcome": "success", "steps": [{"tool": `+quoted(hostile)+`}]}`, "skills", "record", "-"); o.code != exitOK {
		t.Fatal(o.stderr)
	}
	var skills struct{ Skills []annals.Skill }
	s.read(&skills, "skills")
	var kept struct{ ID string }
	s.read(&kept, "ask", "--keep", "Who is Ann "+hostile+"?")

	last := episodes.Episodes[len(episodes.Episodes)-1].ID
	reading := [][]string{ // those that change something come last
		{"agent blocks", "sam"},
		{"agent chat", "sam"},
		{"agent export", "sam"},
		{"agent list"},
		{"agent run", "sam", "Hi"},
		{"answers"},
		{"answers show", kept.ID},
		{"ask", "Ann"},
		{"communities"},
		{"context", "Ann"},
		{"diff", "--from", "2020-01-01"},
		{"entities"},
		{"episodes"},
		{"episodes show", last, "--trace"},
		{"facts"},
		{"facts rejected"},
		{"groups"},
		{"history", fact},
		{"history", ann},
		{"observations"},
		{"ontology"},
		{"skills"},
		{"skills show", skills.Skills[0].ID.String()},
		{"skills approve", skills.Skills[0].ID.String()},
		{"skills leave", skills.Skills[0].ID.String()},
		{"skills reject", skills.Skills[0].ID.String()},
		{"search", "Ann", "--explain", "--scope", "fact,entity,episode,community,thread"},
		{"threads"},
		{"threads summarise", hostile},
		{"timeline"},
		{"timeline", "--lanes"},
		{"facts restore", jam.FactID.String()},
		{"facts edit", fact, "--fact", "Ann knows Bob well, " + hostile},
		{"facts confirm", fact},
		{"facts end", fact},
		{"trust set", "--thread-id", hostile},
		{"trust"},
		{"review added", "--door", "cli"},
		{"review"},
		{"entities split", ann, "--name", "Annika " + hostile, "--facts", facts.Facts[1].ID},
		{"entities rename", ann, "Anna " + hostile},
		{"entities merge", facts.Facts[0].Target, ann},
	}
	tried := map[string]bool{}
	for _, args := range reading {
		tried[args[0]] = true
		for _, form := range [][]string{nil, {"--json"}} {
			o := s.run("Hi\n", slices.Concat(strings.Fields(args[0]), args[1:], form)...)
			if sent := steering(o.stdout + o.stderr); sent != "" {
				t.Errorf("annals %q %s sends %s to the terminal:\n%q", args, form, sent, o.stdout+o.stderr)
			}
			if form != nil && args[0] != "agent chat" && o.code == exitOK && !json.Valid([]byte(o.stdout)) {
				t.Errorf("annals %q --json prints no JSON: %q", args, o.stdout)
			}
			if form == nil && args[0] != "agent list" && (o.code != exitOK || !strings.Contains(o.stdout, `\u001b`)) {
				t.Errorf("annals %q: exit %d, %q shows nothing of it\n%s", args, o.code, o.stdout, o.stderr)
			}
		}
	}
	for _, name := range leaves((&app{}).command()) {
		top, _, _ := strings.Cut(name, " ")
		if !tried[name] && !slices.Contains(silentCommands, name) && !slices.Contains(wholeDatabase, top) {
			t.Errorf("annals %s is in no list of this test: say how it is run to read what was stored", name)
		}
	}
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a string can always be encoded
	return string(text)
}
