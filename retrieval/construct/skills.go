package construct

import (
	"fmt"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
)

// MaxSkills is how many skills a context shows for a task.
const MaxSkills = 2

// WithSkills puts skills before the context that ask returns, within one budget. It shows the most
// similar skills, while they take no more than half of the budget. The context gets the rest.
func (c Construction) WithSkills(skills []graph.Skill, ask func(Construction) (string, error)) (string, error) {
	var shown string
	used := 0
	for _, s := range skills[:min(len(skills), MaxSkills)] {
		section := "<SKILLS>\n" + shown + c.skill(s) + "</SKILLS>\n"
		n, err := CountTokens(section, c.Encoding)
		if err != nil {
			return "", err
		}
		if c.Tokens > 0 && n > c.Tokens/2 {
			break
		}
		shown += c.skill(s)
		used = n
	}
	if shown == "" {
		return ask(c)
	}
	if c.Tokens > 0 {
		c.Tokens -= used
	}
	rest, err := ask(c)
	return "<SKILLS>\n" + shown + "</SKILLS>\n" + rest, err
}

// skill is a skill as a context shows it: its proof, its steps and its pitfalls. Nothing in it can
// close a tag.
func (c Construction) skill(s graph.Skill) string {
	safe := fence.New()
	var b strings.Builder
	fmt.Fprintf(&b, "- %s (%s; since %s it worked in %d of %s)", safe.Said(s.Name), s.State, s.ValidAt.UTC().Format("2 January 2006"), s.Successes,
		each.Count(s.Successes+s.Failures, "run"))
	if c.Citations { // by which it can be judged
		fmt.Fprintf(&b, " [%s]", s.ID)
	}
	b.WriteString("\n")
	if len(s.Preconditions) > 0 {
		fmt.Fprintf(&b, "  Where it worked: %s\n", safe.Said(strings.Join(s.Preconditions, "; ")))
	}
	for i, step := range s.Steps {
		fmt.Fprintf(&b, "  %d. %s\n", i+1, safe.Said(step))
	}
	for _, pitfall := range s.Pitfalls {
		fmt.Fprintf(&b, "  Went wrong before: %s\n", safe.Said(pitfall))
	}
	if s.Why != "" {
		fmt.Fprintf(&b, "  Against it: %s\n", safe.Said(s.Why))
	}
	return b.String()
}
