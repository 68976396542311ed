package graph

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxEpisodeJSON is the most bytes of an episode in JSON.
const MaxEpisodeJSON = 10 << 20

// EpisodeInput is an episode as users write it in JSON at every door. Only
// Content is needed; [Episode] says what the others mean.
type EpisodeInput struct {
	Content           string          `json:"content"`
	OccurredAt        string          `json:"occurred_at"` // as [ParseTime] reads it
	Source            Source          `json:"source"`
	Actor             string          `json:"actor"`
	Role              string          `json:"role"`
	ThreadID          string          `json:"thread_id"`
	ExternalID        string          `json:"external_id"`
	Metadata          json.RawMessage `json:"metadata"`
	Name              string          `json:"name"`
	SourceDescription string          `json:"source_description"`
	Deferred          bool            `json:"deferred"`
	Force             bool            `json:"force"`
	Previous          *int            `json:"previous"`
}

// ParseEpisode reads an episode from a JSON object over what it may leave out.
// It refuses what a decoder would silently put right: unknown keys, bytes that
// are not UTF-8, halves of characters.
func ParseEpisode(data []byte, rest EpisodeInput) (EpisodeInput, error) {
	if !utf8.Valid(data) {
		return rest, Invalid("content", "is not valid UTF-8; convert the file first, for example with iconv")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	decoded := rest
	decoded.Metadata = slices.Clone(rest.Metadata) // the decoder writes into it
	if err := decoder.Decode(&decoded); err != nil {
		return decoded, notEpisode(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return decoded, errors.New("holds more than one JSON object, or something after it; write one object a line")
	}
	return decoded, wholeCharacters(data)
}

// notEpisode says in plain words why JSON is not an episode.
func notEpisode(err error) error {
	if wrongType, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrongType.Field != "" {
		return Invalid(wrongType.Field, "is a JSON %s; it must be a %s", wrongType.Value, jsonKind(wrongType.Type))
	}
	if key, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("the key %s is not known; put what is your own under \"metadata\"", key)
	}
	return fmt.Errorf("is not a JSON object: %w", err)
}

// jsonKind is what JSON calls a kind of value.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "whole number"
	case reflect.Bool:
		return "boolean: true or false"
	default:
		return t.String()
	}
}

// Episode is the episode of a group that was written so. It is not validated.
func (in EpisodeInput) Episode(groupID string) (Episode, error) {
	at, err := ParseTime("occurred_at", in.OccurredAt)
	if err != nil {
		return Episode{}, err
	}
	if string(in.Metadata) == "null" {
		in.Metadata = nil
	}
	return Episode{
		GroupID: groupID, Source: cmp.Or(in.Source, SourceMessage), Content: in.Content, Actor: in.Actor, Role: in.Role,
		Name: in.Name, SourceDescription: in.SourceDescription, ThreadID: in.ThreadID, OccurredAt: at,
		Metadata: in.Metadata, ExternalID: in.ExternalID, Deferred: in.Deferred, Force: in.Force, Previous: in.Previous,
	}, nil
}
