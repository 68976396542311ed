package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// saidID is an external id made of what an episode says, when, where and by
// whom, and of what is noted beside it, so that the same message is known when it
// comes again. Messages that do not differ in any of these are told apart by how
// often that was said, from 1. It is empty for an episode without a time: what is
// said now is new.
func saidID(e annals.Episode, times int) string {
	if e.OccurredAt.IsZero() {
		return ""
	}
	source := e.Source
	if source == "" {
		source = graph.SourceMessage
	}
	return hashID(e.OccurredAt.UTC().Format(time.RFC3339Nano), string(source), e.Actor, e.Role, e.ThreadID, e.Content,
		e.Name, e.SourceDescription, strings.TrimSpace(string(e.Metadata)), fmt.Sprint(times))
}

// hashID is an external id made of parts.
func hashID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "sha256:" + hex.EncodeToString(sum[:])
}
