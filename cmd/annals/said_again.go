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

// saidID returns an external id derived from an episode's text, time, speaker, thread and other
// fields, so that a repeated message is recognised. times distinguishes messages that agree in all
// of these: the first, the second and so on. It returns "" for an episode without a time: what is
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

// hashID returns an external id derived from parts.
func hashID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "sha256:" + hex.EncodeToString(sum[:])
}
