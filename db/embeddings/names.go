package embeddings

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"

	"github.com/annalsdb/annals/graph"
)

// indexName names the index of a group's vectors, in at most 56 bytes, so that it stays within
// PostgreSQL's limit of 63 with the suffix of a rebuild. VectorIndexStrays recognises our indexes
// by this form.
func indexName(groupID string, kind graph.Kind, model string) string {
	hash := sha256.New()
	for _, part := range []string{groupID, string(kind), model} {
		hash.Write([]byte(part + "\x00"))
	}
	return string(kind) + "_embeddings_hnsw_" + hex.EncodeToString(hash.Sum(nil)[:12])
}

var vectorIndex = regexp.MustCompile(`^annals_internal\.[a-z]+_embeddings_hnsw_[0-9a-f]{24}(_cc(new|old)[0-9]*)?$`)

// IsIndex reports whether a name, with its schema, has the form of an index of a group's vectors,
// or of what an interrupted rebuild left of one.
func IsIndex(name string) bool { return vectorIndex.MatchString(name) }
