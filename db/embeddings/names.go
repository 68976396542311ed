package embeddings

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"

	"github.com/annalsdb/annals/graph"
)

// indexName names the index of a group's vectors, in at most 56 bytes, so that
// what PostgreSQL appends while it rebuilds one still fits its limit of 63.
// VectorIndexStrays knows our indexes by this form.
func indexName(groupID string, kind graph.Kind, model string) string {
	hash := sha256.New()
	for _, part := range []string{groupID, string(kind), model} {
		hash.Write([]byte(part + "\x00"))
	}
	return string(kind) + "_embeddings_hnsw_" + hex.EncodeToString(hash.Sum(nil)[:12])
}

var vectorIndex = regexp.MustCompile(`^annals_internal\.[a-z]+_embeddings_hnsw_[0-9a-f]{24}(_cc(new|old)[0-9]*)?$`)

// IsIndex reports whether an index, which is named with its schema, is one of a group's
// vectors, or what is left of one, by the form that indexName and PostgreSQL give.
func IsIndex(name string) bool { return vectorIndex.MatchString(name) }
