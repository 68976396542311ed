package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/temporal"
)

// UnlessKnown is the input of routes that support conditional reads.
type UnlessKnown struct {
	IfNoneMatch string `header:"If-None-Match" doc:"The ETag that is known: 304 where it still is the one"`
}

// IfUnchanged is the input of routes that support conditional writes.
type IfUnchanged struct {
	IfMatch string `header:"If-Match" doc:"The ETag that was read: 412 where it was changed in the meantime"`
}

// tagged is an answer with an ETag.
type tagged[T any] struct {
	ETag string `header:"ETag"`
	Body T
}

// versionTag returns the ETag of a row: the start of its version.
func versionTag(recorded temporal.Interval) string {
	return strconv.Quote(strconv.FormatInt(recorded.Start.UnixMicro(), 36))
}

// contentTag returns the ETag of a value without versions: a hash.
func contentTag(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(text)
	return strconv.Quote(hex.EncodeToString(hash[:8])), nil
}

// unlessTag returns the response, or 304 if the caller has it already.
func unlessTag[T any](known UnlessKnown, tag string, v T) (*tagged[T], error) {
	for _, t := range tags(known.IfNoneMatch) {
		if t == tag || t == "*" {
			return nil, huma.ErrorWithHeaders(huma.Status304NotModified(), http.Header{"Etag": {tag}})
		}
	}
	return &tagged[T]{ETag: tag, Body: v}, nil
}

func tags(header string) []string {
	var list []string
	for t := range strings.SplitSeq(header, ",") {
		if t = strings.TrimPrefix(strings.TrimSpace(t), "W/"); t != "" {
			list = append(list, t)
		}
	}
	return list
}

// versions returns the versions that If-Match allows, for the library; nil: any. A foreign tag
// becomes a version that never existed.
func (c IfUnchanged) versions() []time.Time {
	var versions []time.Time
	for _, t := range tags(c.IfMatch) {
		if t == "*" {
			return nil
		}
		micro, err := strconv.ParseInt(strings.Trim(t, `"`), 36, 64)
		if err != nil {
			micro = -1
		}
		versions = append(versions, time.UnixMicro(micro))
	}
	return versions
}

func (c IfUnchanged) matches(tag string) bool {
	list := tags(c.IfMatch)
	return len(list) == 0 || slices.Contains(list, tag) || slices.Contains(list, "*")
}

func changed(what string) error {
	return &annals.Error{Code: annals.CodeConflict, Field: "version", Message: what + " was changed in the meantime; read it again"}
}
