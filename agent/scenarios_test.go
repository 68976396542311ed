package agent_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model/modeltest"
)

// The five scenarios of MemGPT: memory pressure, retrieval of messages that left the context,
// correction, deep memory retrieval, and questions about a long document.

const small = 5000 // a window that a few dozen messages fill

// idle answers every message with the same words.
func idle(modeltest.Request) modeltest.Reply { return say("I see.") }

// lastTurn returns the last text of a request.
func lastTurn(r modeltest.Request) string { return r.Turns[len(r.Turns)-1].Text }

func holds(r modeltest.Request, text string) bool {
	for _, turn := range r.Turns {
		if strings.Contains(turn.Text, text) {
			return true
		}
	}
	return strings.Contains(r.System, text)
}

// chatter sends messages without facts, of about 60 tokens each.
func (w *world) chatter(a *agent.Agent, n int) {
	w.Helper()
	for i := range n {
		w.tell(a, fmt.Sprintf("Small talk number %d: the weather is fair, the coffee is warm, the train was on time, and nothing else of note has "+
			"happened since we last spoke, except that the cat of my neighbour sat on the wall and looked at the birds.", i))
	}
}

func TestMemoryPressureSavesFacts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.window = small
	a := w.create(agent.Settings{Window: small, Answer: 500})
	saved := false
	w.script.answer = func(r modeltest.Request) modeltest.Reply {
		if strings.Contains(lastTurn(r), `"type":"pressure"`) && !saved {
			saved = true
			return goOn("core_memory_append", map[string]any{"name": "human", "content": "Birthday: 7 February. Likes Taylor Swift."})
		}
		return say("I see.")
	}
	w.tell(a, "My birthday is on February 7, and I like Taylor Swift.")
	w.chatter(a, 30)
	if !saved {
		t.Fatal("the model was not warned")
	}
	if got := w.block(a, "human").Value; got != "Birthday: 7 February. Likes Taylor Swift." {
		t.Errorf("human says %q", got)
	}
	last := w.script.last()
	if holds(last, "My birthday is on") || !strings.Contains(last.System, "Birthday: 7 February") || !holds(last, `"type":"summary"`) {
		t.Errorf("the message left the context for the block and a summary; the model reads\n%s\n%+v", last.System, last.Turns)
	}
	var pressed int
	for _, m := range w.messages(a) {
		if m.Kind == agent.KindPressure {
			pressed++
		}
	}
	stats, err := w.agents.Open(t.Context(), "g", "sam")
	w.try(err)
	if pressed == 0 || stats.InContext == stats.Messages {
		t.Errorf("%d warnings, %d of %d messages in context", pressed, stats.InContext, stats.Messages)
	}
}

func TestRetrievalOfWhatLeftTheContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.window, w.script.answer = small, idle
	a := w.create(agent.Settings{Window: small, Answer: 500})
	w.tell(a, "I went to Six Flags yesterday, and the roller coaster called Goliath was the best.")
	w.chatter(a, 40)
	if holds(w.script.last(), "Goliath") {
		t.Fatal("the message is still in the context")
	}
	w.script.answer = func(r modeltest.Request) modeltest.Reply {
		if r.Turns[len(r.Turns)-1].Role == "tool" {
			if !strings.Contains(lastTurn(r), "Goliath") {
				t.Errorf("the search found %s", lastTurn(r))
			}
			return say("It was Goliath, at Six Flags!")
		}
		return goOn("conversation_search", map[string]any{"query": "six flags"})
	}
	turn := w.tell(a, "What was that ride called that I was on?")
	if len(turn.Messages) != 1 || !strings.Contains(turn.Messages[0], "Goliath") {
		t.Errorf("the agent says %q", turn.Messages)
	}
}

func TestCorrectionByReplace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	a := w.create(agent.Settings{}, agent.Block{Label: "human", Value: "Boyfriend: James. Likes horror films."})
	w.script.answer = steps(
		goOn("core_memory_replace", map[string]any{"name": "human", "old_content": "Boyfriend: James", "new_content": "Ex-boyfriend: James"}),
		say("I am sorry to hear that."),
	)
	w.tell(a, "Actually, James and I broke up.")
	if got := w.block(a, "human").Value; got != "Ex-boyfriend: James. Likes horror films." {
		t.Errorf("human says %q", got)
	}
	if system := w.script.last().System; !strings.Contains(system, "Ex-boyfriend: James.") {
		t.Errorf("the model still reads %s", system)
	}
}

