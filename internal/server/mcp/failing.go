package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
)

// plain converts an error for the agent: what is wrong, and what it can do. It names no commands,
// since agents have no command line, and does not repeat what the agent sent. It logs internal
// errors and hides their text.
func (d *door) plain(ctx context.Context, what string, err error, arguments json.RawMessage) error {
	if ctx.Err() != nil {
		return errors.New("the call was given up")
	}
	problem, ok := errors.AsType[*server.Problem](err)
	if !ok {
		problem = server.ProblemOf(err)
	}
	if problem.Status >= http.StatusInternalServerError {
		d.log.ErrorContext(ctx, "call failed", "call", what, "request_id", server.RequestID(ctx), "error", err)
	}
	return errors.New(forAgents(brief(problem.Detail, arguments)))
}

// isMissing reports whether something does not exist or the key does not open it.
func isMissing(err error) bool {
	problem, ok := errors.AsType[*server.Problem](err)
	return ok && problem.Status == http.StatusNotFound || annals.CodeOf(err) == annals.CodeNotFound
}

// brieflyFailed shortens what an error of the protocol repeats of a request.
func brieflyFailed(err error) error {
	if err == nil {
		return nil
	}
	cut := brief(err.Error(), nil)
	if cut == err.Error() {
		return err
	}
	if known, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return &jsonrpc.Error{Code: known.Code, Message: cut}
	}
	return errors.New(cut)
}

// maxError is how many characters an error may have.
const maxError = 1000

// longQuote matches a quoted part of an error that is too long.
var longQuote = regexp.MustCompile(`"((?:[^"\\]|\\.){` + strconv.Itoa(maxEcho) + `})(?:[^"\\]|\\.)+"`)

// brief shortens what an error repeats of the arguments to maxEcho characters.
func brief(said string, arguments json.RawMessage) string {
	for _, value := range longTexts(arguments) {
		said = strings.ReplaceAll(said, value, graph.Brief(value, maxEcho))
	}
	return graph.Brief(longQuote.ReplaceAllString(said, `"$1…"`), maxError)
}

// longTexts returns the texts of the arguments that an error must not repeat in full, in all forms
// in which errors repeat them.
func longTexts(arguments json.RawMessage) []string {
	var decoded any
	if err := json.Unmarshal(arguments, &decoded); err != nil {
		return nil
	}
	var long []string
	var visit func(value any)
	visit = func(value any) {
		switch value := value.(type) {
		case string:
			if len(value) <= maxEcho {
				return
			}
			inQuotes := strconv.Quote(value)
			long = append(long, value, inQuotes[1:len(inQuotes)-1], strings.TrimSpace(value), strings.Join(strings.Fields(value), " "))
		case []any:
			for _, member := range value {
				visit(member)
			}
		case map[string]any:
			for _, member := range value {
				visit(member)
			}
		}
	}
	visit(decoded)
	return long
}

// advice maps commands that errors of the library recommend to what an agent can do instead. Longer
// commands come before their prefixes.
var advice = []struct{ command, words string }{
	{"facts restore", "a person can readmit it"},
	{"facts rejected", "a person can list them"},
	{"facts", "search_memory_facts finds those there are"},
	{"entities", "search_nodes finds those there are"},
	{"episodes", "get_episodes lists the latest"},
	{"threads", "get_episodes names the saga of each episode"},
	{"search", "search_memory_facts shows its arguments"},
	{"erase", "a person who keeps this memory can erase it"},
	{"groups create", "a person who keeps this memory can free its name"},
	{"keys create", "ask the person who gave you the key for another one"},
	{"retry", "a person who keeps this memory can have it read again"},
	{"", "ask the person who keeps this memory to mend that"},
}

// forAgents replaces each part of a message that names a command by what an agent can do.
func forAgents(said string) string {
	parts := strings.Split(said, "; ")
	for i, part := range parts {
		head, command, ok := strings.Cut(part, "'annals ")
		if !ok {
			continue
		}
		parts[i] = insteadOf(command)
		if cut := strings.LastIndexAny(head, ":,."); cut > 0 {
			parts[i] = head[:cut] + "; " + parts[i]
		}
	}
	return strings.Join(parts, "; ")
}

func insteadOf(command string) string {
	for _, a := range advice {
		if strings.HasPrefix(command, a.command) {
			return a.words
		}
	}
	return ""
}
