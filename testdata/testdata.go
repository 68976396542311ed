// Package testdata holds the sample conversation and the runs of `annals demo`.
package testdata

import _ "embed" // for the files

// Conversation is a support-and-life conversation over seven months, as JSON lines.
//
//go:embed conversation.jsonl
var Conversation []byte

// Questions are questions the conversation answers: a JSON list of objects
// with question and expect, a part of what must be found.
//
//go:embed questions.json
var Questions []byte

// Runs are what an agent did about one task, as JSON lines: in April a tool changes.
//
//go:embed runs.jsonl
var Runs []byte
