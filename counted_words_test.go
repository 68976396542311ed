package annals_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// counting finds a number before a plural in a format, as in "%d facts"; what is said of a
// limit, of at least two things or of a measurement is no count.
var (
	counting   = regexp.MustCompile(`(?:^|[^"]* )%d (?:[a-z]+ )?[a-z]{2,}s\b`)
	isNoPlural = regexp.MustCompile(`%d (?:is|was|has|as|does|comes|belongs|less|says|of|are|that|in|and|later|to|no|or|shows)\b`)
	ofLimits   = regexp.MustCompile(`limit|most|(?:than|over|to|first|number) %d`)
	notCounted = []string{
		"internal/eval/", "internal/bench/", "internal/pgtest/", "internal/clienttest/", "model/modeltest/", "examples/", "tools/", "scripts/", // for developers
		"cases fail", "questions fall short", "of %d users", "ANNALS_EMBEDDING_DIM says", "minLength", // of which there are many
		"the file is of %d groups",                                   // of which there are two
		"the %d episodes before it", "%d episodes could not be read", // the case of one is said by itself
		"of the %d messages states it", "context holds %d of %d tokens", // which is said of several
	}
)

// What is said, at any door, says "1 fact" and "2 facts": numbers are put into words by
// each.Count.
func TestWhatIsCountedIsEnglish(t *testing.T) {
	t.Parallel()
	files, err := exec.CommandContext(t.Context(), "git", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip("this is no clone:", err)
	}
	seen := 0
	for file := range strings.FieldsSeq(string(files)) {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, ".sql.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			continue // removed, and not committed
		}
		seen++
		for line := range strings.Lines(string(source)) {
			excepted := ofLimits.MatchString(line) || strings.HasPrefix(strings.TrimSpace(line), "//")
			for _, e := range notCounted {
				excepted = excepted || strings.Contains(line, e) || strings.HasPrefix(file, e)
			}
			if counting.MatchString(isNoPlural.ReplaceAllString(line, "")) && !excepted {
				t.Errorf("%s counts by itself: %s", file, strings.TrimSpace(line))
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d files were read", seen)
	}
}
