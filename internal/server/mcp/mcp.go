// Package mcp serves Annals to agents over the Model Context Protocol: on standard input and output
// ([Serve], 'annals mcp') and over streamable HTTP ([Mount], /mcp of 'annals serve').
//
// The tools have the names, arguments and answers of Graphiti's server, so that an agent that was
// configured for it keeps working: add_memory, search_nodes, search_memory_facts, get_episodes, …
// Tools that Graphiti does not have are named otherwise: memory_as_of, memory_timeline,
// get_context. Groups and entities are resources, and there are prompts.
//
// The package is thin. A tool decodes its arguments as models write them, calls the library as any
// program would, and answers with a short text, or with structured content if [Options] say so.
// Failures are errors of the tool, in words that a model can act on.
package mcp

import (
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// DefaultGroup is the default of [Options].Group.
const DefaultGroup = "default"

// Options configures the interface. The zero value is ready to use.
type Options struct {
	// Group is the group for calls that name none. Defaults to DefaultGroup. Over HTTP the header
	// X-Annals-Group, and an API key that opens only one group, take precedence.
	Group string

	// Log receives failures; it must not write to standard output. Defaults to no log.
	Log *slog.Logger

	// Structured makes tools declare schemas of their answers and answer with objects, for
	// programs. Without it they answer with a short text. Over HTTP the header X-Annals-Tools can
	// also ask for it.
	Structured bool

	// Aliases also lists tools by their former names. Calls by these names always work. Over HTTP
	// the header X-Annals-Tools can also ask for it.
	Aliases bool

	// Version is the version of the program. Defaults to (devel).
	Version string
}

func (o Options) withDefaults() Options {
	if o.Group == "" {
		o.Group = DefaultGroup
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Version == "" {
		o.Version = "(devel)"
	}
	return o
}

// door holds the state that tools share.
type door struct {
	memory  memory
	log     *slog.Logger
	sdk     *sdk.Server
	usual   manner                    // for requests that ask for nothing else
	needs   map[string]service.Rights // the rights that each tool needs
	aliases map[string]bool           // former names of tools
}

// newDoor creates a server with all tools, resources and prompts.
func newDoor(m memory, o Options) *door {
	d := &door{
		memory: m, log: o.Log, usual: manner{structured: o.Structured, aliases: o.Aliases},
		needs: map[string]service.Rights{}, aliases: map[string]bool{},
	}
	d.sdk = sdk.NewServer(
		&sdk.Implementation{Name: "annals", Title: "Annals, long-term memory", Version: o.Version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}, CompletionHandler: d.complete},
	)
	d.sdk.AddReceivingMiddleware(d.careful)
	d.writing()
	d.searching()
	d.asking()
	d.skills()
	d.reading()
	d.removing()
	d.marking()
	d.summarising()
	d.resources()
	d.prompts()
	return d
}

// instructions are given to the model when its host connects.
const instructions = `Annals is your long-term memory: a graph of entities and facts with dates, built from episodes.
Before you answer, look for what is known: get_context for everything about a question, search_memory_facts for facts, search_nodes for people and things. A fact says in words when it holds or happened, as exactly as that is known: "until" of a state means that it holds no longer; an event does not end. In brackets at its end is its uuid, which other tools take.
Whenever you learn something worth keeping (a preference, a decision, a change, an event), call add_memory with it in plain words, one episode for one occasion. It is read in the background; get_status says when that is done.
For questions about the past use memory_as_of, for how things came about memory_timeline. Never delete unless the user asks for it.`

// outcome is the answer of tools that return only a message.
type outcome struct {
	Message string `json:"message"`
}

// client is the client for a call about one group, with the group's name.
type client struct {
	*annals.Client
	group string
}
