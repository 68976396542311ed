package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/annalsdb/annals/internal/resend"
)

// spanSender sends spans by OTLP's http/protobuf. OpenTelemetry's own client would link all of
// gRPC.
type spanSender struct {
	address string
	headers http.Header
	client  http.Client
}

var _ otlptrace.Client = (*spanSender)(nil)

// sender reads from OpenTelemetry's variables where to send spans.
func (c config) sender() (*spanSender, error) {
	address := c.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]
	if address == "" {
		address = strings.TrimSuffix(cmp.Or(c.environ["OTEL_EXPORTER_OTLP_ENDPOINT"], "http://localhost:4318"), "/") + "/v1/traces"
	}
	s := &spanSender{address: address, headers: http.Header{"Content-Type": {"application/x-protobuf"}}}
	headers := cmp.Or(c.environ["OTEL_EXPORTER_OTLP_TRACES_HEADERS"], c.environ["OTEL_EXPORTER_OTLP_HEADERS"])
	for header := range strings.SplitSeq(headers, ",") {
		name, escaped, given := strings.Cut(header, "=")
		value, err := url.PathUnescape(strings.TrimSpace(escaped))
		if err != nil || !given && strings.TrimSpace(name) != "" {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS is no list like name=value,name=value: %q is none of them", name)
		}
		if given {
			s.headers.Set(strings.TrimSpace(name), value)
		}
	}
	return s, nil
}

// Start does nothing: requests are independent.
func (*spanSender) Start(context.Context) error { return nil }

// Stop does nothing.
func (*spanSender) Stop(context.Context) error { return nil }

// UploadTraces sends spans, and retries if the receiver asks for that.
func (s *spanSender) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans}) // has the same wire format as the request of OTLP
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = s.headers
	response, err := resend.Policy{}.Do(ctx, &s.client, request, false)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return fmt.Errorf("%s answers %s: %q", s.address, response.Status, said)
	}
	return nil
}
