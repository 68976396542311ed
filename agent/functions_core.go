package agent

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

const (
	sendMessage     = "send_message"
	maxPause        = 360 // minutes
	maxMessageBytes = 64 << 10
)

type sendMessageArguments struct {
	Message string `json:"message" jsonschema:"what the user is to read"`
}

type appendArguments struct {
	Name    string `json:"name" jsonschema:"label of the block, as in human"`
	Content string `json:"content" jsonschema:"what is added, on a line of its own"`
}

type replaceArguments struct {
	Name       string `json:"name" jsonschema:"label of the block, as in human"`
	OldContent string `json:"old_content" jsonschema:"what is replaced, exactly as it stands there"`
	NewContent string `json:"new_content" jsonschema:"what takes its place; empty: nothing"`
}

type replaceOnceArguments struct {
	Label     string `json:"label" jsonschema:"label of the block"`
	OldString string `json:"old_string" jsonschema:"what is replaced: it must stand in the block exactly once"`
	NewString string `json:"new_string" jsonschema:"what takes its place; empty: nothing"`
}

type insertArguments struct {
	Label      string `json:"label" jsonschema:"label of the block"`
	NewString  string `json:"new_string" jsonschema:"the lines to insert"`
	InsertLine *int   `json:"insert_line,omitempty" jsonschema:"after which line: 0 at the top, -1 at the end, which is the default"`
}

type rethinkArguments struct {
	Label     string `json:"label" jsonschema:"label of the block"`
	NewMemory string `json:"new_memory" jsonschema:"everything that the block is to say"`
}

type pauseArguments struct {
	Minutes int `json:"minutes" jsonschema:"for how long you are not woken, 1 to 360"`
}

func coreFunctions() []function {
	return []function{
		define(sendMessage, "Sends a message to the user: the only way to be heard.", speak),
		define("core_memory_append", "Adds to a block of your working context.", func(_ context.Context, t *turn, a appendArguments) (effect, error) {
			return t.edit(a.Name, func(value string) (string, error) { return joined(value, a.Content), nil }), nil
		}),
		define("core_memory_replace", "Replaces what stands in a block of your working context, wherever it stands there. The old content must match exactly.",
			func(_ context.Context, t *turn, a replaceArguments) (effect, error) {
				return t.edit(a.Name, func(value string) (string, error) {
					if a.OldContent == "" || !strings.Contains(value, a.OldContent) {
						return "", graph.Invalid("old_content", "%q does not stand in %s: give it exactly as it does", a.OldContent, a.Name)
					}
					return strings.ReplaceAll(value, a.OldContent, a.NewContent), nil
				}), nil
			}),
		define("memory_replace", "Replaces one place in a block of your working context. The old string must stand there exactly once.",
			func(_ context.Context, t *turn, a replaceOnceArguments) (effect, error) {
				return t.edit(a.Label, func(value string) (string, error) { return replaceOnce(value, a) }), nil
			}),
		define("memory_insert", "Inserts lines into a block of your working context.",
			func(_ context.Context, t *turn, a insertArguments) (effect, error) {
				return t.edit(a.Label, func(value string) (string, error) { return insertLines(value, a) }), nil
			}),
		define("memory_rethink", "Writes a block of your working context anew, for a change that concerns all of it.",
			func(_ context.Context, t *turn, a rethinkArguments) (effect, error) {
				return t.edit(a.Label, func(string) (string, error) { return a.NewMemory, nil }), nil
			}),
		define("pause_heartbeats", "Has you not woken by time for a while. What the user says still reaches you.", pause),
	}
}

func speak(ctx context.Context, t *turn, a sendMessageArguments) (effect, error) {
	if strings.TrimSpace(a.Message) == "" {
		return nil, graph.Invalid("message", "is empty; say something")
	}
	if len(a.Message) > maxMessageBytes {
		return nil, graph.Invalid("message", "is %d bytes long; the limit is %d", len(a.Message), maxMessageBytes)
	}
	vectors := t.agent.vectors(ctx, t.agent.episode(Message{Role: roleAssistant, Content: a.Message}))
	return func(_ context.Context, w *writing) (string, error) {
		w.spoken, w.vectors = a.Message, vectors
		return "None", nil
	}, nil
}

