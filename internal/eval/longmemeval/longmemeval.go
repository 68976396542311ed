// Package longmemeval reads LongMemEval (Wu et al., LongMemEval: Benchmarking
// Chat Assistants on Long-Term Interactive Memory, arXiv 2410.10813) in its own
// format, and measures how well the evidence of its questions is found.
//
// A question has a haystack of dated sessions between a user and an assistant.
// A few sessions contain the answer, and their turns are labelled.
package longmemeval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/annalsdb/annals/internal/eval/datafile"
)

// Question is a question with its haystack.
type Question struct {
	ID     string
	Type   string // "multi-session", "temporal-reasoning", …
	Text   string
	Answer string
	At     time.Time // when it is asked; for a few, before their evidence

	AnswerSessions []string
	Sessions       []Session // the haystack, by time
}

// Abstention reports whether the haystack lacks the answer, so that a reader
// must say so.
func (q Question) Abstention() bool { return strings.HasSuffix(q.ID, "_abs") }

// Session is a session of the haystack.
type Session struct {
	ID    string
	At    time.Time
	Turns []Turn
}

// Turn is one utterance.
type Turn struct {
	Role      string `json:"role"` // user or assistant
	Content   string `json:"content"`
	HasAnswer bool   `json:"has_answer"`
}

// dateLayout is the format of dates: 2023/05/30 (Tue) 23:40, taken as UTC.
const dateLayout = "2006/01/02 (Mon) 15:04"

// Load reads a file of questions with their haystacks, gzipped or not. It is a
// JSON array, as published, or JSON lines.
func Load(path string) ([]Question, error) { return datafile.Load(path, Read) }

// Read reads questions from a JSON array or a sequence of objects.
func Read(r *bufio.Reader) ([]Question, error) {
	first, err := firstByte(r)
	if err != nil {
		return nil, fmt.Errorf("is not LongMemEval's JSON: %w", err)
	}
	decoder := json.NewDecoder(r)
	if first == '[' {
		if _, err := decoder.Token(); err != nil {
			return nil, err
		}
	}
	var questions []Question
	for decoder.More() {
		var raw questionJSON
		if err := decoder.Decode(&raw); err != nil {
			return nil, fmt.Errorf("is not LongMemEval's JSON: question %d: %w", len(questions)+1, err)
		}
		q, err := raw.question()
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", raw.ID, err)
		}
		questions = append(questions, q)
	}
	if first == '[' {
		if _, err := decoder.Token(); err != nil {
			return nil, fmt.Errorf("ends too early: %w", err)
		}
	}
	return questions, nil
}

func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if !unicode.IsSpace(rune(b)) {
			return b, r.UnreadByte()
		}
	}
}

type questionJSON struct {
	ID             string          `json:"question_id"`
	Type           string          `json:"question_type"`
	Question       string          `json:"question"`
	Date           string          `json:"question_date"`
	Answer         datafile.Scalar `json:"answer"`
	AnswerSessions []string        `json:"answer_session_ids"`
	Dates          []string        `json:"haystack_dates"`
	SessionIDs     []string        `json:"haystack_session_ids"`
	Sessions       [][]Turn        `json:"haystack_sessions"`
}

func (j questionJSON) question() (Question, error) {
	q := Question{ID: j.ID, Type: j.Type, Text: j.Question, Answer: string(j.Answer), AnswerSessions: j.AnswerSessions}
	if j.ID == "" || j.Question == "" {
		return q, errors.New("has no question_id or no question")
	}
	if len(j.Sessions) == 0 {
		return q, errors.New("has no haystack; take the file with haystack_sessions")
	}
	if len(j.Dates) != len(j.Sessions) || len(j.SessionIDs) != len(j.Sessions) {
		return q, fmt.Errorf("has %d sessions, %d ids and %d dates of sessions", len(j.Sessions), len(j.SessionIDs), len(j.Dates))
	}
	var err error
	if q.At, err = time.Parse(dateLayout, j.Date); err != nil {
		return q, err
	}
	for i, turns := range j.Sessions {
		s := Session{ID: j.SessionIDs[i], Turns: turns}
		if s.At, err = time.Parse(dateLayout, j.Dates[i]); err != nil {
			return q, err
		}
		q.Sessions = append(q.Sessions, s)
	}
	return q, nil
}
