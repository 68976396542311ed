package agent

import (
	"strings"
	"unicode/utf8"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/tokens"
)

// The tokens of a message, a call and a function in addition to their texts. Providers frame them
// with a few tokens each; these numbers are at least those of OpenAI.
const (
	messageTokens = 4
	callTokens    = 8
	toolTokens    = 8
)

const usualToken = 8

func countTokens(text string) int {
	if text == "" {
		return 0
	}
	return tokens.O200k().Count(text)
}

func countMessage(m model.Message) int {
	n := messageTokens + countTokens(m.Text)
	if m.Call != nil {
		n += callTokens + countTokens(m.Call.Name) + countTokens(m.Call.Arguments)
	}
	return n
}

func countTools(tools []model.Tool) int {
	n := 0
	for _, t := range tools {
		n += toolTokens + countTokens(t.Name) + countTokens(t.Description) + countTokens(string(t.Parameters))
	}
	return n
}

// cutToTokens cuts a text to most tokens, including a note in place of the rest.
func cutToTokens(text string, most int, note string) string {
	if len(text) <= most { // a token has at least one byte
		return text
	}
	if len(text) <= most*tokens.LongestToken && countTokens(text) <= most {
		return text
	}
	room := most - countTokens(note)
	if room <= 0 {
		return ""
	}
	low := len(firstTokens(text, room))
	for low > 0 && !utf8.RuneStart(text[low]) {
		low--
	}
	for cut := strings.TrimRight(text[:low], " \n") + note; ; cut = cut[:len(cut)-len(note)-1] + note {
		if countTokens(cut) <= most || len(cut) <= len(note)+1 {
			return strings.ToValidUTF8(cut, "")
		}
	}
}

// firstTokens returns the first most tokens of a text, but never the whole text. It tokenises only
// as much of the text as that needs.
func firstTokens(text string, most int) string {
	for bytes := most * usualToken; ; bytes *= 4 {
		bytes = min(bytes, len(text))
		cut := tokens.O200k().Split(strings.ToValidUTF8(text[:bytes], ""))
		if len(cut) >= most || bytes == len(text) {
			return text[:min(len(strings.Join(cut[:min(most, len(cut))], "")), len(text)-1)]
		}
	}
}
