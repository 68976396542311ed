package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// style is the look of a text on a terminal.
type style string

// The numbers are parameters of "select graphic rendition" in ECMA-48.
const (
	dim style = "2"
	red style = "31"
)

// screen is an output for people. It makes all text [printable], so that stored text, which may
// come from anyone, cannot control the terminal. JSON stays JSON, with the same values.
type screen struct {
	to      io.Writer
	colours bool

	mu   sync.Mutex
	rest []byte // an incomplete character at the end of the last write
}

// newScreen returns a screen with colours on terminals, unless the user turned them off
// (no-color.org).
func newScreen(to io.Writer, environ map[string]string) *screen {
	s := &screen{to: to}
	s.colours = s.terminal() && environ["NO_COLOR"] == "" && environ["TERM"] != "dumb"
	return s
}

// terminal reports whether w is a terminal.
func (s *screen) terminal() bool {
	f, ok := s.to.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Write makes text printable and writes it.
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	whole := slices.Concat(s.rest, text)
	end := completeTo(whole)
	_, err := io.WriteString(s.to, printable(string(whole[:end])))
	s.rest = whole[end:]
	if err != nil {
		return 0, err
	}
	return len(text), nil
}

// completeTo returns the end of the last complete character of a text.
func completeTo(text []byte) int {
	for i := len(text) - 1; i >= 0 && i > len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if utf8.FullRune(text[i:]) {
				return len(text)
			}
			return i
		}
	}
	return len(text)
}

// flush writes an incomplete character that is left at the end.
func (s *screen) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = io.WriteString(s.to, printable(string(s.rest))) // errors are ignored: the command has ended
	s.rest = nil
}

// paint writes a text in a style. No other function sends control sequences to a terminal.
func (s *screen) paint(as style, text string) error {
	text = printable(text)
	if s.colours && text != "" {
		text = "\x1b[" + string(as) + "m" + text + "\x1b[0m"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := io.WriteString(s.to, text)
	return err
}

// printable keeps a text from controlling a terminal. It escapes control characters, except tabs
// and line ends, and characters that change the direction of writing. The escapes are those of
// JSON, so printable JSON has the same values. Bytes that are not UTF-8 become \x escapes; JSON has
// none of those.
func printable(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, steers) {
		return s
	}
	var out strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			fmt.Fprintf(&out, `\x%02x`, s[i])
		case steers(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// steers reports whether a character may control a terminal.
func steers(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

// cell returns a text that fits into one line of a table.
func cell(s string) string {
	return printable(strings.Map(func(r rune) rune {
		switch r {
		case '\t', '\n', '\v', '\f', '\r':
			return ' '
		}
		return r
	}, s))
}
