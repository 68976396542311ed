package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/annalsdb/annals"
)

// codes maps error codes of the service to codes of the library.
var codes = map[string]annals.Code{
	"unauthorized": annals.CodeForbidden, "rate_limited": annals.CodeUnavailable, "timeout": annals.CodeUnavailable,
	"too_large": annals.CodeInvalid, "precondition_failed": annals.CodeConflict,
	"method_not_allowed": annals.CodeInternal, "not_acceptable": annals.CodeInternal, "unsupported_media_type": annals.CodeInternal,
}

// problem converts an error answer of the service to an error of the library.
func problem(response *http.Response, text []byte) error {
	var said struct {
		Code   string `json:"code"`
		Detail string `json:"detail"`
		Errors []struct {
			Message  string `json:"message"`
			Location string `json:"location"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(text, &said); err != nil || said.Code == "" {
		return &annals.Error{Code: ofStatus(response.StatusCode), Message: "the service answers " + response.Status}
	}
	code, own := codes[said.Code]
	if !own {
		code = annals.Code(said.Code)
	}
	out := &annals.Error{Code: code, Message: cmp.Or(said.Detail, response.Status)}
	if len(said.Errors) > 0 {
		out.Field, out.Message = fieldAt(said.Errors[0].Location), said.Errors[0].Message
	}
	if response.StatusCode == http.StatusPreconditionFailed {
		out.Field = "version"
	}
	return out
}

// ofStatus returns the code for an answer that is not Annals', such as a
// proxy's.
func ofStatus(status int) annals.Code {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return annals.CodeForbidden
	case http.StatusNotFound:
		return annals.CodeNotFound
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return annals.CodeUnavailable
	}
	return annals.CodeInternal
}

// fieldAt returns the field of a location such as body.limit or
// body.line[4].content.
func fieldAt(location string) string {
	for _, place := range []string{"body.", "query.", "path.", "header."} {
		location = strings.TrimPrefix(location, place)
	}
	if rest, ok := strings.CutPrefix(location, "line["); ok {
		_, location, _ = strings.Cut(rest, "].")
	}
	return location
}

// unreached returns the error of a request without an answer.
func unreached(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("the request was given up: %w", context.Cause(ctx))
	}
	return &annals.Error{Code: annals.CodeUnavailable, Message: "the service cannot be reached; look at the URL and whether 'annals serve' runs", Err: err}
}
