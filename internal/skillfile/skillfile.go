// Package skillfile writes skills as the folders that agents' hosts read, and reads such
// folders. Each has a SKILL.md as specified by agentskills.io.
package skillfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/matching"
)

// The limits of the specification, in characters.
const (
	maxName        = 64
	maxDescription = 1024
)

const file = "SKILL.md"

// Named is a skill with its name in hosts.
type Named struct {
	annals.Skill
	Name string
}

// Best returns the best procedure of each skill, which comes first in the list. Each gets
// a unique name that is not in taken.
func Best(list []annals.Skill, taken ...string) []Named {
	seen := map[uuid.UUID]bool{}
	var best []Named
	for _, s := range list {
		if !seen[s.SkillID] {
			seen[s.SkillID] = true
			best = append(best, Named{s, nameOf(s, taken)})
			taken = append(taken, best[len(best)-1].Name)
		}
	}
	return best
}

// Written holds the folders of an export.
type Written struct {
	Names []string `json:"written"`
	Left  []string `json:"left"` // from earlier exports, no longer exported
}

// Write writes the best of a group's skills into a folder, each into a folder of its own.
// It replaces earlier exports of the same name, and leaves those of other names. It fails
// rather than overwrite a file of another origin.
func Write(dir, group string, skills []annals.Skill) (Written, error) {
	w := Written{Names: []string{}, Left: []string{}}
	for _, s := range Best(skills) {
		if err := writeOne(filepath.Join(dir, s.Name), s); err != nil {
			return w, err
		}
		w.Names = append(w.Names, s.Name)
	}
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if text, err := textOf(filepath.Join(dir, entry.Name(), file)); err == nil && isOf(group, text) && !slices.Contains(w.Names, entry.Name()) {
			w.Left = append(w.Left, entry.Name())
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // nothing to write
	}
	return w, err
}

// isOf reports whether a SKILL.md was written for a group.
func isOf(group string, text []byte) bool {
	return bytes.Contains(text, []byte("\n  annals-group: "+quoted(group)+"\n"))
}

func writeOne(dir string, s Named) error {
	there, err := os.ReadFile(filepath.Join(dir, file))
	if err == nil && !isOf(s.GroupID, there) {
		return fmt.Errorf("write %s: its %s was written by somebody else, or for another group; rename it, or choose another --dir", dir, file)
	}
	if entries, failed := os.ReadDir(dir); err != nil && failed == nil && len(entries) > 0 {
		return fmt.Errorf("write %s: the folder holds something else; choose another --dir", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, file), page(s), 0o644)
}

// quoted returns a text in JSON quotes, which are valid YAML.
func quoted(text string) string {
	said, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string cannot fail
	}
	return string(said)
}

// page returns the SKILL.md of a skill.
func page(s Named) []byte {
	return fmt.Appendf(nil, "---\nname: %s\ndescription: %s\nmetadata:\n  annals-id: %s\n  annals-group: %s\n  annals-state: %s\n  annals-worked: %s\n---\n\n%s",
		s.Name, quoted(Description(s.Skill)), quoted(s.ID.String()), quoted(s.GroupID), quoted(s.State), quoted(fmt.Sprintf("%d of %d", s.Successes, s.Successes+s.Failures)), s.Markdown())
}

// Description returns what a skill does and when to use it, within the limit of the
// specification.
func Description(s annals.Skill) string {
	text := strings.Join(strings.Fields(s.Name+". Use it for tasks such as: "+strings.Join(s.Tasks, "; ")+"."), " ")
	for utf8.RuneCountInString(text) > maxDescription {
		text = text[:strings.LastIndex(text, " ")]
	}
	return text
}

// nameOf returns a host's name for a skill: lower-case letters, digits and single
// hyphens.
func nameOf(s annals.Skill, taken []string) string {
	name := strings.Join(strings.FieldsFunc(matching.Fold(s.Name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
	if len(name) > maxName-9 {
		name = strings.Trim(name[:maxName-9], "-")
	}
	if name == "" || slices.Contains(taken, name) {
		name = strings.Trim(name+"-"+s.ID.String()[:8], "-")
	}
	return name
}
