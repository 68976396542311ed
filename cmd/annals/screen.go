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

// style is how a text looks on a terminal.
type style string

// The numbers are those of ECMA-48's "select graphic rendition".
const (
	dim style = "2"
	red style = "31"
)

// screen is an output for people. It makes everything [printable], so that
// stored text, which may come from anyone, never steers the terminal. JSON
// stays JSON, with the same values.
type screen struct {
	to      io.Writer
	colours bool

	mu   sync.Mutex
	rest []byte // the beginning of a character whose end is still to be written
}

// newScreen has colours on terminals, unless the user wants none (no-color.org).
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

// Write makes text printable and passes it on.
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

// completeTo is where the last complete character of a text ends.
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

// flush writes what is left of a text that ends within a character.
func (s *screen) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = io.WriteString(s.to, printable(string(s.rest))) // the command has ended, well or badly
	s.rest = nil
}

// paint writes a text in a style. Only here are control sequences sent to a
// terminal.
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

// printable keeps a text from steering a terminal: control characters but for
// tabs and line ends, and those that turn the direction of writing, become
// escapes that can be read. The escapes are those of JSON, so that what is
// printable JSON says the same. Bytes that are no UTF-8 become \x escapes; in
// JSON there are none.
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

// cell is a text that fits into a line of a table.
func cell(s string) string {
	return printable(strings.Map(func(r rune) rune {
		switch r {
		case '\t', '\n', '\v', '\f', '\r':
			return ' '
		}
		return r
	}, s))
}
