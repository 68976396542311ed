package service

import (
	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/retrieval"
)

// Written wraps a search result for encoding/json, which encodes the wrapper faster than the
// result.
func Written(r annals.Result) any { return retrieval.Written(r) }
