package tokens

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class is what the encodings distinguish of a character, as a set of bits.
type class uint8

const (
	capital class = 1 << iota // may stand before the small letters of a word
	small                     // may follow the capitals of a word
	letter
	number
	space
	lineBreak
)

// ascii has the classes of the ASCII characters.
var ascii = func() (classes [utf8.RuneSelf]class) {
	for r := range rune(utf8.RuneSelf) {
		classes[r] = classOf(r)
	}
	return classes
}()

func classOf(r rune) class {
	switch {
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return capital | letter
	case unicode.Is(unicode.Ll, r):
		return small | letter
	case unicode.IsLetter(r): // without case
		return capital | small | letter
	case unicode.IsMark(r):
		return capital | small
	case unicode.IsNumber(r):
		return number
	case r == '\r' || r == '\n':
		return space | lineBreak
	case unicode.IsSpace(r):
		return space
	}
	return 0
}

// classAt returns the class of the character at an offset and its length in bytes, which is 0 at
// the end of the text.
func classAt(text string, i int) (class, int) {
	switch {
	case i >= len(text):
		return 0, 0
	case text[i] < utf8.RuneSelf:
		return ascii[text[i]], 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return classOf(r), size
}

// run returns where characters of a class that begin at an offset end. There are at most so many.
func run(text string, i int, of class, most int) int {
	for range most {
		at, size := classAt(text, i)
		if at&of == 0 {
			break
		}
		i += size
	}
	return i
}

// splitter cuts texts into pieces whose bytes are merged. It does what the regular expression of
// its encoding does, in a small part of the time that a backtracking engine takes.
type splitter struct {
	word func(text string, start int) (end int) // the alternatives before the one for numbers
	tail string                                 // follows punctuation
}

// Of the expression of o200k_base the alternatives for words are
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//
// and those that follow are
//
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
var o200kSplitter = splitter{word: capitalisedWord, tail: "\r\n/"}

// Of the expression of cl100k_base the alternatives for words are
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+
//
// and those that follow are those of o200k_base, without the slash.
var cl100kSplitter = splitter{word: plainWord, tail: "\r\n"}

// pieces cuts a text of valid UTF-8.
func (s splitter) pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for start := 0; start < len(text); {
			end := s.end(text, start)
			if !yield(text[start:end]) {
				return
			}
			start = end
		}
	}
}

// end returns where the piece that begins at start ends.
func (s splitter) end(text string, start int) int {
	if end := s.word(text, start); end > start {
		return end
	}
	if end := run(text, start, number, 3); end > start {
		return end
	}
	from := start
	if text[start] == ' ' {
		from++
	}
	if end := punctuation(text, from); end > from {
		return len(text) - len(strings.TrimLeft(text[end:], s.tail))
	}
	return blank(text, start)
}

// capitalisedWord returns where a word of o200k_base ends that begins at start, perhaps with
// another character before it.
func capitalisedWord(text string, start int) int {
	begins := beginsOfWord(text, start)
	for _, from := range begins {
		if end := capitalsAndSmall(text, from); end > from {
			return end + contraction(text[end:])
		}
	}
	for _, from := range begins {
		if end := run(text, from, capital, len(text)); end > from {
			return end + contraction(text[end:])
		}
	}
	return start
}

// beginsOfWord returns where the letters of a word that begins at start may begin: after a
// character that is no letter, number or line break, or at start.
func beginsOfWord(text string, start int) [2]int {
	if at, size := classAt(text, start); at&(letter|number|lineBreak) == 0 {
		return [2]int{start + size, start}
	}
	return [2]int{start, start}
}

// capitalsAndSmall returns where any number of capitals with at least one small letter behind them
// end. Letters without case and marks count as both: where no other small letter follows, the last
// of them ends the match.
func capitalsAndSmall(text string, from int) int {
	last, i := from, from
	for {
		at, size := classAt(text, i)
		if at&capital == 0 {
			break
		}
		i += size
		if at&small != 0 {
			last = i
		}
	}
	if end := run(text, i, small, len(text)); end > i {
		return end
	}
	return last
}

// plainWord returns where a word of cl100k_base ends that begins at start: the end of a
// contraction, or letters, perhaps with another character before them.
func plainWord(text string, start int) int {
	if n := contraction(text[start:]); n > 0 {
		return start + n
	}
	for _, from := range beginsOfWord(text, start) {
		if end := run(text, from, letter, len(text)); end > from {
			return end
		}
	}
	return start
}

// contraction returns the length of 's, 't, 're, 've, 'm, 'll or 'd at the begin of a text, in
// capitals or not.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	switch text[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(text) > 2 {
		switch strings.ToLower(text[1:3]) {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

// punctuation returns where characters that are no letters, numbers or white space end.
func punctuation(text string, i int) int {
	for i < len(text) {
		at, size := classAt(text, i)
		if at&(letter|number|space) != 0 {
			break
		}
		i += size
	}
	return i
}

// blank returns where white space that begins at start ends: after its last line break, else before
// its last character if something follows, which takes that one along.
func blank(text string, start int) int {
	broken, before, i := start, start, start
	for {
		at, size := classAt(text, i)
		if at&space == 0 {
			break
		}
		before, i = i, i+size
		if at&lineBreak != 0 {
			broken = i
		}
	}
	switch {
	case broken > start:
		return broken
	case i < len(text) && before > start:
		return before
	}
	return i
}
