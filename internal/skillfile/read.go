package skillfile

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// Found is a skill that somebody wrote down.
type Found struct {
	ID         uuid.UUID // of the skill that Annals wrote there; zero: somebody else did
	Run        annals.Run
	ExternalID string // the same as long as the file is
}

// maxFile is the most bytes of a SKILL.md.
const maxFile = 1 << 20

// Read reads the SKILL.md of each folder in one, or of that folder itself. What a file
// says to do is kept as a run whose steps it lists. Its source is among what is known of
// where it was done.
func Read(dir string) ([]Found, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", file))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
		paths = append(paths, filepath.Join(dir, file))
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("read %s: neither it nor a folder in it has a %s", dir, file)
	}
	var all []Found
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err == nil && len(text) > maxFile {
			err = graph.Invalid("file", "has %d bytes; a %s has at most %d", len(text), file, maxFile)
		}
		var one Found
		if err == nil {
			one, err = read(text)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		one.Run.Environment = map[string]string{"imported from": filepath.Join(filepath.Base(filepath.Dir(path)), file)}
		all = append(all, one)
	}
	return all, nil
}

var (
	item     = regexp.MustCompile(`(?m)^(?:\d+[.)]|[-*]) +(.+)$`)
	numbered = regexp.MustCompile(`(?m)^\d+[.)] +(.+)$`)
)

func read(text []byte) (Found, error) {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	head, body, closed := bytes.Cut(bytes.TrimPrefix(text, []byte("---\n")), []byte("\n---\n"))
	if !closed || !bytes.HasPrefix(text, []byte("---\n")) {
		return Found{}, graph.Invalid("file", "does not begin with its name and description between lines of ---")
	}
	said, err := headOf(string(head))
	if err != nil {
		return Found{}, err
	}
	found := Found{ExternalID: fmt.Sprintf("skill:%x", sha256.Sum256(text))}
	found.ID, _ = uuid.Parse(said["annals-id"]) // zero where it is none
	task, _, _ := strings.Cut(strings.Join(strings.Fields(said["description"]), " "), ". ")
	found.Run = annals.Run{Task: cmp.Or(strings.TrimSuffix(task, "."), said["name"]), Outcome: "success", JudgedBy: "who imported it"}
	steps := numbered.FindAllSubmatch(body, -1)
	if steps == nil {
		steps = item.FindAllSubmatch(body, -1)
	}
	for _, step := range steps {
		found.Run.Steps = append(found.Run.Steps, annals.RunStep{Action: string(step[1])})
	}
	if len(found.Run.Steps) == 0 {
		return Found{}, graph.Invalid("file", "lists no steps: lines that begin with a number or a dash")
	}
	return found, nil
}
