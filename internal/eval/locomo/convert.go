package locomo

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// turnPause separates the turns of a session, since only the session has a time.
const turnPause = 10 * time.Second

// Line is an episode in the format of `annals add --file`.
type Line struct {
	Content    string    `json:"content"`
	OccurredAt time.Time `json:"occurred_at"`
	Source     string    `json:"source"`
	Actor      string    `json:"actor"`
	ThreadID   string    `json:"thread_id"`
	ExternalID string    `json:"external_id"`
	Metadata   Metadata  `json:"metadata"`
}

// Metadata identifies the turn of an episode.
type Metadata struct {
	DiaID   string `json:"dia_id"`
	Session int    `json:"session"`
}

// Convert converts every turn to an episode. The caption of a picture follows
// the text in brackets. An empty turn is an error. LoCoMo dates only sessions:
// turns are ten seconds apart from the session's date on, which preserves their
// order.
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

// Write writes JSON lines.
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
