package retrieve

import (
	"strings"
	"time"

	"github.com/annalsdb/annals"
)

// episodeLine returns an episode as a context shows it.
func episodeLine(e annals.Episode) string {
	line := strings.Join(strings.Fields(e.Content), " ")
	if speaker := e.Speaker(); speaker != "" {
		line = speaker + ": " + line
	}
	return line + " (" + day(e.OccurredAt) + ")"
}

// factLine returns a fact as a context shows it, with its time.
func factLine(f annals.Fact) string { return f.Told() + " (" + f.When(time.Now()) + ")" }

// day formats a time, without the time of day if that is midnight.
func day(t time.Time) string {
	t = t.UTC()
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04")
}
