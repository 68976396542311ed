package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// The summary of the messages that have left the context is recursive: each is made from the one
// before and the messages that leave.

const tokensPerWord = 2 // at most, in most languages

// summarise returns the new summary, and a note if the model did not make it.
func (a *Agent) summarise(ctx context.Context, old string, leaving []Message) (summary, note string) {
	settings := a.Settings.withDefaults()
	most := settings.SummaryWords * tokensPerWord
	made, err := a.askForSummary(ctx, old, leaving, settings)
	switch {
	case err != nil:
		note = "the summary was made by rule: " + err.Error()
	case countTokens(made) > most:
		return cutToTokens(made, most, " …"), "the summary was longer than asked for, and was cut"
	default:
		return made, ""
	}
	return byRule(old, leaving, most, settings.location()), note
}

func (a *Agent) askForSummary(ctx context.Context, old string, leaving []Message, settings Settings) (string, error) {
	if a.agents.small == nil {
		return "", errors.New("there is no model")
	}
	// The schema of the answer and a repair of it need room too.
	room := settings.room() - min(settings.room()/8, 512)
	q := model.Question(fitSummary(old, leaving, room, settings).Prompt())
	answer, err := model.Ask(a.onAccount(ctx), a.agents.small, q, func(s *prompts.QueueSummary) error {
		if strings.TrimSpace(s.Summary) == "" {
			return errors.New("the summary is empty")
		}
		return nil
	})
	return strings.TrimSpace(answer.Summary), err
}

// fitSummary cuts each message to its share, so that all fit into room tokens.
func fitSummary(old string, leaving []Message, room int, settings Settings) prompts.SummariseQueue {
	q := prompts.SummariseQueue{Summary: cutToTokens(old, room/3, " …"), Words: settings.SummaryWords, Messages: make([]string, len(leaving))}
	for each := max(16, room/max(len(leaving), 1)); ; each = each * 3 / 4 {
		for i, m := range leaving {
			q.Messages[i] = cutToTokens(line(m, settings.location()), each, " …")
		}
		if p := q.Prompt(); countTokens(p.System)+countTokens(p.User) <= room || each < 4 {
			return q
		}
	}
}

func line(m Message, zone *time.Location) string {
	at := stamp(m.OccurredAt, zone)
	switch {
	case m.Kind == KindCall && m.Function == sendMessage:
		return at + " I said: " + m.Content
	case m.Kind == KindCall:
		return at + " I called " + m.Function + " " + m.Arguments
	case m.Kind == KindThought:
		return at + " I thought: " + m.Thought
	case m.Kind == KindResult:
		return at + " " + m.Function + " gave: " + m.Content
	case m.Actor != "":
		return at + " " + m.Actor + ": " + m.Content
	}
	return at + " " + m.Role + ": " + m.Content
}

// byRule makes a summary without the model: the old one, and the beginnings of the user's latest
// messages.
func byRule(old string, leaving []Message, most int, zone *time.Location) string {
	text := cutToTokens(old, most/2, " …")
	if len(leaving) > 0 {
		text = strings.TrimSpace(text + fmt.Sprintf("\n%s up to %s left my context unread; conversation_search finds what was said.",
			each.Count(len(leaving), "message"), stamp(leaving[len(leaving)-1].OccurredAt, zone)))
	}
	for i := len(leaving) - 1; i >= 0; i-- {
		if leaving[i].Kind != KindMessage {
			continue
		}
		more := text + "\nThe user said: " + cutToTokens(leaving[i].Content, 24, " …")
		if countTokens(more) > most {
			break
		}
		text = more
	}
	return cutToTokens(text, most, " …")
}

// The queue manager decides which messages leave the context, and when.

// cut returns how many of the oldest messages leave a queue to free give tokens. It cuts before the
// beginning of a turn if that frees enough, else before a call, but never between a call and its
// result. The last protect messages stay if others can leave. 0: none can leave.
func cut(queue []Message, give, protect int) int {
	enough, last, freed := 0, 0, 0
	for i := 1; i < len(queue); i++ {
		freed += queue[i-1].tokens
		if queue[i].Kind == KindResult {
			continue
		}
		if last > 0 && i > len(queue)-protect {
			break
		}
		last = i
		switch {
		case freed < give:
		case queue[i].fromOutside():
			return i
		case enough == 0:
			enough = i
		}
	}
	if enough > 0 {
		return enough
	}
	return last
}

// fromOutside reports whether a turn may begin with a message.
func (m Message) fromOutside() bool { return m.Role == roleUser || m.Role == roleSystem }

// surplus returns how many tokens must leave the context before the model is asked.
func (t *turn) surplus(p prompt) int {
	room := t.settings.room()
	limit := int(t.settings.Flush * float64(room))
	switch {
	case p.tokens > limit:
		return max(p.tokens-limit, int(t.settings.Evict*float64(room)))
	case t.state.crowded:
		return max((p.tokens-p.fixed)/2, 1)
	}
	return 0
}
