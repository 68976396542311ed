package skillfile

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// Found is a skill read from a file.
type Found struct {
	ID         uuid.UUID // the id, if Annals wrote the file; else zero
	Run        annals.Run
	ExternalID string // equal as long as the task and steps are
}

// maxFile is the limit of a SKILL.md, in bytes.
const maxFile = 1 << 20

// Read reads the SKILL.md of a folder and of each folder in it. It converts the instructions
// to a run with the listed steps. The run's environment names the file.
func Read(dir string) ([]Found, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	paths := []string{filepath.Join(dir, file)}
	for _, entry := range entries {
		paths = append(paths, filepath.Join(dir, entry.Name(), file))
	}
	var all []Found
	for _, path := range paths {
		if _, err := os.Lstat(path); err != nil {
			continue // there is none
		}
		text, err := textOf(path)
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
	if len(all) == 0 {
		return nil, fmt.Errorf("read %s: neither it nor a folder in it has a %s", dir, file)
	}
	return all, nil
}

// textOf reads a regular file of at most maxFile bytes. It does not block on pipes.
func textOf(path string) ([]byte, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, graph.Invalid("file", "is no regular file; a %s is one", file)
	}
	opened, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	text, err := io.ReadAll(io.LimitReader(opened, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = graph.Invalid("file", "is too large; a %s has at most %d bytes", file, maxFile)
	}
	return text, err
}

var (
	item     = regexp.MustCompile(`(?m)^(?:\d+[.)]|[-*]) +(.+)$`)
	numbered = regexp.MustCompile(`(?m)^\d+[.)] +(.+)$`)
	toDo     = regexp.MustCompile(`(?mi)^(#+) +(?:steps|instructions|workflow):? *$`)
	heading  = regexp.MustCompile(`(?m)^##+ `) // a single # may be a comment in a command
	sentence = regexp.MustCompile(`\. \p{Lu}`)
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
	task := strings.Join(strings.Fields(said["description"]), " ")
	if end := sentence.FindStringIndex(task); end != nil {
		task = task[:end[0]]
	}
	found := Found{Run: annals.Run{Task: cmp.Or(strings.TrimSuffix(task, "."), said["name"]), Steps: stepsOf(body), Outcome: "success", JudgedBy: "who imported it"}}
	found.ID, _ = uuid.Parse(said["annals-id"]) // zero if there is none
	if len(found.Run.Steps) == 0 {
		return Found{}, graph.Invalid("file", "lists no steps: lines that begin with a number or a dash")
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%q", found.Run.Task)
	for _, step := range found.Run.Steps {
		fmt.Fprintf(hash, "%q", step.Action)
	}
	found.ExternalID = fmt.Sprintf("skill:%x", hash.Sum(nil))
	return found, nil
}

// stepsOf returns the items of the list of steps: the list under a heading for steps, or
// else the first numbered or dashed list.
func stepsOf(body []byte) []annals.RunStep {
	for _, text := range [][]byte{sectionToDo(body), body} {
		for _, list := range []*regexp.Regexp{numbered, item} {
			var steps []annals.RunStep
			for _, step := range list.FindAllSubmatch(text, -1) {
				steps = append(steps, annals.RunStep{Action: string(step[1])})
			}
			if steps != nil {
				return steps
			}
		}
	}
	return nil
}

// sectionToDo returns the text under the heading for steps, up to the next heading of its
// level.
func sectionToDo(body []byte) []byte {
	at := toDo.FindSubmatchIndex(body)
	if at == nil {
		return nil
	}
	level := at[3] - at[2]
	section := body[at[1]:]
	for _, next := range heading.FindAllIndex(section, -1) {
		if next[1]-next[0]-1 <= level {
			return section[:next[0]]
		}
	}
	return section
}
