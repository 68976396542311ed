package graph

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/annalsdb/annals/internal/escapes"
)

// The limits on input.
const (
	MaxContent    = 1 << 20  // bytes of an episode's content
	MaxMetadata   = 64 << 10 // bytes of an episode's metadata
	MaxName       = 512      // bytes of an actor, role, name, thread id, external id
	MaxGroupID    = 200      // bytes of a group id
	MaxPrevious   = 100      // earlier messages shown with a message
	firstYear     = 1
	lastYear      = 9999
	groupIDSyntax = `letters, digits and _ - . : @ +`
)

// outsideGroupID reports whether a group id may not contain a character.
func outsideGroupID(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_.:@+-", r)
}

// ValidateGroupID checks the name of a group.
func ValidateGroupID(id string) error {
	switch {
	case id == "":
		return Invalid("group", "is empty; name the group the memory belongs to")
	case len(id) > MaxGroupID:
		return Invalid("group", "is %d bytes long; the limit is %d", len(id), MaxGroupID)
	case !utf8.ValidString(id):
		return Invalid("group", "%q may hold only %s", id, groupIDSyntax)
	}
	if i := strings.IndexFunc(id, outsideGroupID); i >= 0 {
		r, _ := utf8.DecodeRuneInString(id[i:])
		hint := ""
		if unicode.Is(unicode.Mn, r) {
			hint = fmt.Sprintf("; it holds %U, an accent apart from its letter: write both as one character (Unicode NFC)", r)
		}
		return Invalid("group", "%q may hold only %s%s", id, groupIDSyntax, hint)
	}
	return validatePathName("group", id)
}

// validatePathName refuses "." and "..", which cannot be a name in the path of a URL.
func validatePathName(field, name string) error {
	if name == "." || name == ".." {
		return Invalid(field, "is %q, which is a place in a path and no name; give it another name", name)
	}
	return nil
}

// Validate checks an episode before it is stored. The error names the field
// and the limit.
func (e Episode) Validate() error {
	if err := ValidateGroupID(e.GroupID); err != nil {
		return err
	}
	switch e.Source {
	case SourceMessage, SourceText, SourceJSON, SourceRun:
	default:
		return Invalid("source", "%q is not one of message, text, json, run", e.Source)
	}
	if strings.TrimSpace(e.Content) == "" {
		return Invalid("content", "is empty")
	}
	if err := ValidateText("content", e.Content, MaxContent); err != nil {
		return err
	}
	if e.Source == SourceJSON && !json.Valid([]byte(e.Content)) {
		return Invalid("content", "is not valid JSON although source is json")
	}
	if e.Source == SourceRun {
		if err := validateRun(e.Content); err != nil {
			return err
		}
	}
	return e.validateDetails()
}

func (e Episode) validateDetails() error {
	err := validateNames(
		text{"actor", e.Actor}, text{"role", e.Role}, text{"name", e.Name}, text{"source_description", e.SourceDescription},
		text{"thread_id", e.ThreadID}, text{"external_id", e.ExternalID})
	err = cmp.Or(err, validatePathName("thread_id", e.ThreadID))
	if p := e.Previous; err == nil && p != nil && (*p < 0 || *p > MaxPrevious) {
		return Invalid("previous", "is %d; it must be 0 to %d", *p, MaxPrevious)
	}
	err = cmp.Or(err, ValidateTime("occurred_at", e.OccurredAt), ValidateTime("expires_at", e.ExpiresAt))
	if err == nil && !e.ExpiresAt.IsZero() && !e.ExpiresAt.After(time.Now()) {
		return Invalid("expires_at", "is %s, which has passed", e.ExpiresAt.UTC().Format(time.RFC3339))
	}
	return cmp.Or(err, ValidateObject("metadata", e.Metadata))
}

// text is a value with the name of its field.
type text struct{ field, value string }

// validateNames checks that no text exceeds MaxName bytes.
func validateNames(texts ...text) error {
	for _, t := range texts {
		if err := ValidateText(t.field, t.value, MaxName); err != nil {
			return err
		}
	}
	return nil
}

// validateOrder checks that a fact ends after it starts.
func validateOrder(validAt, invalidAt time.Time) error {
	if !validAt.IsZero() && !invalidAt.IsZero() && !validAt.Before(invalidAt) {
		return Invalid("invalid_at", "is not after valid_at: a fact holds for some time")
	}
	return nil
}

// ValidateTime checks that a time lies in the years 1 to 9999, which can be stored
// and printed. The zero time, which means none, passes.
func ValidateTime(field string, t time.Time) error {
	if y := t.UTC().Year(); y < firstYear || y > lastYear {
		return Invalid(field, "is in the year %d; years %d to %d can be stored", y, firstYear, lastYear)
	}
	return nil
}

// ValidateText checks that a text is UTF-8 without NUL and has at most limit bytes.
func ValidateText(field, s string, limit int) error {
	switch {
	case len(s) > limit:
		return Invalid(field, "is %d bytes long; the limit is %d", len(s), limit)
	case !utf8.ValidString(s):
		return Invalid(field, "is not valid UTF-8; convert it first, for example with iconv")
	case strings.ContainsRune(s, 0):
		return Invalid(field, "holds a NUL byte, which text cannot; remove it")
	}
	return nil
}

// ValidateObject checks a JSON object that is stored unchanged, of at most
// MaxMetadata bytes. It does not refuse numbers that only the database cannot hold;
// the database does.
func ValidateObject(field string, m json.RawMessage) error {
	if len(m) == 0 {
		return nil
	}
	if err := ValidateText(field, string(m), MaxMetadata); err != nil {
		return err
	}
	var object map[string]any
	err := json.Unmarshal(m, &object)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && strings.HasPrefix(wrong.Value, "number ") {
		return Invalid(field, "holds the %s, which is larger than programs can read; write it as a text", wrong.Value)
	}
	if err != nil || object == nil {
		return Invalid(field, "is not a JSON object")
	}
	if unfit := escapes.Unfit(m); unfit != "" {
		return Invalid(field, "%s", unfit)
	}
	return nil
}

func titleCase(s string) string { return cases.Title(language.Und).String(s) }
