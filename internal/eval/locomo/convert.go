package locomo

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// How far apart the turns of a session are put, since only the session has a time.
const turnPause = 10 * time.Second

// Line is an episode as `annals add --file` reads it.
type Line struct {
	Content    string    `json:"content"`
	OccurredAt time.Time `json:"occurred_at"`
	Source     string    `json:"source"`
	Actor      string    `json:"actor"`
	ThreadID   string    `json:"thread_id"`
	ExternalID string    `json:"external_id"`
	Metadata   Metadata  `json:"metadata"`
}

// Metadata says which turn an episode was.
type Metadata struct {
	DiaID   string `json:"dia_id"`
	Session int    `json:"session"`
}

// Convert makes an episode of every turn. A picture is put into words by its
// caption, in brackets after what was said. A turn that says nothing is an
// error. LoCoMo dates sessions only: turns are set ten seconds apart from their
// session's date on, so that they stay in order.
func Convert(c Conversation) ([]Line, error) {
	var lines []Line
	for _, session := range c.Sessions {
		for i, turn := range session.Turns {
			content := contentOf(turn)
			if content == "" {
				return nil, fmt.Errorf("%s: turn %s says nothing", c.SampleID, turn.DiaID)
			}
			lines = append(lines, Line{
				Content: content, OccurredAt: session.At.Add(time.Duration(i) * turnPause), Source: "message", Actor: turn.Speaker,
				ThreadID:   fmt.Sprintf("%s:session_%d", c.SampleID, session.Number),
				ExternalID: c.SampleID + ":" + turn.DiaID,
				Metadata:   Metadata{DiaID: turn.DiaID, Session: session.Number},
			})
		}
	}
	return lines, nil
}

func contentOf(turn Turn) string {
	if turn.Caption == "" {
		return turn.Text
	}
	return strings.TrimLeft(turn.Text+" [shares a photo: "+turn.Caption+"]", " ")
}

// Write writes one JSON object a line.
func Write(w io.Writer, lines []Line) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return fmt.Errorf("write a line: %w", err)
		}
	}
	return nil
}
