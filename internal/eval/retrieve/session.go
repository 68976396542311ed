package retrieve

import (
	"context"

	"github.com/annalsdb/annals"
)

// Session is a session as shown to a model.
type Session struct {
	Date  string
	Lines []string
}

// Sessions returns the sessions of the haystack, by their start.
func (m *Memory) Sessions() []Session {
	var sessions []Session
	at := map[string]int{}
	for _, t := range m.turns {
		i, there := at[t.Session]
		if !there {
			i = len(sessions)
			at[t.Session] = i
			sessions = append(sessions, Session{Date: day(t.At)})
		}
		sessions[i].Lines = append(sessions[i].Lines, t.hit().Line)
	}
	return sessions
}

// Group returns the name of the memory's group.
func (m *Memory) Group() string { return m.group }

// Context returns the context that a user would put into a model's prompt, of
// at most so many tokens; 0: no limit.
func (m *Memory) Context(ctx context.Context, q Question, tokens int) (string, error) {
	return m.client.ContextAs(ctx, annals.Query{GroupID: m.group, Text: q.Text, AskedAt: q.At}, annals.Construction{Tokens: tokens})
}
