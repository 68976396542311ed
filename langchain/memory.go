// Package langchain provides the memory of Annals to langchaingo's chains:
//
//	remembers, err := langchain.NewMemory(client, langchain.Options{GroupID: "alice", ThreadID: "chat-1"})
//	chain := chains.NewConversation(llm, remembers)
//	answer, err := chains.Run(ctx, chain, "Where do I live?")
//
// A chain sees the latest messages of its conversation, word for word. It also sees the knowledge
// that bears on the new message, from any conversation and any time. A note in parentheses before a
// message says which parts have ended, were taken back or are disputed. New messages are stored as
// episodes of the conversation's thread and read into the graph.
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

// Options configures what a chain remembers and how the prompt shows it. GroupID and ThreadID are
// required.
type Options struct {
	// GroupID is the memory, such as that of a user, a team or an agent.
	GroupID string

	// ThreadID is the conversation.
	ThreadID string

	// Actor is the human's name in the graph. Defaults to none: they are "User".
	Actor string

	// Messages is the number of latest messages of the conversation that are shown; negative: none.
	// Defaults to 10.
	Messages int

	// Tokens is the limit of the knowledge shown beside the messages; negative: no search. Defaults
	// to 1000.
	Tokens int

	// ReadReplies also reads the model's replies into the graph. Defaults to false, since a model
	// repeats what memory told it and would thereby confirm it. Replies are stored and found in any
	// case.
	ReadReplies bool

	// Stored is called after messages were stored. Defaults to [annals.Client.Process], which reads
	// them into the graph at once and takes as long as the model does. If a service reads them, set
	// a function that does nothing.
	Stored func(ctx context.Context, groupID string) error

	// MemoryKey is the prompt's variable for the conversation. Defaults to "history".
	MemoryKey string

	// ContextKey is the prompt's variable for the knowledge. Defaults to none: the knowledge then
	// precedes the conversation in the variable MemoryKey.
	ContextKey string

	// InputKey and OutputKey are the chain's keys for the human's and the model's message. They may
	// be empty if there is only one input and one output.
	InputKey, OutputKey string

	// HumanPrefix and AIPrefix precede messages in a text. They default to "Human" and "AI".
	HumanPrefix, AIPrefix string

	// ReturnMessages returns the conversation as []llms.ChatMessage instead of a text, for prompts
	// with a placeholder for messages. The knowledge is then a system message.
	ReturnMessages bool
}

// Memory is the memory of one conversation. It is safe for concurrent use; concurrent messages are
// stored in any order.
type Memory struct {
	client  *annals.Client
	options Options
}

var _ schema.Memory = (*Memory)(nil)

// NewMemory returns the memory of a conversation. It fails with [annals.CodeInvalid] if an option
// is invalid.
func NewMemory(client *annals.Client, o Options) (*Memory, error) {
	if o.ThreadID == "" {
		return nil, graph.Invalid("thread_id", "is missing; give the conversation a name of its own")
	}
	// Whatever is said must make a valid message.
	said := annals.Episode{GroupID: o.GroupID, Source: graph.SourceMessage, Content: "said", ThreadID: o.ThreadID, Actor: o.Actor}
	if err := said.Validate(); err != nil {
		return nil, err
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

// GetMemoryKey returns the prompt's variable for the conversation.
func (m *Memory) GetMemoryKey(context.Context) string { return m.options.MemoryKey }

// MemoryVariables returns the variables of the prompt that the memory fills in.
func (m *Memory) MemoryVariables(context.Context) []string {
	if m.options.ContextKey != "" {
		return []string{m.options.MemoryKey, m.options.ContextKey}
	}
	return []string{m.options.MemoryKey}
}

// LoadMemoryVariables returns the latest messages of the conversation and, if inputs contain a
// message, the knowledge that bears on it.
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

// latest returns the last messages of the conversation in order, with notes on what has become of
// their statements.
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

// known returns the knowledge about the new message, without the messages that are shown anyway.
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
	for i, hit := range latest { // only the first line of a turn may begin with a prefix or a note
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

// The roles of messages in OpenAI's protocol and Zep's.
const (
	roleHuman  = "user"
	roleAI     = "assistant"
	roleSystem = "system"
)

// fenced escapes content that could be read as another turn or a call.
var fenced = fence.New()

// safe returns an episode that is safe to show in a prompt: no part of it looks like a note.
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

// SaveContext stores the human's message and the model's answer, both or neither, and reads them
// into the graph. If reading fails, the messages stay stored.
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

// Clear undoes the conversation, as [annals.Client.UndoAll] does. Facts known from it alone are
// removed; all others stay.
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
