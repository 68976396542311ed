package agent

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// prompt is a state as the model sees it.
type prompt struct {
	conversation model.Conversation
	tokens       int // of the whole prompt
	fixed        int // of the parts that eviction cannot shrink: instructions, blocks, functions, summary
}

// compose builds the prompt of a state. It cuts single texts that are too long: a message to a
// third of the room, the summary to a quarter, an open document to an eighth.
func (a *Agent) compose(s *state, f *functions, retrieved string) prompt {
	settings := a.Settings.withDefaults()
	zone := settings.location()
	instructions := a.instructions(s, settings, retrieved)
	c := model.Conversation{
		Name: instructions.Name, Version: instructions.Version, System: instructions.System + "\n" + instructions.User,
		Tools: f.tools, MaxTokens: settings.Answer,
	}
	p := prompt{fixed: messageTokens + countTokens(c.System) + f.tokens}
	if s.row.Summary != "" || len(s.queue) > 0 && !s.queue[0].fromOutside() { // providers require the first message to be the user's
		summary := model.Message{Role: model.RoleUser, Text: packed(summaryTold{
			"summary", s.row.QueueStart - 1, s.row.LastSeq, cutToTokens(s.row.Summary, settings.room()/4, " …"),
		})}
		c.Messages = append(c.Messages, summary)
		p.fixed += countMessage(summary)
	}
	p.tokens = p.fixed
	for _, m := range s.queue {
		w, n := m.shown(zone, settings.room()/3)
		c.Messages = append(c.Messages, w)
		p.tokens += n
	}
	p.conversation = c
	return p
}

// summaryTold is the first message of the queue, for the model.
type summaryTold struct {
	Type    string `json:"type"`
	Hidden  int64  `json:"hidden_messages"` // messages that are only in recall storage
	All     int64  `json:"all_messages"`
	Summary string `json:"message"`
}

// The notes in place of what was cut from a message. Only what was said can be found again.
const (
	cutNote     = " … [cut here]"
	cutSaidNote = " … [cut here; conversation_search finds the rest]"
)

// shown cuts a message to most tokens, and returns the number of its tokens.
func (m Message) shown(zone *time.Location, most int) (model.Message, int) {
	if m.tokens <= most {
		return m.wire(zone), m.tokens
	}
	short, note := m, cutNote
	if m.said() {
		note = cutSaidNote
	}
	for room := most; ; room = room * 3 / 4 {
		short.Content, short.Thought = cutToTokens(m.Content, room, note), cutToTokens(m.Thought, room/4, " …")
		if countTokens(m.Arguments) > room/2 {
			short.Arguments = packed(map[string]string{"cut": cutToTokens(m.Arguments, room/2, note)})
		}
		w := short.wire(zone)
		if n := countMessage(w); n <= most || room < 8 {
			return w, n
		}
	}
}

func (a *Agent) instructions(s *state, settings Settings, retrieved string) prompts.Prompt {
	q := prompts.AgentStep{
		Name: a.Name, Instructions: a.Instructions, Evicted: s.row.QueueStart - 1, Passages: s.row.Passages, Retrieved: retrieved,
	}
	for _, b := range s.blocks {
		q.Blocks = append(q.Blocks, b.shown())
	}
	q.Answers = answersWithin(s.told, settings.room()/answersShare)
	for _, f := range s.listed {
		q.Files = append(q.Files, prompts.AgentFile{Name: f.Name, Lines: f.Lines})
	}
	for _, f := range s.files {
		text := cutToTokens(f.Content, settings.room()/(2*max(settings.OpenFiles, 4)), "\n… [cut here; open fewer lines]")
		q.Open = append(q.Open, prompts.AgentOpenFile{Name: f.Name, First: int(f.OpenFrom), Last: int(f.OpenTo) - 1, Text: text})
	}
	return q.Prompt()
}

// Standing answers may take one part in this many of the room.
const answersShare = 8

// answersWithin returns the standing answers that fit into most tokens, the oldest first. It leaves
// out questions without an answer.
func answersWithin(told []annals.StandingAnswer, most int) []prompts.AgentAnswer {
	var out []prompts.AgentAnswer
	for _, s := range told {
		if s.Answer == nil || !s.Answer.Known() && len(s.Answer.Slots) == 0 {
			continue
		}
		n := countTokens(s.Question) + countTokens(s.Text())
		if n > most {
			continue
		}
		most -= n
		out = append(out, prompts.AgentAnswer{Question: s.Question, Text: s.Text()})
	}
	return out
}

func (b Block) shown() prompts.AgentBlock {
	return prompts.AgentBlock{
		Label: b.Label, Description: b.Description, Value: b.Value, Used: utf8.RuneCountInString(b.Value), Limit: b.limit(), ReadOnly: b.ReadOnly,
	}
}

// tooLarge returns the error for a context that exceeds the window, though no more messages can leave it.
func (p prompt) tooLarge(room int) error {
	return graph.Invalid("window", "leaves %s, but instructions, blocks, functions and the summary take %d, and the latest messages %d: shorten the blocks or the instructions, or give the agent a larger window",
		each.Count(room, "token"), p.fixed, p.tokens-p.fixed)
}

// Fill is the size of an agent's context, in tokens as o200k_base counts them.
type Fill struct {
	Tokens int `json:"tokens" doc:"Of all that the model would read"`
	Fixed  int `json:"fixed" doc:"Of what cannot leave it: instructions, blocks, functions, open documents and the summary"`
	Room   int `json:"room" doc:"That the window leaves beside the answer. Where tokens are more, the oldest messages leave at the next step"`
}

// Fill counts the tokens of the next prompt, without those that the graph may add
// ([Settings].ContextTokens).
func (a *Agent) Fill(ctx context.Context) (Fill, error) {
	s, err := a.load(ctx)
	if err != nil {
		return Fill{}, err
	}
	p := a.compose(s, a.agents.functionsFor(a, s), "")
	return Fill{Tokens: p.tokens, Fixed: p.fixed, Room: a.Settings.withDefaults().room()}, nil
}
