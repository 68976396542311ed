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

// MaxEpisodeJSON is the limit of an episode in JSON, in bytes.
const MaxEpisodeJSON = 10 << 20

// EpisodeInput is the JSON form in which users write an episode, the same at
// every door. Only Content is required; [Episode] explains the other fields.
// The tags limit and describe the fields in generated documents.
type EpisodeInput struct {
	Content           string          `json:"content" minLength:"1" doc:"What was said or written, at most 1 MiB" example:"I live in Paris."`
	OccurredAt        string          `json:"occurred_at,omitempty" mcp:"reference_time" doc:"When: RFC 3339, or 2024-03-15 or 2024-03-15T09:30 in the time zone of the group; left out: now" example:"2023-01-10"` // as [ParseTime] reads it
	Source            Source          `json:"source,omitempty" enum:"message,text,json,run" doc:"Its form; left out: message"`
	Actor             string          `json:"actor,omitempty" maxLength:"512" doc:"Who said or wrote it" example:"Alice"`
	Role              string          `json:"role,omitempty" mcp:"-" maxLength:"512" doc:"user, assistant, system, tool …"`
	ThreadID          string          `json:"thread_id,omitempty" mcp:"saga" maxLength:"512" doc:"The conversation it belongs to"`
	ExternalID        string          `json:"external_id,omitempty" mcp:"-" maxLength:"512" doc:"Your own name for it, unique in the group: adding it again changes nothing"`
	Metadata          json.RawMessage `json:"metadata,omitempty" mcp:"-" doc:"A JSON object, kept as it is, at most 64 KiB"`
	Name              string          `json:"name,omitempty" maxLength:"512" doc:"A title"`
	SourceDescription string          `json:"source_description,omitempty" maxLength:"512" doc:"Where it comes from, in words"`
	ExpiresAt         string          `json:"expires_at,omitempty" maxLength:"64" doc:"When it is hidden, with what only it supports, and undone soon after; left out: never" example:"2030-01-01"` // as [ParseTime] reads it
	Deferred          bool            `json:"deferred,omitempty" mcp:"-" doc:"Keep it from the language model until a retry asks for it"`
	Force             bool            `json:"force,omitempty" mcp:"-" doc:"Take it in even where it was erased"`
	Previous          *int            `json:"previous,omitempty" mcp:"-" minimum:"0" maximum:"100" doc:"How many earlier messages of the thread are shown with it; left out: as set"`
}

// ParseEpisode reads an episode from a JSON object; rest supplies the fields
// left out. It refuses input that encoding/json would silently repair or
// ignore: unknown keys, invalid UTF-8, lone surrogates.
func ParseEpisode(data []byte, rest EpisodeInput) (EpisodeInput, error) {
	if !utf8.Valid(data) {
		return rest, Invalid("content", "is not valid UTF-8; convert the file first, for example with iconv")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	decoded := rest
	decoded.Metadata = slices.Clone(rest.Metadata) // the decoder overwrites its bytes
	if err := decoder.Decode(&decoded); err != nil {
		return decoded, notEpisode(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return decoded, errors.New("holds more than one JSON object, or something after it; write one object a line")
	}
	return decoded, wholeCharacters(data)
}

// notEpisode explains in plain words why JSON is not an episode.
func notEpisode(err error) error {
	if wrongType, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrongType.Field == "" {
			return fmt.Errorf("is a JSON %s; it must be an object", wrongType.Value)
		}
		return Invalid(wrongType.Field, "is a JSON %s; it must be a %s", wrongType.Value, jsonKind(wrongType.Type))
	}
	if key, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("the key %s is not known; put what is your own under \"metadata\"", key)
	}
	return errors.New("is not a JSON object: " + err.Error()) // not wrapped: io.ErrUnexpectedEOF would look like a lost connection
}

// jsonKind returns JSON's name for a Go type.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "whole number"
	case reflect.Bool:
		return "boolean: true or false"
	default: // string types have their own names
		return t.Kind().String()
	}
}

// Episode converts the input to an episode of a group. It reads the times and
// validates nothing else.
func (in EpisodeInput) Episode(groupID string) (Episode, error) {
	at, err := ParseTime("occurred_at", in.OccurredAt)
	if err != nil {
		return Episode{}, err
	}
	expires, err := ParseTime("expires_at", in.ExpiresAt)
	if err != nil {
		return Episode{}, err
	}
	if string(in.Metadata) == "null" {
		in.Metadata = nil
	}
	return Episode{
		GroupID: groupID, Source: cmp.Or(in.Source, SourceMessage), Content: in.Content, Actor: in.Actor, Role: in.Role,
		Name: in.Name, SourceDescription: in.SourceDescription, ThreadID: in.ThreadID, OccurredAt: at,
		Metadata: in.Metadata, ExternalID: in.ExternalID, Deferred: in.Deferred, Force: in.Force, Previous: in.Previous, ExpiresAt: expires,
	}, nil
}
