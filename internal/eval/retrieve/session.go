package retrieve

import (
	"context"

	"github.com/annalsdb/annals"
)

// Session is a sitting as a model is shown it.
type Session struct {
	ID    string
	Date  string
	Lines []string
}

// Sessions are those of the haystack, in the order in which they began.
func (m *Memory) Sessions() []Session {
	var sessions []Session
	at := map[string]int{}
	for _, t := range m.turns {
		i, there := at[t.Session]
		if !there {
			i = len(sessions)
			at[t.Session] = i
			sessions = append(sessions, Session{ID: t.Session, Date: day(t.At)})
		}
		sessions[i].Lines = append(sessions[i].Lines, t.hit().Line)
	}
	return sessions
}

// Group is the name of the memory's group.
func (m *Memory) Group() string { return m.group }

// Context is what a user is given to put into a model's prompt, of so many
// tokens at the most; 0: of any length.
func (m *Memory) Context(ctx context.Context, q Question, tokens int) (string, error) {
	return m.client.ContextAs(ctx, annals.Query{GroupID: m.group, Text: q.Text, AskedAt: q.At}, annals.Construction{Tokens: tokens})
}
