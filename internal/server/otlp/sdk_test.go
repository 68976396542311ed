package otlp_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	wired "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/slow"
)

// sender sends the requests that OpenTelemetry's exporter for Go makes. The exporter's own sender
// would need another module.
type sender struct {
	*running
	group string
}

func (sender) Start(context.Context) error { return nil }
func (sender) Stop(context.Context) error  { return nil }

func (s sender) UploadTraces(_ context.Context, spans []*wired.ResourceSpans) error {
	sent, err := proto.Marshal(&wired.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	if status, _, said := s.post(s.group, wire, sent); status != http.StatusOK || len(said) > 0 {
		return fmt.Errorf("it is answered %d %q", status, said)
	}
	return nil
}

// Traces by OpenTelemetry for Go become runs, from which a skill is learned.
func TestSkillsAreLearnedFromTraces(t *testing.T) {
	t.Parallel()
	s := serve(t)
	ctx := t.Context()
	exporter, err := otlptrace.New(ctx, sender{s, "g"})
	if err != nil {
		t.Fatal(err)
	}
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter), sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "deployer"))))
	tracer := provider.Tracer("agent")
	for i, environment := range []string{"staging", "production", "staging"} {
		ctx, request := tracer.Start(ctx, "POST /chat")
		ctx, run := tracer.Start(ctx, "invoke_agent Ops")
		for _, command := range []string{"git pull", "make deploy ENV=" + environment} {
			_, call := tracer.Start(ctx, "execute_tool bash")
			call.SetAttributes(
				attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", "bash"),
				attribute.String("gen_ai.tool.call.arguments", fmt.Sprintf(`{"command": %q}`, command)), attribute.String("gen_ai.tool.call.result", "done"))
			call.End()
		}
		run.SetAttributes(
			attribute.String("gen_ai.operation.name", "invoke_agent"), attribute.String("gen_ai.agent.name", "Ops"),
			attribute.String("gen_ai.input.messages", fmt.Sprintf(`[{"role": "user", "parts": [{"type": "text", "content": "Deploy billing to %s"}]}]`, environment)))
		run.SetStatus(codes.Ok, "")
		run.End()
		request.End()
		if runs := s.runs("g"); len(runs) != i+1 {
			t.Fatalf("after %d traces there are %d runs", i+1, len(runs))
		}
	}
	if err := provider.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	if err := s.client.Process(ctx, "g", nil); err != nil {
		t.Fatal(err)
	}
	skills, err := s.client.Skills(ctx, annals.SkillFilter{GroupID: "g", Task: "Deploy billing to staging"})
	if err != nil || len(skills) != 1 {
		t.Fatalf("the skills are %+v (%v)", skills, err)
	}
	if skill := skills[0]; skill.Successes != 3 || len(skill.Steps) != 2 || !strings.Contains(skill.Steps[0], "git pull") || !strings.Contains(skill.Steps[1], "make deploy") {
		t.Errorf("the skill is %+v", skill)
	}
}

//go:embed testdata/agent.py
var agentInPython string

// OpenTelemetry's exporter for Python, configured by its usual variables, sends a trace in parts.
func TestExporterOfPython(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	python, err := fetched.Python("opentelemetry-sdk==1.45.2\nopentelemetry-exporter-otlp-proto-http==1.45.2\n", "opentelemetry.exporter.otlp.proto.http.trace_exporter")
	if err != nil {
		t.Skipf("OpenTelemetry for Python cannot be had here: %v", err)
	}
	s := serve(t)
	for _, compression := range []string{"none", "gzip"} {
		group := "python-" + compression
		command := exec.CommandContext(t.Context(), python, "-c", agentInPython)
		command.Env = append(command.Environ(),
			"OTEL_EXPORTER_OTLP_ENDPOINT="+s.url+"/v1/groups/"+group+"/otlp", "OTEL_EXPORTER_OTLP_HEADERS=Authorization=Bearer%20"+s.key,
			"OTEL_EXPORTER_OTLP_COMPRESSION="+compression, "OTEL_SERVICE_NAME=deployer")
		var said bytes.Buffer
		command.Stdout, command.Stderr = &said, &said
		if err := command.Run(); err != nil || said.Len() > 0 {
			t.Errorf("%s: %v\n%s", compression, err, said.String())
		}
		runs := s.runs(group)
		if len(runs) != 1 {
			t.Fatalf("%s: there are %d runs", compression, len(runs))
		}
		var run graph.Run
		if err := json.Unmarshal([]byte(runs[0].Content), &run); err != nil {
			t.Fatal(err)
		}
		if run.Task != "Deploy billing to staging" || run.Outcome != "failure" || run.Error != "RuntimeError: no cluster" || len(run.Steps) != 3 || run.Environment["service.name"] != "deployer" {
			t.Errorf("%s: the run is %s", compression, runs[0].Content)
		}
		if last := run.Steps[2]; last.Tool != "deploy" || string(last.Arguments) != `{"to":"staging"}` || last.Error != "RuntimeError: no cluster" {
			t.Errorf("%s: the last step is %+v", compression, last)
		}
		if s.waiting(group) != 0 {
			t.Errorf("%s: %d spans wait", compression, s.waiting(group))
		}
	}
}
