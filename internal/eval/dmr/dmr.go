// Package dmr reads MSC-Self-Instruct in its own format and measures how much
// of the answers is found. It is the data of MemGPT's deep memory retrieval
// (Packer et al., MemGPT: Towards LLMs as Operating Systems, arXiv 2310.08560,
// section 3.1.1), built on Multi-Session Chat (Xu et al., arXiv 2107.07567).
//
// The memory consists of five sessions of two people. One of them is then asked
// about the conversation. No turn is labelled as evidence: in the benchmark a
// model judges answers. Without a model there is a substitute, see [Evaluate].
package dmr

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/annalsdb/annals/internal/eval/datafile"
)

// Sample is one conversation and its question.
type Sample struct {
	ID       string
	Sessions []Session
	Question string
	Answer   string
}

// Session is a session of the conversation.
type Session struct {
	At    time.Time
	Turns []Turn
}

// Turn is an utterance. Speaker 1 and Speaker 2 alternate.
type Turn struct{ Speaker, Text string }

// Recorded is a question with the judged answer of another memory, from runs
// published without the conversations.
type Recorded struct {
	Question string  `json:"question"`
	Answer   string  `json:"answer"`
	Response *string `json:"graphiti_response"`
	Score    float64 `json:"graphiti_score"`     // 1: right
	SearchMS float64 `json:"graphiti_search_ms"` // time of the search
}

// File is the content of a file: samples, or recorded answers.
type File struct {
	Samples  []Sample
	Recorded []Recorded
}

// Load reads a file of JSON lines, gzipped or not.
func Load(path string) (File, error) { return datafile.Load(path, Read) }

// Read reads JSON lines.
func Read(r *bufio.Reader) (File, error) {
	var file File
	decoder := json.NewDecoder(r)
	for n := 1; ; n++ {
		var raw struct {
			sampleJSON
			Recorded
		}
		err := decoder.Decode(&raw)
		switch {
		case errors.Is(err, io.EOF):
			return file, nil
		case err != nil:
			return file, fmt.Errorf("is not MSC-Self-Instruct's JSON: line %d: %w", n, err)
		case raw.Response != nil:
			file.Recorded = append(file.Recorded, raw.Recorded)
		case raw.SelfInstruct.Question == "" || raw.SelfInstruct.Answer == "":
			return file, fmt.Errorf("line %d has neither a question under self_instruct nor a recorded answer", n)
		default:
			file.Samples = append(file.Samples, raw.sample())
		}
	}
}

type sampleJSON struct {
	Dialog   []turnJSON `json:"dialog"`
	Previous []struct {
		Dialog   []turnJSON `json:"dialog"`
		TimeBack string     `json:"time_back"`
	} `json:"previous_dialogs"`
	Metadata struct {
		ID string `json:"initial_data_id"`
	} `json:"metadata"`
	SelfInstruct struct {
		Question string `json:"B"`
		Answer   string `json:"A"`
	} `json:"self_instruct"`
}

type turnJSON struct {
	Text    string `json:"text"`
	Speaker string `json:"id"`
}

// LastSession is the assumed time of every last session. The data only says how
// long before it the others were.
var LastSession = time.Date(2024, time.January, 1, 12, 0, 0, 0, time.UTC)

func (j sampleJSON) sample() Sample {
	s := Sample{ID: j.Metadata.ID, Question: j.SelfInstruct.Question, Answer: j.SelfInstruct.Answer}
	for i, p := range j.Previous {
		at := LastSession.Add(-timeBack(p.TimeBack, len(j.Previous)-i))
		s.Sessions = append(s.Sessions, Session{At: at, Turns: turnsOf(p.Dialog)})
	}
	if len(j.Dialog) > 0 {
		s.Sessions = append(s.Sessions, Session{At: LastSession, Turns: turnsOf(j.Dialog)})
	}
	return s
}

// turnsOf converts turns and names the speakers, which earlier sessions omit.
func turnsOf(dialog []turnJSON) []Turn {
	turns := make([]Turn, len(dialog))
	for i, t := range dialog {
		turns[i] = Turn{t.Speaker, t.Text}
		if t.Speaker == "" {
			turns[i].Speaker = fmt.Sprintf("Speaker %d", i%2+1)
		}
	}
	return turns
}

var ago = regexp.MustCompile(`(\d+) (day|hour)s?`)

// timeBack parses "7 days 8 hours ago". By default sessions are a day apart.
func timeBack(text string, sessions int) time.Duration {
	found := ago.FindAllStringSubmatch(text, -1)
	if found == nil {
		return time.Duration(sessions) * 24 * time.Hour
	}
	var back time.Duration
	for match := range slices.Values(found) {
		n, _ := strconv.Atoi(match[1]) // out of range gives the maximum
		unit := time.Hour
		if match[2] == "day" {
			unit = 24 * time.Hour
		}
		back += time.Duration(min(n, 10_000)) * unit
	}
	return back
}
