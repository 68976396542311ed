// Package agent runs agents that manage a memory of their own: MemGPT (Packer
// et al., arXiv 2310.08560) on PostgreSQL.
//
//	agents := agent.New(client, agent.Options{})
//	sam, err := agents.Create(ctx, agent.Spec{GroupID: "alice", Name: "sam"})
//	turn, err := sam.Tell(ctx, agent.Event{Content: "I moved to Lisbon."}, nil)
//
// # What the model sees
//
// The main context has three parts (context.go): instructions, blocks that the
// agent edits by calling functions, and a queue of messages that begins with a
// summary of those that left. Outside are recall storage, which has every
// message, the archive, which has passages and documents (recall.go), and the
// graph of the group.
//
// # How it goes on
//
// An event begins a turn (loop.go). Step by step the queue is kept within the
// window (queue.go, summary.go), the model answers, and what it calls is
// carried out (function.go, functions_*.go). Each step is one transaction
// (step.go): what takes long, or reaches outside, is done before it. A process
// that dies leaves whole steps, and [Agent.Resume] goes on.
//
// One process at a time runs an agent. What it says to the user is apart from
// what it thinks; see [Step].
package agent
