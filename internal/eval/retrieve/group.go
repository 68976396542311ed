package retrieve

import (
	"strings"
	"unicode"

	"github.com/annalsdb/annals"
)

// GroupName returns the group of a haystack. The name includes the analyst and
// the embedder unless they are the offline default with the graph, since the
// results of one model are of no use to another.
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

// slug replaces characters that a group's name may not have.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == ':' {
			return r
		}
		return '-'
	}, name)
}
