// Package skillfile writes skills as the folders that agents' hosts read: a SKILL.md each,
// as agentskills.io specifies.
package skillfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/matching"
)

// The limits of the specification, in characters.
const (
	maxName        = 64
	maxDescription = 1024
)

const file = "SKILL.md"

// Write writes skills into a folder, each into one of its own, and returns the names of
// these. What an earlier call wrote is replaced; what somebody else wrote is left alone,
// which is an error.
func Write(dir string, skills []annals.Skill) ([]string, error) {
	taken := map[string]bool{}
	var names []string
	for _, s := range skills {
		name := nameOf(s, taken)
		taken[name] = true
		if err := writeOne(filepath.Join(dir, name), name, s); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

func writeOne(dir, name string, s annals.Skill) error {
	there, err := os.ReadFile(filepath.Join(dir, file))
	if err == nil && !bytes.Contains(there, []byte("\n  annals-id: ")) {
		return fmt.Errorf("write %s: its %s was written by somebody else; rename it, or choose another --dir", dir, file)
	}
	if entries, failed := os.ReadDir(dir); err != nil && failed == nil && len(entries) > 0 {
		return fmt.Errorf("write %s: the folder holds something else; choose another --dir", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, file), Page(name, s), 0o644)
}

// Page is the SKILL.md of a skill.
func Page(name string, s annals.Skill) []byte {
	quoted := func(text string) string { // JSON's strings are YAML's, too
		said, err := json.Marshal(text)
		if err != nil {
			panic(err) // of a string it cannot fail
		}
		return string(said)
	}
	return fmt.Appendf(nil, "---\nname: %s\ndescription: %s\nmetadata:\n  annals-id: %s\n  annals-state: %s\n  annals-worked: %s\n---\n\n%s",
		name, quoted(description(s)), quoted(s.ID.String()), quoted(s.State), quoted(fmt.Sprintf("%d of %d", s.Successes, s.Successes+s.Failures)), s.Markdown())
}

// description says what a skill does and when to use it.
func description(s annals.Skill) string {
	text := strings.Join(strings.Fields(s.Name+". Use it for tasks such as: "+strings.Join(s.Tasks, "; ")+"."), " ")
	for utf8.RuneCountInString(text) > maxDescription {
		text = text[:strings.LastIndex(text, " ")]
	}
	return text
}

// nameOf makes a name of a skill's: small letters, digits and single hyphens.
func nameOf(s annals.Skill, taken map[string]bool) string {
	name := strings.Join(strings.FieldsFunc(matching.Fold(s.Name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
	if len(name) > maxName-9 {
		name = strings.Trim(name[:maxName-9], "-")
	}
	if name == "" || taken[name] {
		name = strings.Trim(name+"-"+s.ID.String()[:8], "-")
	}
	return name
}
