package agent

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/annalsdb/annals/model"
)

// What a message, a call and a function take beside their texts. Providers
// frame them with a few tokens each; these are on the safe side of OpenAI's.
const (
	messageTokens = 4
	callTokens    = 8
	toolTokens    = 8
)

// encoding counts tokens: that of GPT-4o and later.
var encoding = sync.OnceValue(codec.NewO200kBase)

// countTokens is the exact number of tokens of a text.
func countTokens(text string) int {
	if text == "" {
		return 0
	}
	n, err := encoding().Count(text)
	if err != nil { // its regular expression gave up, on no text that is known
		return len(text)
	}
	return n
}

// countMessage is what a message takes.
func countMessage(m model.Message) int {
	n := messageTokens + countTokens(m.Text)
	if m.Call != nil {
		n += callTokens + countTokens(m.Call.Name) + countTokens(m.Call.Arguments)
	}
	return n
}

// countTools is what the functions take that are offered.
func countTools(tools []model.Tool) int {
	n := 0
	for _, t := range tools {
		n += toolTokens + countTokens(t.Name) + countTokens(t.Description) + countTokens(string(t.Parameters))
	}
	return n
}

// CountTokens is how many tokens a conversation takes before its answer, its
// functions included: what is held against the window.
func CountTokens(c model.Conversation) int {
	n := messageTokens + countTokens(c.System) + countTools(c.Tools)
	for _, m := range c.Messages {
		n += countMessage(m)
	}
	return n
}

// cutToTokens shortens a text to at most so many tokens, note included, which
// is put in place of what was cut.
func cutToTokens(text string, most int, note string) string {
	if len(text) <= most || countTokens(text) <= most { // no token is shorter than a byte
		return text
	}
	room := most - countTokens(note)
	if room <= 0 {
		return ""
	}
	low, high := 0, min(len(text), room*longestToken)
	for low+1 < high {
		at := (low + high) / 2
		if countTokens(text[:at])+countTokens(note) <= most {
			low = at
		} else {
			high = at
		}
	}
	for low > 0 && !utf8.RuneStart(text[low]) {
		low--
	}
	for cut := strings.TrimRight(text[:low], " \n") + note; ; cut = cut[:len(cut)-len(note)-1] + note {
		if countTokens(cut) <= most || len(cut) <= len(note)+1 {
			return strings.ToValidUTF8(cut, "")
		}
	}
}

const longestToken = 128 // bytes, of o200k_base
