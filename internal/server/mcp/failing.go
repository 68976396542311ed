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

// plain turns an error into words for the agent: what is wrong and what it can
// do, without a command line, which it does not have, and without repeating what
// it sent. It logs internal errors and hides their text.
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

// isMissing tells whether an error is about what is not there, or not for this
// key.
func isMissing(err error) bool {
	problem, ok := errors.AsType[*server.Problem](err)
	return ok && problem.Status == http.StatusNotFound || annals.CodeOf(err) == annals.CodeNotFound
}

// brieflyFailed cuts what an error of the protocol repeats of a request.
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

// maxError is the most characters of an error.
const maxError = 1000

// longQuote is a quoted stretch of an error that is longer than it may be.
var longQuote = regexp.MustCompile(`"((?:[^"\\]|\\.){` + strconv.Itoa(maxEcho) + `})(?:[^"\\]|\\.)+"`)

// brief cuts what an error repeats of the arguments to maxEcho characters.
func brief(said string, arguments json.RawMessage) string {
	for _, value := range longTexts(arguments) {
		said = strings.ReplaceAll(said, value, graph.Brief(value, maxEcho))
	}
	return graph.Brief(longQuote.ReplaceAllString(said, `"$1…"`), maxError)
}

// longTexts are the texts of the arguments that an error must not repeat whole,
// in the forms in which errors repeat them.
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

// advice is what errors of the library advise to those who have a command line,
// with what an agent can do instead. Longer commands stand before those that they
// begin with.
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

// forAgents puts what an agent can do in the place of each part of a message
// that names what a person types.
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
