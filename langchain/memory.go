// Package langchain gives chains of langchaingo the memory of Annals:
//
//	remembers, err := langchain.NewMemory(client, langchain.Options{GroupID: "alice", ThreadID: "chat-1"})
//	chain := chains.NewConversation(llm, remembers)
//	answer, err := chains.Run(ctx, chain, "Where do I live?")
//
// A chain is shown two things: the latest messages of its conversation, word
// for word, and what is known that bears on the new message, whichever
// conversation it comes from and however long ago that was. A note in parentheses
// before a message says what of it has ended, was taken back or is disputed. What is
// said is stored as episodes of the conversation's thread and read into the graph.
package langchain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/schema"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/fence"
)

// The defaults of [Options].
const (
	defaultMessages    = 10
	defaultTokens      = 1000
	defaultMemoryKey   = "history"
	defaultHumanPrefix = "Human"
	defaultAIPrefix    = "AI"
)

// Options says what a chain remembers and how the prompt shows it. GroupID and
// ThreadID have no defaults.
type Options struct {
	// GroupID is the memory: of a user, a team, an agent.
	GroupID string

	// ThreadID is the conversation.
	ThreadID string

	// Actor is the name of the human, by which the graph knows them. Defaults to
	// none: they are "User".
	Actor string

	// Messages is how many of the latest messages of the conversation are shown;
	// negative: none. Defaults to 10.
	Messages int

	// Tokens is the most tokens of what is known beside them; negative: it is not
	// looked for. Defaults to 1000.
	Tokens int

	// ReadReplies reads the model's replies into the graph too. Defaults to
	// false: a model repeats what memory told it, and would so confirm it.
	// Replies are stored and found in any case.
	ReadReplies bool

	// Stored is called after messages were stored. It defaults to
	// [annals.Client.Process], which reads them into the graph at once and
	// takes as long as the model does. Where a service reads them, give a
	// function that does nothing.
	Stored func(ctx context.Context, groupID string) error

	// MemoryKey is the variable of the prompt for the conversation. Defaults to
	// "history".
	MemoryKey string

	// ContextKey is the variable of the prompt for what is known. Defaults to
	// none: it stands before the conversation, in the same variable.
	ContextKey string

	// InputKey and OutputKey are what the chain calls the human's message and the
	// model's. They may be left out where there is one input, and one output.
	InputKey, OutputKey string

	// HumanPrefix and AIPrefix stand before messages in a text. They default to
	// "Human" and "AI".
	HumanPrefix, AIPrefix string

	// ReturnMessages gives the conversation as []llms.ChatMessage, as prompts with
	// a placeholder for messages want it, and not as a text. What is known is then
	// a system message.
	ReturnMessages bool
}

// Memory is the memory of one conversation. It is safe for concurrent use; what
// it is told at the same time is kept in either order.
type Memory struct {
	client  *annals.Client
	options Options
}

var _ schema.Memory = (*Memory)(nil)

// NewMemory makes the memory of a conversation. It fails with
// [annals.CodeInvalid] where an option cannot be.
func NewMemory(client *annals.Client, o Options) (*Memory, error) {
	if err := graph.ValidateGroupID(o.GroupID); err != nil {
		return nil, err
	}
	if o.ThreadID == "" {
		return nil, graph.Invalid("thread_id", "is missing; give the conversation a name of its own")
	}
	o.Messages, o.Tokens = cmp.Or(o.Messages, defaultMessages), cmp.Or(o.Tokens, defaultTokens)
	o.MemoryKey = cmp.Or(o.MemoryKey, defaultMemoryKey)
	o.HumanPrefix, o.AIPrefix = cmp.Or(o.HumanPrefix, defaultHumanPrefix), cmp.Or(o.AIPrefix, defaultAIPrefix)
	if o.Messages > annals.MaxRows {
		return nil, graph.Invalid("messages", "is %d; it must be at most %d", o.Messages, annals.MaxRows)
	}
	if o.ContextKey == o.MemoryKey {
		return nil, graph.Invalid("context_key", "is %q, as the memory key is; give it another name", o.ContextKey)
	}
	if o.Stored == nil {
		o.Stored = func(ctx context.Context, groupID string) error { return client.Process(ctx, groupID, nil) }
	}
	return &Memory{client: client, options: o}, nil
}

