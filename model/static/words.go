package static

import (
	"encoding/json"
	"strings"
	"sync"
)

// words remembers the tokens of words, most of which come again and again.
type words struct {
	sync.RWMutex
	known map[string][]int
}

const (
	mostWords = 50_000

	// mostWordBytes is where a word is cut: the tokeniser's time grows with the
	// square of its length, and nobody's words are longer. What is longer, such as
	// encoded bytes, seldom comes again and is not remembered.
	mostWordBytes = 200
)

func newWords() *words { return &words{known: map[string][]int{}} }

// tokens are those of a word, made by cut where it is new.
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

// tokeniserFile is what is to know of a tokenizer.json beyond its tokens.
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
	_ = json.Unmarshal(content, &file) // The tokeniser's library has read it.
	return file
}

// byWords reports whether the tokens of a text are those of its words, one after
// the other. In the tokenisers of Llama a word begins with the space before it,
// in those of BERT texts are cut at spaces first. Those of GPT-2 have other
// tokens for a word at the beginning of a text, and know by themselves where
// words end.
func byWords(content []byte) bool {
	cutter := readTokeniser(content).PreTokeniser
	return cutter == nil || cutter.Type == "Metaspace" || cutter.Type == "BertPreTokenizer"
}

// unknownToken is the number of the token for what the tokeniser does not know.
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
