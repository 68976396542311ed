package langchain_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"go.uber.org/goleak"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/langchain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T) *annals.Client {
	t.Helper()
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// scripted is a model with scripted answers that records its prompts.
type scripted struct {
	answers []string
	asked   []string
}

func (s *scripted) GenerateContent(_ context.Context, messages []llms.MessageContent, _ ...llms.CallOption) (*llms.ContentResponse, error) {
	if len(s.answers) == 0 {
		return nil, errors.New("there is nothing left to say")
	}
	var asked strings.Builder
	for _, message := range messages {
		for _, part := range message.Parts {
			asked.WriteString(part.(llms.TextContent).Text)
		}
	}
	s.asked = append(s.asked, asked.String())
	answer := s.answers[0]
	s.answers = s.answers[1:]
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: answer}}}, nil
}

func (s *scripted) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, s, prompt, options...)
}

func remember(t *testing.T, client *annals.Client, o langchain.Options) *langchain.Memory {
	t.Helper()
	m, err := langchain.NewMemory(client, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ask runs a chain of one conversation.
func ask(t *testing.T, llm llms.Model, m *langchain.Memory, said string) string {
	t.Helper()
	answer, err := chains.Run(t.Context(), chains.NewConversation(llm, m), said)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestAChainRemembersAcrossConversations(t *testing.T) {
	t.Parallel()
	client := open(t)
	llm := &scripted{answers: []string{"Noted, in Lisbon.", "I see.", "In Lisbon."}}
	first := remember(t, client, langchain.Options{GroupID: "alice", ThreadID: "monday", Actor: "Alice"})
	ask(t, llm, first, "I live in Lisbon.")
	ask(t, llm, first, "I work at Acme.")
	if second := llm.asked[1]; !strings.Contains(second, "Human: I live in Lisbon.\nAI: Noted, in Lisbon.") {
		t.Errorf("the second question does not show the conversation:\n%s", second)
	}
	other := remember(t, client, langchain.Options{GroupID: "alice", ThreadID: "friday", Actor: "Alice"})
	if got := ask(t, llm, other, "Where does Alice live?"); got != "In Lisbon." {
		t.Errorf("the answer is %q", got)
	}
	third := llm.asked[2]
	if !strings.Contains(third, ") Alice lives in Lisbon.") || strings.Contains(third, "AI: Noted") {
		t.Errorf("another conversation is to show what is known and not the turns:\n%s", third)
	}
	stranger := remember(t, client, langchain.Options{GroupID: "bob", ThreadID: "monday"})
	loaded, err := stranger.LoadMemoryVariables(t.Context(), map[string]any{"input": "Where does Alice live?"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"history": ""}, loaded); diff != "" {
		t.Errorf("another memory (-want +got):\n%s", diff)
	}
}

// The model's replies are stored, but not believed, unless ReadReplies is set.
func TestRepliesAreNotRead(t *testing.T) {
	t.Parallel()
	client := open(t)
	for group, reads := range map[string]bool{"quiet": false, "open": true} {
		m := remember(t, client, langchain.Options{GroupID: group, ThreadID: "t", ReadReplies: reads})
		if err := m.SaveContext(t.Context(), map[string]any{"input": "Hello."}, map[string]any{"text": "Marta lives in Rome."}); err != nil {
			t.Fatal(err)
		}
		facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: group})
		if err != nil {
			t.Fatal(err)
		}
		if (len(facts) > 0) != reads {
			t.Errorf("%s: facts %v", group, facts)
		}
	}
}

func TestMessagesAndKeys(t *testing.T) {
	t.Parallel()
	client := open(t)
	m := remember(t, client, langchain.Options{
		GroupID: "alice", ThreadID: "t", Actor: "Alice", Messages: 2, ReturnMessages: true, MemoryKey: "chat", ContextKey: "known",
		InputKey: "question", OutputKey: "answer",
	})
	if diff := cmp.Diff([]string{"chat", "known"}, m.MemoryVariables(t.Context())); diff != "" || m.GetMemoryKey(t.Context()) != "chat" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	for _, turn := range [][2]string{{"I live in Paris.", "Nice."}, {"And you?", "Nowhere."}} {
		err := m.SaveContext(t.Context(), map[string]any{"question": turn[0], "tone": "dry"}, map[string]any{"answer": turn[1]})
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := m.LoadMemoryVariables(t.Context(), map[string]any{"question": "Where does Alice live?", "tone": "dry"})
	if err != nil {
		t.Fatal(err)
	}
	want := []llms.ChatMessage{llms.HumanChatMessage{Content: "And you?"}, llms.AIChatMessage{Content: "Nowhere."}}
	if diff := cmp.Diff(want, got["chat"]); diff != "" {
		t.Errorf("the latest messages (-want +got):\n%s", diff)
	}
	known, _ := got["known"].(string)
	if !strings.Contains(known, ") Alice lives in Paris.") || strings.Contains(known, "Nowhere.") {
		t.Errorf("what is known beside them is %q", known)
	}
	if got, err = m.LoadMemoryVariables(t.Context(), nil); err != nil || got["known"] != "" {
		t.Errorf("without a question %v, %v", got, err)
	}
}

// Statements that no longer hold are shown with a note, as text and as messages. No part
// of a message is read as a note.
func TestMessagesHaveNotes(t *testing.T) {
	t.Parallel()
	client := open(t)
	options := langchain.Options{GroupID: "alice", ThreadID: "t", Actor: "Alice", Tokens: -1}
	m := remember(t, client, options)
	for _, said := range []string{"I live in Paris.", "(taken back) I like tea. (since 2020)", "I moved to Lisbon in March 2024."} {
		if err := m.SaveContext(t.Context(), map[string]any{"input": said}, map[string]any{"text": "I see."}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := m.LoadMemoryVariables(t.Context(), nil)
	want := "(until March 2024, now Lisbon) Human: I live in Paris.\nAI: I see.\nHuman: ‹taken back› I like tea. ‹since 2020›\nAI: I see.\n" +
		"Human: I moved to Lisbon in March 2024.\nAI: I see."
	if diff := cmp.Diff(want, got["history"]); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	options.ReturnMessages = true
	got, err = remember(t, client, options).LoadMemoryVariables(t.Context(), nil)
	messages, _ := got["history"].([]llms.ChatMessage)
	if err != nil || len(messages) != 6 || messages[0].GetContent() != "(until March 2024, now Lisbon) I live in Paris." || messages[2].GetContent() != "‹taken back› I like tea. ‹since 2020›" {
		t.Errorf("%v: the messages are %v", err, messages)
	}
}

// Runs of agents in the conversation are not shown as messages.
func TestARunIsNoMessage(t *testing.T) {
	t.Parallel()
	client := open(t)
	m := remember(t, client, langchain.Options{GroupID: "alice", ThreadID: "t", Actor: "Alice", Tokens: -1})
	if err := m.SaveContext(t.Context(), map[string]any{"input": "I like tea."}, map[string]any{"text": "I see."}); err != nil {
		t.Fatal(err)
	}
	run, err := annals.Run{Task: "Brew something", Steps: []annals.RunStep{{Tool: "kettle"}}}.Episode("alice", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	run.ThreadID = "t"
	if _, err := client.Add(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	got, err := m.LoadMemoryVariables(t.Context(), nil)
	if err != nil || got["history"] != "Human: I like tea.\nAI: I see." {
		t.Errorf("%v: the conversation is %q", err, got["history"])
	}
}

func TestClearTakesTheConversationBack(t *testing.T) {
	t.Parallel()
	client := open(t)
	monday := remember(t, client, langchain.Options{GroupID: "alice", ThreadID: "monday", Actor: "Alice"})
	friday := remember(t, client, langchain.Options{GroupID: "alice", ThreadID: "friday", Actor: "Alice"})
	for m, said := range map[*langchain.Memory]string{monday: "I live in Paris.", friday: "I work at Acme."} {
		if err := m.SaveContext(t.Context(), map[string]any{"input": said}, map[string]any{"text": "Noted."}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // also when nothing is left
		if err := monday.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "alice"})
	if err != nil || len(facts) != 1 || facts[0].Target != "Acme" {
		t.Errorf("it knows %v, %v; want what friday said", facts, err)
	}
	if got, err := monday.LoadMemoryVariables(t.Context(), nil); err != nil || got["history"] != "" {
		t.Errorf("the conversation is %v, %v", got, err)
	}
}

func TestWhatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	client := open(t)
	for _, o := range []langchain.Options{
		{ThreadID: "t"},
		{GroupID: "alice"},
		{GroupID: "no spaces", ThreadID: "t"},
		{GroupID: "alice", ThreadID: ".."},
		{GroupID: "alice", ThreadID: "a\xffb"},
		{GroupID: "alice", ThreadID: strings.Repeat("t", 513)},
		{GroupID: "alice", ThreadID: "t", Actor: "a\x00b"},
		{GroupID: "alice", ThreadID: "t", ContextKey: "history"},
		{GroupID: "alice", ThreadID: "t", Messages: 1_000_000},
	} {
		if _, err := langchain.NewMemory(client, o); graph.CodeOf(err) != graph.CodeInvalid {
			t.Errorf("%+v: %v", o, err)
		}
	}
	failing := errors.New("nobody reads")
	m := remember(t, client, langchain.Options{
		GroupID: "alice", ThreadID: "t", Stored: func(context.Context, string) error { return failing },
	})
	input, output := map[string]any{"input": "Hello."}, map[string]any{"text": "Hi."}
	if err := m.SaveContext(t.Context(), input, output); !errors.Is(err, failing) {
		t.Errorf("%v, want that nobody reads", err)
	}
	if episodes, err := client.Episodes(t.Context(), annals.EpisodeFilter{GroupID: "alice"}); err != nil || len(episodes) != 2 {
		t.Errorf("%d episodes are stored, %v; want both", len(episodes), err)
	}
	if err := m.SaveContext(t.Context(), map[string]any{"a": "x", "b": "y"}, output); err == nil {
		t.Error("two inputs without a key pass")
	}
	if _, err := m.LoadMemoryVariables(t.Context(), map[string]any{"input": 1}); err == nil {
		t.Error("an input that is no text passes")
	}
}
