package model

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/annalsdb/annals/graph"
)

// CallError is the error of a provider that gave no usable answer.
// [graph.CodeOf] returns CodeUnavailable for it.
type CallError struct {
	Provider   string
	Status     int           // HTTP status; 0: no response
	Message    string        // the provider's message, without secrets
	RetryAfter time.Duration // the pause that the provider asks for; 0: none
	Err        error         // the cause, such as a timeout; may be nil

	advice string
}

// Error returns the provider, the failure and what to do.
func (e *CallError) Error() string {
	s := e.Provider
	if e.Status != 0 {
		s += fmt.Sprintf(" answered %d", e.Status)
		if text := http.StatusText(e.Status); text != "" {
			s += " (" + text + ")"
		}
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	if e.advice != "" {
		s += "; " + e.advice
	}
	return s
}

// Unwrap returns the cause.
func (e *CallError) Unwrap() error { return e.Err }

// As converts the error to a [*graph.Error] with [graph.CodeUnavailable].
func (e *CallError) As(target any) bool {
	known, ok := target.(**graph.Error)
	if ok {
		*known = &graph.Error{Code: graph.CodeUnavailable, Message: e.Error(), Err: e.Err}
	}
	return ok
}

// AnswerError is the error of a model whose last answer cannot be used either.
type AnswerError struct {
	Prompt string // the name of the question
	Raw    string // the last answer, cut to 64 KiB
	Err    error  // what is wrong with it
}

// Error returns the question's name and what is wrong with its answer.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("the model's answer to %s cannot be used: %v", e.Prompt, e.Err)
}

// Unwrap returns what is wrong with the answer.
func (e *AnswerError) Unwrap() error { return e.Err }

// adviceFor returns what a user can do about a status.
func adviceFor(p provider, status int, message string) string {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		if p.local() {
			return "the server wants a key: give it one"
		}
		return "check the key in " + p.variable
	case status == http.StatusPaymentRequired || outOfCredit(message):
		return "the account has no credit left: top it up at the provider"
	case status == http.StatusNotFound:
		return "check the name of the model and the base URL"
	case status == http.StatusTooManyRequests:
		return "too many calls: lower the requests and tokens a minute, or wait"
	case status >= 500:
		return "the provider has trouble: try again later"
	}
	return ""
}

// outOfCredit reports whether an error means that the credit is used up, so
// that waiting does not help.
func outOfCredit(message string) bool {
	return strings.Contains(message, "insufficient_quota") || strings.Contains(message, "exceeded your current quota") ||
		strings.Contains(message, "credit balance is too low")
}

// keyLike matches API keys that providers echo, partly masked by stars.
var keyLike = regexp.MustCompile(`\b(sk|gsk|xai)[-_][A-Za-z0-9*_-]{8,}|\bAIza[A-Za-z0-9*_-]{8,}`)

// redact removes keys from a text.
func redact(text, key string) string {
	if len(key) >= 4 {
		text = strings.ReplaceAll(text, key, "[key]")
	}
	return keyLike.ReplaceAllString(text, "[key]")
}

// TooLong reports whether a model refused a request as too long for it.
func TooLong(err error) bool {
	call, ok := errors.AsType[*CallError](err)
	return ok && tooLong(call.Message)
}
