package reading

import (
	"bufio"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/annalsdb/annals/internal/eval/datafile"
	"github.com/annalsdb/annals/internal/eval/truth"
)

// Question is a question to a memory with the expectations of its context.
type Question struct {
	Case   string         `json:"case"` // the case whose memory is asked; for a story's question: the story
	Ask    string         `json:"ask"`
	At     time.Time      `json:"at"`
	Tells  [][]Expression `json:"tells"`
	NotNow []string       `json:"not_now"`
	Never  []string       `json:"never"`
	First  [][2]string    `json:"first"` // pairs of claims: words of the one to be told first, and of the other
}

// Expression is a case-insensitive regular expression.
type Expression struct {
	text    string
	pattern *regexp.Regexp
}

// UnmarshalText compiles the expression.
func (e *Expression) UnmarshalText(text []byte) (err error) {
	e.text = string(text)
	e.pattern, err = regexp.Compile("(?i)" + e.text)
	return err
}

// MarshalText returns the expression as read.
func (e Expression) MarshalText() ([]byte, error) { return []byte(e.text), nil }

// Story is a conversation for the offline rules, with questions.
type Story struct {
	ID        string          `json:"id"`
	Messages  []truth.Message `json:"messages"` // only at, actor, role and text are read
	Questions []Question      `json:"questions"`
}

// Memory is a conversation that fills a group, with the questions to ask.
type Memory struct {
	truth.Case
	Questions []Question
}

// LoadCases reads questions and their truth cases. It omits cases without a
// question.
func LoadCases(cases, questions string) ([]Memory, error) {
	all, err := truth.Load(cases)
	if err != nil {
		return nil, err
	}
	asked, err := load[Question](questions)
	if err != nil {
		return nil, err
	}
	of := map[string][]Question{}
	for _, q := range asked {
		of[q.Case] = append(of[q.Case], q)
	}
	var memories []Memory
	for _, c := range all {
		if len(of[c.ID]) > 0 {
			memories = append(memories, Memory{Case: c, Questions: of[c.ID]})
			delete(of, c.ID)
		}
	}
	for id := range of {
		return nil, fmt.Errorf("%s asks about the case %q, which %s does not have", questions, id, cases)
	}
	return memories, nil
}

// LoadStories reads stories with their questions.
func LoadStories(path string) ([]Memory, error) {
	stories, err := load[Story](path)
	if err != nil {
		return nil, err
	}
	memories := make([]Memory, len(stories))
	for i, s := range stories {
		for n := range s.Questions {
			s.Questions[n].Case = s.ID
		}
		memories[i] = Memory{Case: truth.Case{ID: s.ID, Messages: s.Messages}, Questions: s.Questions}
	}
	return memories, nil
}

// load reads a file of questions or stories in JSON lines.
func load[Line interface{ validate() error }](path string) ([]Line, error) {
	return datafile.Load(path, func(r *bufio.Reader) ([]Line, error) { return datafile.Lines(r, "line", Line.validate) })
}

// validate refuses a question that cannot be asked or expects nothing.
func (q Question) validate() error {
	switch {
	case q.Ask == "" || q.At.IsZero():
		return fmt.Errorf("the question %q has no text or no time", q.Ask)
	case len(q.Tells)+len(q.NotNow)+len(q.Never)+len(q.First) == 0:
		return fmt.Errorf("nothing is expected of %q", q.Ask)
	}
	if slices.Contains(q.NotNow, "") || slices.Contains(q.Never, "") {
		return fmt.Errorf("%q forbids empty words, which every line has", q.Ask)
	}
	return nil
}

func (s Story) validate() error {
	if s.ID == "" || len(s.Messages) == 0 || len(s.Questions) == 0 {
		return fmt.Errorf("the story %q has no id, no messages or no questions", s.ID)
	}
	for i, m := range s.Messages {
		if m.Text == "" || m.At.IsZero() {
			return fmt.Errorf("%s: message %d has no text or no time", s.ID, i+1)
		}
	}
	for _, q := range s.Questions {
		if err := q.validate(); err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
	}
	return nil
}
