package answer

import (
	"fmt"
	"strings"
)

// The reasons why a sentence or a value is cut, as an answer shows them.
const (
	notSaid    = "no passage says so"
	notCited   = "it names no passage that was shown"
	isOver     = "what says so is over"
	takenBack  = "what says so was taken back"
	inDispute  = "what says so is disputed"
	isPlanned  = "what says so is only planned or possible"
	noSuchType = "it is no value of the type that is asked for"
	unreadable = "the answer of the model cannot be read"
)

// shortfall describes why passages do not support a sentence; the zero value: they do.
type shortfall struct {
	why   string
	words []string // words that no passage has
}

// tell describes the shortfall to a model, so that it can correct the sentence.
func (s shortfall) tell(text string) string {
	switch s.why {
	case notSaid, notCited:
		return fmt.Sprintf("The passages named do not say %q: they lack %s.", cutTo(text), strings.Join(s.words, ", "))
	case isOver:
		return fmt.Sprintf("Of %q, %s: say it of the past, with its dates, or leave it out.", cutTo(text), s.why)
	case isPlanned:
		return fmt.Sprintf("Of %q, %s: say that ('was planned', 'may'), or leave it out.", cutTo(text), s.why)
	case inDispute:
		return fmt.Sprintf("Of %q, %s: say that, and with what, or leave it out.", cutTo(text), s.why)
	}
	return fmt.Sprintf("Leave out %q: %s. %s", cutTo(text), s.why, strings.Join(s.words, ", "))
}

func cutTo(s string) string {
	const most = 200 // bytes
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + " …"
}
