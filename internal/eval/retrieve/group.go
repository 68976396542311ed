package retrieve

import (
	"strings"
	"unicode"

	"github.com/annalsdb/annals"
)

// GroupName is the group of a haystack. It says with what the haystack is
// filled, where that is not the offline default with the graph: what one
// embedder or model made is of no use to another.
func GroupName(client *annals.Client, name string, options Options) string {
	if !options.Graph {
		name += "-flat"
	} else if analyst := client.Analyst(); !isOffline(analyst) {
		name += "-" + slug(analyst)
	}
	if embedder := client.Embedder().Name(); !isOffline(embedder) {
		name += "-" + slug(embedder)
	}
	return name
}

func isOffline(name string) bool { return name == "offline" || strings.HasPrefix(name, "offline:") }

// slug leaves only what the name of a group may have.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == ':' {
			return r
		}
		return '-'
	}, name)
}