var shownPage = regexp.MustCompile(`page (\d+), the last is (\d+)`)

// pager pages through a search until a page has the wanted text.
func pager(t *testing.T, function, query, wanted, answer string, visited *int) func(modeltest.Request) modeltest.Reply {
	return func(r modeltest.Request) modeltest.Reply {
		last := ""
		for _, turn := range r.Turns { // the last may be a warning that the context is filling up
			if turn.Role == "tool" && shownPage.MatchString(turn.Text) {
				last = turn.Text
			}
		}
		if strings.Contains(last, wanted) {
			return say(answer)
		}
		page := shownPage.FindStringSubmatch(last)
		switch {
		case page == nil:
			return goOn(function, map[string]any{"query": query, "page": *visited})
		case page[1] == page[2]:
			t.Errorf("%s ended with %s", function, last)
			return say("I do not know.")
		}
		*visited++
		return goOn(function, map[string]any{"query": query, "page": *visited})
	}
}

func TestDeepMemoryRetrievalByPaging(t *testing.T) {
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.window, w.script.answer = small, idle
	a := w.create(agent.Settings{Window: small, Answer: 500})
	for i := range 12 {
		w.tell(a, fmt.Sprintf("The artist of day %d at the gallery was painter number %d, an artist I did not care for.", i, i))
	}
	w.tell(a, "The artist I cannot stop listening to is Taylor Swift, by the way.")
	for i := range 12 {
		w.tell(a, fmt.Sprintf("Another artist, another artist of evening %d: sculptor number %d.", i, i))
	}
	w.chatter(a, 30)
	visited := 0
	w.script.answer = pager(t, "conversation_search", "artist", "Taylor Swift", "It was Taylor Swift!", &visited)
	turn := w.tell(a, "Who was that artist you mentioned you could get into?")
	if len(turn.Messages) != 1 || turn.Messages[0] != "It was Taylor Swift!" || visited == 0 {
		t.Errorf("the agent says %q after page %d", turn.Messages, visited)
	}
}

// The text has twenty times as many tokens as the window. The answer is in its middle, after pages
// that match the question better.
func TestDocumentQuestionsByPagingTheArchive(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w := newWorld(t, agent.Options{})
	w.script.window = small
	a := w.create(agent.Settings{Window: small, Answer: 500, MaxSteps: 60})
	const hidden, line = 2417, 2417 + 1 + 2417/80 + 1 // the chapter, and the line after it
	var book strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&book, "Chapter %d tells of the voyage along the river, of its towns and its people, and of the captain who kept the log.\n", i)
		if i%80 == 0 {
			book.WriteString("The ship's cat, as a ship's cat will, slept on deck.\n")
		}
		if i == hidden {
			book.WriteString("Deep in the hold, the ship's cat was called Nebuchadnezzar.\n")
		}
	}
	file, err := a.Attach(t.Context(), "voyage.txt", book.String())
	w.try(err)
	if n := counts.of(t, book.String()); n < 20*small || file.Chunks < 400 || file.Lines != 4051 {
		t.Fatalf("attached %d tokens as %+v", n, file)
	}
	visited := 0
	w.script.answer = pager(t, "archival_memory_search", "the ship's cat", "Nebuchadnezzar", "Nebuchadnezzar.", &visited)
	turn := w.tell(a, "What was the ship's cat called?")
	if len(turn.Messages) != 1 || turn.Messages[0] != "Nebuchadnezzar." || visited < 3 {
		t.Errorf("the agent says %q after page %d", turn.Messages, visited)
	}
	w.script.answer = steps(
		goOn("grep_files", map[string]any{"pattern": "nebuchad.*\\.", "context_lines": 1}),
		goOn("open_files", map[string]any{"file_requests": []any{map[string]any{"file_name": "voyage.txt", "offset": line - 2, "length": 4}}}),
		say("There it is."),
	)
	turn = w.tell(a, "Show me.")
	if got := results(turn); !strings.Contains(got, fmt.Sprintf("voyage.txt:%d: Deep in the hold", line)) {
		t.Errorf("grep found %s", got)
	}
	if system := w.script.last().System; !strings.Contains(system, "Deep in the hold") || !strings.Contains(system, fmt.Sprintf("Chapter %d ", hidden+1)) || strings.Contains(system, fmt.Sprintf("Chapter %d ", hidden+2)) {
		t.Errorf("the open lines are not in the context: %s", system)
	}
}