// GetMemoryKey is the variable of the prompt for the conversation.
func (m *Memory) GetMemoryKey(context.Context) string { return m.options.MemoryKey }

// MemoryVariables lists the variables of the prompt that the memory fills in.
func (m *Memory) MemoryVariables(context.Context) []string {
	if m.options.ContextKey != "" {
		return []string{m.options.MemoryKey, m.options.ContextKey}
	}
	return []string{m.options.MemoryKey}
}

// LoadMemoryVariables gives the latest messages of the conversation and, where
// inputs have a message, what is known that bears on it.
func (m *Memory) LoadMemoryVariables(ctx context.Context, inputs map[string]any) (map[string]any, error) {
	latest, err := m.latest(ctx)
	if err != nil {
		return nil, err
	}
	known := ""
	if len(inputs) > 0 {
		if known, err = m.known(ctx, inputs, latest); err != nil {
			return nil, err
		}
	}
	variables := map[string]any{}
	if m.options.ContextKey != "" {
		variables[m.options.ContextKey], known = known, ""
	}
	variables[m.options.MemoryKey], err = m.shown(known, latest)
	return variables, err
}

// latest returns the last messages of the conversation, in their order, with what became
// of what they say.
func (m *Memory) latest(ctx context.Context) ([]annals.EpisodeHit, error) {
	if m.options.Messages < 0 {
		return nil, nil
	}
	group := m.options.GroupID
	episodes, err := m.client.Episodes(ctx, annals.EpisodeFilter{
		GroupID: group, ThreadID: m.options.ThreadID, Source: graph.SourceMessage, Limit: m.options.Messages,
	})
	if err != nil || len(episodes) == 0 {
		return nil, err
	}
	var rows annals.Result
	for _, episode := range slices.Backward(episodes) {
		rows.Episodes = append(rows.Episodes, annals.EpisodeHit{Episode: episode})
	}
	err = m.client.InSnapshot(ctx, group, func(tx pgx.Tx) error { return annals.Annotate(ctx, tx, annals.Query{GroupID: group}, &rows) })
	return rows.Episodes, err
}

// known returns what is known about the new message, without the messages that
// are shown anyway.
func (m *Memory) known(ctx context.Context, inputs map[string]any, shown []annals.EpisodeHit) (string, error) {
	said, err := memory.GetInputValue(inputs, m.options.InputKey)
	if err != nil || m.options.Tokens < 0 {
		return "", err
	}
	as := annals.Construction{Tokens: m.options.Tokens}
	found, err := m.client.Search(ctx, as.For(annals.Query{GroupID: m.options.GroupID, Text: said, MinFit: -1}))
	if err != nil {
		return "", err
	}
	seen := map[uuid.UUID]bool{}
	for _, episode := range shown {
		seen[episode.ID] = true
	}
	episodes := found.Episodes
	found.Episodes = nil
	for _, hit := range episodes {
		if !seen[hit.ID] {
			found.Episodes = append(found.Episodes, hit)
		}
	}
	if len(found.Facts)+len(found.Entities)+len(found.Communities)+len(found.Episodes) == 0 {
		return "", nil
	}
	return as.Construct(found)
}

