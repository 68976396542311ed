package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// collector receives spans as a collector of OpenTelemetry does.
type collector struct {
	mu      sync.Mutex
	headers http.Header       // of the last request
	sent    map[string][]byte // bodies by path
}

func newCollector(t *testing.T) (*collector, string) {
	t.Helper()
	c := &collector{sent: map[string][]byte{}}
	h := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.headers = r.Header
		c.sent[r.URL.Path] = append(c.sent[r.URL.Path], body...)
	}))
	t.Cleanup(h.Close)
	return c, h.URL
}

func (c *collector) spans() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent["/v1/traces"]
}

// Spans are sent to the address in OpenTelemetry's own variables, the last before the command ends,
// and contain no content.
func TestSpansAreSentWhereOpenTelemetrySays(t *testing.T) {
	c, url := newCollector(t)
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	if got := c.spans(); got != nil {
		t.Fatalf("%d bytes are sent although the settings of the command name no destination", len(got))
	}
	m.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = url + "/"
	m.environ["OTEL_EXPORTER_OTLP_HEADERS"] = "x-key=a%20b%3D, other = c"
	m.must("add", "-g", "t", "--actor", "Alice", "I moved to Lisbon.")
	got := c.spans()
	for _, want := range []string{"process episode", "extract entities", "EpisodesClaim", "service.name", "annals"} {
		if !bytes.Contains(got, []byte(want)) {
			t.Errorf("the spans have no %q", want)
		}
	}
	if bytes.Contains(got, []byte("Lisbon")) {
		t.Error("the spans quote what was said")
	}
	if c.headers.Get("X-Key") != "a b=" || c.headers.Get("Other") != "c" || c.headers.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("the headers are %v", c.headers)
	}
}

func TestWhichSettingsTrace(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]bool{
		"": false, "OTEL_SERVICE_NAME=x": false, "OTEL_TRACES_EXPORTER=none": false, "OTEL_TRACES_EXPORTER=otlp": true,
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://x": true, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://x": true,
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://x OTEL_SDK_DISABLED=true": false, "OTEL_EXPORTER_OTLP_ENDPOINT=http://x OTEL_TRACES_EXPORTER=none": false,
	} {
		if got := (config{environ: settingsOf(settings)}).tracing(); got != want {
			t.Errorf("%q: tracing is %v", settings, got)
		}
	}
}

func TestSpanExporter(t *testing.T) {
	t.Parallel()
	for settings, wrong := range map[string]string{
		"": "", "OTEL_TRACES_EXPORTER=otlp": "", "OTEL_TRACES_EXPORTER=console": "OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc": "OTEL_EXPORTER_OTLP_PROTOCOL",
		"OTEL_TRACES_EXPORTER=zipkin": "OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_PROTOCOL=http/json": "OTEL_EXPORTER_OTLP_PROTOCOL",
		"OTEL_EXPORTER_OTLP_PROTOCOL=http/json OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf": "", "OTEL_EXPORTER_OTLP_HEADERS=a=b,c": "OTEL_EXPORTER_OTLP_HEADERS",
	} {
		exporter, err := config{environ: settingsOf(settings)}.spanExporter(t.Context())
		if (err != nil) != (wrong != "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: %v", settings, err)
		}
		if err == nil {
			if err := exporter.Shutdown(t.Context()); err != nil {
				t.Errorf("%q: %v", settings, err)
			}
		}
	}
}

// settingsOf parses settings in the form of a shell.
func settingsOf(settings string) map[string]string {
	environ := map[string]string{}
	for _, setting := range strings.Fields(settings) {
		name, value, _ := strings.Cut(setting, "=")
		environ[name] = value
	}
	return environ
}

// The log has the level and the form that the flags ask for. By default it has no steps.
func TestTheLogIsAsAskedFor(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	add := func(args ...string) outcome {
		return m.run("", append([]string{"add", "-g", "t", "--actor", "Alice", "I live in Paris."}, args...)...)
	}
	if o := add(); strings.Contains(o.stderr, "step taken") {
		t.Errorf("a log that nobody asked for: %s", o.stderr)
	}
	if o := add("--log-level", "debug"); !strings.Contains(o.stderr, `"msg":"step taken","step":"commit"`) || !strings.Contains(o.stderr, `"episode":"`) {
		t.Errorf("no steps in the log: %s", o.stderr)
	}
	if o := add("--log-level", "debug", "--log-format", "text"); !strings.Contains(o.stderr, `msg="step taken" step=commit`) {
		t.Errorf("no steps in the log as text: %s", o.stderr)
	}
	add("--log-level", "loud").failsWith(t, `log-level: "loud" is not debug, info, warn or error`)
	add("--log-format", "xml").failsWith(t, `log-format: "xml" is not json or text`)
}

func TestTheCheckOfAServiceThatIsNotThere(t *testing.T) {
	t.Parallel()
	ready := http.StatusServiceUnavailable
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(ready)
	}))
	address := strings.TrimPrefix(h.URL, "http://")
	m := &memory{t: t, environ: map[string]string{"ANNALS_LISTEN": address}}
	m.run("", "serve", "--check").failsWith(t, "it is not ready")
	ready = http.StatusOK
	if o := m.run("", "serve", "--check"); o.code != exitOK {
		t.Errorf("a service that is ready: %+v", o)
	}
	h.Close()
	m.run("", "serve", "--check").failsWith(t, "nothing answers")
}
