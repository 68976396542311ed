package db

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/annalsdb/annals/graph"
)

func vectorTable(kind graph.Kind) string { return "annals_internal." + string(kind) + "_embeddings" }

func ownerColumn(kind graph.Kind) string { return string(kind) + "_id" }

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

// IsVectorIndex reports whether an index, named with its schema, is one of a group's vectors, or what is left
// of one, by the form that indexName and PostgreSQL give.
func IsVectorIndex(name string) bool { return vectorIndex.MatchString(name) }

// quoteLiteral writes a string as a literal of SQL that stands for just that
// string whatever standard_conforming_strings is, as libpq's PQescapeLiteral
// does. PostgreSQL itself refuses bytes that are no UTF-8 and NUL.
func quoteLiteral(s string) string {
	quoted := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return " E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}