func joined(value, more string) string {
	if value == "" {
		return more
	}
	return value + "\n" + more
}

func replaceOnce(value string, a replaceOnceArguments) (string, error) {
	switch n := strings.Count(value, a.OldString); {
	case a.OldString == "":
		return "", graph.Invalid("old_string", "is empty; memory_insert adds")
	case n == 0:
		return "", graph.Invalid("old_string", "%q does not stand in %s: give it exactly as it does", a.OldString, a.Label)
	case n > 1:
		return "", graph.Invalid("old_string", "stands in %s %s, in the lines %s: give more of what is around it", a.Label, each.Count(n, "time"), linesWith(value, a.OldString))
	}
	return strings.Replace(value, a.OldString, a.NewString, 1), nil
}

// linesWith lists the numbers, from 1, of the lines in which a text begins.
func linesWith(value, wanted string) string {
	var lines []string
	for at := 0; ; {
		next := strings.Index(value[at:], wanted)
		if next < 0 {
			return strings.Join(lines, ", ")
		}
		at += next
		lines = append(lines, fmt.Sprint(1+strings.Count(value[:at], "\n")))
		at += len(wanted)
	}
}

func insertLines(value string, a insertArguments) (string, error) {
	var lines []string
	if value != "" {
		lines = strings.Split(value, "\n")
	}
	at := len(lines)
	if a.InsertLine != nil && *a.InsertLine != -1 {
		at = *a.InsertLine
	}
	if at < 0 || at > len(lines) {
		return "", graph.Invalid("insert_line", "is %d; %s has %s, so that it is -1 to %d", at, a.Label, each.Count(len(lines), "line"), len(lines))
	}
	all := append(append(append([]string{}, lines[:at]...), a.NewString), lines[at:]...)
	return strings.Join(all, "\n"), nil
}

// edit makes an effect that changes a block.
func (t *turn) edit(label string, change func(value string) (string, error)) effect {
	return func(ctx context.Context, w *writing) (string, error) {
		b, err := w.block(ctx, label)
		if err != nil {
			return "", err
		}
		if b.ReadOnly {
			return "", graph.Invalid(label, "is read-only; you cannot edit it")
		}
		value, err := change(b.Value)
		if err != nil {
			return "", err
		}
		if n := utf8.RuneCountInString(value); n > int(b.CharLimit) {
			return "", graph.Invalid(label, "would have %d characters; its limit is %d. Shorten what it says, or keep the rest with archival_memory_insert",
				n, b.CharLimit)
		}
		kept, err := w.q.WithoutErased(ctx, db.WithoutErasedParams{GroupID: w.groupID, Texts: []string{value}})
		if err != nil {
			return "", fmt.Errorf("look for what was erased: %w", err)
		}
		if err := saysWho(ctx, w.q); err != nil {
			return "", err
		}
		edit := db.BlockEditParams{
			GroupID: w.groupID, ID: b.ID, Version: b.Version, Label: b.Label, Description: b.Description, Value: kept[0],
			CharLimit: b.CharLimit, ReadOnly: b.ReadOnly, EditedBy: t.agent.Name,
		}
		if _, err := w.q.BlockEdit(ctx, edit); err != nil {
			return "", fmt.Errorf("edit the block %s: %w", label, err)
		}
		return fmt.Sprintf("%s has %d of %s now.", label, utf8.RuneCountInString(value), each.Count(b.CharLimit, "character")), nil
	}
}

func pause(_ context.Context, t *turn, a pauseArguments) (effect, error) {
	if a.Minutes < 1 || a.Minutes > maxPause {
		return nil, graph.Invalid("minutes", "is %d; it must be 1 to %d", a.Minutes, maxPause)
	}
	until := t.now.Add(time.Duration(a.Minutes) * time.Minute)
	return func(ctx context.Context, w *writing) (string, error) {
		if err := w.q.AgentPause(ctx, db.AgentPauseParams{GroupID: w.groupID, ID: t.agent.ID, Until: until}); err != nil {
			return "", fmt.Errorf("pause the heartbeats: %w", err)
		}
		return "You are not woken before " + stamp(until, t.zone) + ".", nil
	}, nil
}
