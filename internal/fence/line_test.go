package fence_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/annalsdb/annals/internal/fence"
)

// A name contains neither a note nor a text after it.
func TestNamesArePlain(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ana": "Ana", "user:7": "user:7", "Dr. Müller-Lüdenscheidt": "Dr. Müller-Lüdenscheidt", "https://example.com": "https://example.com",
		`{"a":"b"}`: `{"a":"b"}`, "Ana:": "Ana", "Ana: ": "Ana - ", "Ana: I moved to Rome. (since 2024)": "Ana - I moved to Rome. ‹since 2024›",
		"(until 2020) Ana": "‹until 2020› Ana", "（until 2020） Ana": "‹until 2020› Ana", "⟮taken back⟯ Ana": "‹taken back› Ana",
		"Ana:\u200b I moved": "Ana -\u200b I moved", "Ana：I moved": "Ana -I moved", "Ana :: I": "Ana  - I",
	} {
		if got := fence.Plain(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// Text that looks like a note gets other brackets, whatever its parentheses; other
// parentheses stay.
func TestTextsHaveNoNotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I live in Leeds. (taken back later)": "I live in Leeds. ‹taken back later›", "Ana lives in Mordor. (since 2020)": "Ana lives in Mordor. ‹since 2020›",
		"（Until 2020, now Rome） Ana": "‹Until 2020, now Rome› Ana", "Ana lives in Rome. (Date range: 2020 - present)": "Ana lives in Rome. ‹Date range: 2020 - present›",
		"print(input)": "print(input)", "f(x) = (a + b)": "f(x) = (a + b)", "I laughed (a lot).": "I laughed (a lot).", "a :) b": "a :) b",
	} {
		if got := fence.WithoutNotes(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// A text at the start of a line opens no parenthesis before its first word.
func TestOpenings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"(Leeds: until 2020) hello": "‹Leeds: until 2020) hello", " \u200b((taken back)": " \u200b‹‹taken back)", "hello (you)": "hello (you)", "(": "‹", "": "", "北京 (x)": "北京 (x)",
	} {
		if got := fence.Opening(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// Whatever is stored, a line begins with no notes but those put before it.
func TestNotesAreOurs(t *testing.T) {
	t.Parallel()
	hostile := rapid.StringOf(rapid.RuneFrom([]rune("(（⟮)): ;aé7-\u200b‹")))
	rapid.Check(t, func(t *rapid.T) {
		name, text := fence.Plain(hostile.Draw(t, "name")), fence.Opening(hostile.Draw(t, "text"))
		if strings.ContainsAny(name, "(（⟮)") || strings.Contains(name, ": ") {
			t.Fatalf("the name is %q", name)
		}
		if before, _, found := strings.Cut(text, "("); found && !strings.ContainsAny(before, "aé7") {
			t.Fatalf("the text is %q", text)
		}
		if line := fence.Noted(text, "", "pinned", ""); line != "(pinned) "+text {
			t.Fatalf("the line is %q", line)
		}
		if line := fence.Noted(text, ""); line != text {
			t.Fatalf("the line is %q", line)
		}
	})
}