// shown returns the value of the memory's variable.
func (m *Memory) shown(known string, latest []annals.EpisodeHit) (any, error) {
	if m.options.ReturnMessages {
		messages := make([]llms.ChatMessage, len(latest))
		for i, hit := range latest {
			said := safe(hit.Episode)
			said.Content = fence.Noted(said.Content, hit.Note(time.Now()))
			messages[i] = message(said)
		}
		if known != "" {
			messages = append([]llms.ChatMessage{llms.SystemChatMessage{Content: known}}, messages...)
		}
		return messages, nil
	}
	turns := make([]string, len(latest))
	for i, hit := range latest { // a line that begins with a prefix or a note begins a turn, so no other line may
		hit.Content = strings.ReplaceAll(hit.Content, "\n", "\n  ")
		turn, err := llms.GetBufferString([]llms.ChatMessage{message(safe(hit.Episode))}, m.options.HumanPrefix, m.options.AIPrefix)
		if err != nil {
			return nil, fmt.Errorf("write down the conversation: %w", err)
		}
		turns[i] = fence.Noted(turn, hit.Note(time.Now()))
	}
	if known != "" && len(turns) > 0 {
		known += "\n"
	}
	return known + strings.Join(turns, "\n"), nil
}

// The roles of messages, as OpenAI's protocol and Zep's have them.
const (
	roleHuman  = "user"
	roleAI     = "assistant"
	roleSystem = "system"
)

// fenced keeps what was said from being read as another turn or a call.
var fenced = fence.New()

// safe is what was said as it may stand in a prompt: nothing in it is a note.
func safe(e annals.Episode) annals.Episode {
	e.Content, e.Actor, e.Role = fence.WithoutNotes(fenced.Text(e.Content)), fenced.Name(e.Actor), fenced.Name(e.Role)
	return e
}

func message(e annals.Episode) llms.ChatMessage {
	switch e.Role {
	case roleHuman:
		return llms.HumanChatMessage{Content: e.Content}
	case roleAI:
		return llms.AIChatMessage{Content: e.Content}
	case roleSystem:
		return llms.SystemChatMessage{Content: e.Content}
	}
	return llms.GenericChatMessage{Content: e.Content, Role: cmp.Or(e.Role, "message"), Name: e.Actor}
}

// SaveContext stores what the human said and what the model answered, both or
// neither, and reads it into the graph. Where reading fails, the messages stay
// stored.
func (m *Memory) SaveContext(ctx context.Context, inputs, outputs map[string]any) error {
	said, err := memory.GetInputValue(inputs, m.options.InputKey)
	if err != nil {
		return fmt.Errorf("find what the human said: %w", err)
	}
	answered, err := memory.GetInputValue(outputs, m.options.OutputKey)
	if err != nil {
		return fmt.Errorf("find what the model answered: %w", err)
	}
	o := m.options
	turn := []annals.Episode{
		{GroupID: o.GroupID, ThreadID: o.ThreadID, Role: roleHuman, Actor: o.Actor, Content: said},
		{GroupID: o.GroupID, ThreadID: o.ThreadID, Role: roleAI, Content: answered, Deferred: !o.ReadReplies},
	}
	turn = slices.DeleteFunc(turn, func(e annals.Episode) bool { return e.Content == "" })
	if len(turn) == 0 {
		return nil
	}
	if _, err := m.client.AddAll(ctx, turn); err != nil {
		return fmt.Errorf("store what was said: %w", err)
	}
	if err := o.Stored(ctx, o.GroupID); err != nil {
		return fmt.Errorf("read what was said, which is stored: %w", err)
	}
	return nil
}

// Clear undoes the conversation, as [annals.Client.UndoAll] does: facts
// known from it alone go with it, the rest stays.
func (m *Memory) Clear(ctx context.Context) error {
	for {
		episodes, err := m.client.Episodes(ctx, annals.EpisodeFilter{
			GroupID: m.options.GroupID, ThreadID: m.options.ThreadID, Limit: annals.MaxRows, Trust: graph.TrustAll,
		})
		if err != nil || len(episodes) == 0 {
			return err
		}
		undoing := annals.Undoing{GroupID: m.options.GroupID}
		for _, episode := range episodes {
			undoing.EpisodeIDs = append(undoing.EpisodeIDs, episode.ID)
		}
		undone, err := m.client.UndoAll(ctx, undoing)
		if err == nil && undone.Episodes == 0 {
			err = errors.New("none of its messages could be taken back")
		}
		if err != nil {
			return fmt.Errorf("clear the conversation: %w", err)
		}
	}
}
