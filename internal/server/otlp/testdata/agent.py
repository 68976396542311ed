"""An agent that is traced with OpenTelemetry, as a program would be."""

import json

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("agent")


def tool(name, arguments):
    return tracer.start_as_current_span(
        f"execute_tool {name}",
        attributes={
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.call.arguments": json.dumps(arguments),
        },
    )


asked = [{"role": "user", "parts": [{"type": "text", "content": "Deploy billing to staging"}]}]
attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "Ops",
    "gen_ai.input.messages": json.dumps(asked),
}
try:
    with tracer.start_as_current_span("invoke_agent Ops", attributes=attributes):
        with tool("bash", {"command": "git pull"}) as span:
            span.set_attribute("gen_ai.tool.call.result", "up to date")
        provider.force_flush()
        with tool("bash", {"command": "make"}):
            pass
        provider.force_flush()
        with tool("deploy", {"to": "staging"}):
            raise RuntimeError("no cluster")
except RuntimeError:
    pass
provider.shutdown()
