package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// The defaults of [Settings].
const (
	DefaultWindow       = 8192
	defaultAnswer       = 1024
	defaultWarn         = 0.7
	defaultFlush        = 1.0
	defaultEvict        = 0.5
	defaultProtect      = 3
	defaultMaxSteps     = 16
	defaultSummaryWords = 100
	defaultOpenFiles    = 5
	defaultSleep        = 600
)

const minRoom = 512 // tokens that the settings must leave for instructions and messages

// Settings define how large an agent's context is and what it may do. The zero value of each field
// is its default.
type Settings struct {
	// Window is the size of the model's context in tokens, including the answer, as o200k_base
	// counts them. Defaults to 8192.
	Window int `json:"window,omitempty"`

	// Answer is how many of these tokens are reserved for the answer. Defaults to 1024, or to a
	// quarter of a window smaller than 4096.
	Answer int `json:"answer,omitempty"`

	// Warn, Flush and Evict are shares of the window without the answer: the fill level at which
	// the agent is warned, the one at which messages leave the context, and how much they free. 0
	// to 1; default to 0.7, 1 and 0.5.
	Warn  float64 `json:"warn,omitempty"`
	Flush float64 `json:"flush,omitempty"`
	Evict float64 `json:"evict,omitempty"`

	// Protect is how many of the latest messages stay in the context if possible. Defaults to 3.
	Protect int `json:"protect,omitempty"`

	// MaxSteps is how many answers of the model a turn may have. Defaults to 16.
	MaxSteps int `json:"max_steps,omitempty"`

	// SummaryWords is the limit in words on the summary of what has left the context. Defaults to
	// 100.
	SummaryWords int `json:"summary_words,omitempty"`

	// ContextTokens is how many tokens of the group's graph are put into the context of a turn:
	// facts and entities that are relevant to what the user says. Defaults to none.
	ContextTokens int `json:"context_tokens,omitempty"`

	// NoGraph keeps what is said out of the group's graph. Searches find it all the same.
	NoGraph bool `json:"no_graph,omitempty"`

	// RecordRuns stores each turn with function calls as a run. Skills are learned from runs once
	// somebody says how they went. Defaults to no.
	RecordRuns bool `json:"record_runs,omitempty"`

	// OpenFiles is how many attached documents the agent can have open at once. Defaults to 5.
	OpenFiles int `json:"open_files,omitempty"`

	// HeartbeatSeconds is the interval at which the agent is woken, if a program calls
	// [Agents.Beat]. Defaults to never.
	HeartbeatSeconds int `json:"heartbeat_seconds,omitempty"`

	// SleepSeconds is how long the agent has to rest before its memory is tidied up; see
	// [Agents.ConsolidateRested]. Defaults to 600.
	SleepSeconds int `json:"sleep_seconds,omitempty"`

	// NoSleep turns that off.
	NoSleep bool `json:"no_sleep,omitempty"`

	// TimeZone is the IANA name of the agent's time zone, such as Europe/Berlin, for the times that
	// it reads and the dates that it writes. Defaults to UTC.
	TimeZone string `json:"time_zone,omitempty"`

	// AllowFiles and AllowHTTP allow the functions read_from_text_file and append_to_text_file, and
	// http_request, within the limits of [Options].
	AllowFiles bool `json:"allow_files,omitempty"`
	AllowHTTP  bool `json:"allow_http,omitempty"`
}

func (s Settings) withDefaults() Settings {
	s.Window = cmp.Or(s.Window, DefaultWindow)
	s.Answer = cmp.Or(s.Answer, min(defaultAnswer, s.Window/4))
	s.Warn, s.Flush, s.Evict = cmp.Or(s.Warn, defaultWarn), cmp.Or(s.Flush, defaultFlush), cmp.Or(s.Evict, defaultEvict)
	s.Protect, s.MaxSteps = cmp.Or(s.Protect, defaultProtect), cmp.Or(s.MaxSteps, defaultMaxSteps)
	s.SummaryWords, s.OpenFiles = cmp.Or(s.SummaryWords, defaultSummaryWords), cmp.Or(s.OpenFiles, defaultOpenFiles)
	return s
}

// Validate returns an error if the settings cannot be used.
func (s Settings) Validate() error {
	for name, n := range map[string]int{
		"window": s.Window, "answer": s.Answer, "protect": s.Protect, "max_steps": s.MaxSteps, "summary_words": s.SummaryWords,
		"context_tokens": s.ContextTokens, "open_files": s.OpenFiles, "heartbeat_seconds": s.HeartbeatSeconds,
		"sleep_seconds": s.SleepSeconds,
	} {
		if n < 0 {
			return graph.Invalid(name, "is %d; it cannot be negative", n)
		}
		if n > math.MaxInt32 {
			return graph.Invalid(name, "is %d; the limit is %d", n, math.MaxInt32)
		}
	}
	for name, share := range map[string]float64{"warn": s.Warn, "flush": s.Flush, "evict": s.Evict} {
		if math.IsNaN(share) || share < 0 || share > 1 {
			return graph.Invalid(name, "is %g; it is a share of the window, 0 to 1", share)
		}
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil {
		return graph.Invalid("time_zone", "%q is no time zone; write one as Europe/Berlin", s.TimeZone)
	}
	d := s.withDefaults()
	if d.Window-d.Answer < minRoom {
		return graph.Invalid("window", "of %s leaves %d beside the answer; it must leave at least %d", each.Count(d.Window, "token"), d.Window-d.Answer, minRoom)
	}
	return nil
}

// room returns the tokens of the window without the answer.
func (s Settings) room() int { return s.Window - s.Answer }

func (s Settings) location() *time.Location {
	location, err := time.LoadLocation(s.TimeZone)
	if err != nil { // it was validated; another machine may have other time zones
		return time.UTC
	}
	return location
}

func (s Settings) json() ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("write the settings: %w", err)
	}
	return text, nil
}
