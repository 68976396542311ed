// Package prompts says what the pipeline asks of an analyst and what comes
// back: one file per question, with its typed input and typed output. A
// language model and the offline rules answer the same questions.
//
// Things are pointed at by small integers, never by uuid: they are counted
// from 1, so that 0 means none.
package prompts

import "time"

// Message is an earlier utterance, given as context only.
type Message struct {
	Speaker    string    `json:"speaker"`
	Content    string    `json:"content"`
	OccurredAt time.Time `json:"occurred_at"`
}

// Episode is what is being read.
type Episode struct {
	Source     string    `json:"source"`  // message, text or json
	Speaker    string    `json:"speaker"` // empty: nobody in particular
	Role       string    `json:"role"`
	Content    string    `json:"content"`
	OccurredAt time.Time `json:"occurred_at"` // dates in the content are relative to it
	Previous   []Message `json:"previous"`    // oldest first
}
