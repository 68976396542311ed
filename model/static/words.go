package static

import (
	"encoding/json"
	"strings"
	"sync"
)

// words caches the tokens of words, most of which recur.
type words struct {
	sync.RWMutex
	known map[string][]int
}

const (
	mostWords = 50_000

	// mostWordBytes is where a word is cut, since the tokeniser takes quadratic
	// time and no real word is longer. Longer ones, such as encoded bytes, seldom
	// recur and are not cached.
	mostWordBytes = 200
)

func newWords() *words { return &words{known: map[string][]int{}} }

// tokens returns the tokens of a word; cut makes those of a new word.
func (w *words) tokens(word string, cut func(string) []int) []int {
	w.RLock()
	tokens, ok := w.known[word]
	w.RUnlock()
	if ok {
		return tokens
	}
	var all []int
	for rest := word; rest != ""; {
		part := rest[:min(len(rest), mostWordBytes)]
		rest = rest[len(part):]
		all = append(all, cut(strings.ToValidUTF8(part, ""))...)
	}
	if len(word) > mostWordBytes {
		return all
	}
	w.Lock()
	defer w.Unlock()
	if len(w.known) >= mostWords {
		clear(w.known)
	}
	w.known[strings.Clone(word)] = all
	return all
}

// tokeniserFile holds further parts of a tokenizer.json.
type tokeniserFile struct {
	PreTokeniser *struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	Model struct {
		Unknown   any `json:"unk_token"`
		UnknownID any `json:"unk_id"`
		Vocab     json.RawMessage
	} `json:"model"`
}

func readTokeniser(content []byte) tokeniserFile {
	var file tokeniserFile
	_ = json.Unmarshal(content, &file) // The tokeniser's library has accepted it.
	return file
}

// byWords reports whether a text has the same tokens as its words in sequence. In
// the tokenisers of Llama a word includes the space before it; those of BERT
// first cut texts at spaces. Those of GPT-2 use other tokens for a word at the
// beginning of a text, and detect the ends of words themselves.
func byWords(content []byte) bool {
	cutter := readTokeniser(content).PreTokeniser
	return cutter == nil || cutter.Type == "Metaspace" || cutter.Type == "BertPreTokenizer"
}

// unknownToken returns the id of the token for unknown text.
func unknownToken(content []byte) (int, bool) {
	file := readTokeniser(content)
	if number, ok := file.Model.UnknownID.(float64); ok {
		return int(number), true
	}
	name, _ := file.Model.Unknown.(string)
	var vocabulary map[string]int
	if name == "" || json.Unmarshal(file.Model.Vocab, &vocabulary) != nil {
		return 0, false
	}
	id, ok := vocabulary[name]
	return id, ok
}
