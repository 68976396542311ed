"""Lets an agent of OpenAI's Agents SDK use the memory: `annals mcp`, and a server over HTTP.

Run with the URL and the key of a server, then the command and its arguments. A
model that is written down here chooses the tools; the SDK makes of them what its
models are given, and calls them. What differs from the expected ends it.
"""

import json
import sys
import time

import anyio
from agents import Agent, RunConfig, Runner
from agents.items import ModelResponse
from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class Scripted(Model):
    """Calls one tool after the other, then says what the last one answered."""

    def __init__(self, *calls):
        self.calls = list(calls)
        self.tools = []

    async def get_response(self, system_instructions, input, model_settings, tools, *others, **more):
        self.tools = tools
        answered = [item["output"] for item in input if isinstance(item, dict) and item.get("type") == "function_call_output"]
        if len(answered) < len(self.calls):
            name, arguments = self.calls[len(answered)]
            said = ResponseFunctionToolCall(
                type="function_call", call_id=f"call-{len(answered)}", name=name, arguments=json.dumps(arguments)
            )
        else:
            text = ResponseOutputText(type="output_text", text=json.dumps(answered[-1]), annotations=[])
            said = ResponseOutputMessage(type="message", id="m", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    async def stream_response(self, *others, **more):
        raise NotImplementedError


async def use(server, strict):
    async def run(*calls):
        model = Scripted(*calls)
        agent = Agent(name="assistant", model=model, mcp_servers=[server], mcp_config={"convert_schemas_to_strict": strict})
        result = await Runner.run(agent, "Where does Alice live?", run_config=RunConfig(tracing_disabled=True))
        return model, result.final_output

    model, said = await run(
        ("add_memory", {"name": "home", "episode_body": "Alice: I live in Paris.", "source": "message", "reference_time": "2023-01-10"}),
    )
    assert "Episode" in said, said
    assert {"add_memory", "search_memory_facts", "get_context"} <= {tool.name for tool in model.tools}, model.tools
    deadline = time.monotonic() + 60
    while "Paris" not in said:
        assert time.monotonic() < deadline, said
        _, said = await run(("search_memory_facts", {"query": "Where does Alice live?", "max_facts": 5}))
    assert "(known since 10 January 2023) Alice lives in Paris." in said, said
    _, said = await run(("get_context", {"query": "Where does Alice live?"}))
    assert "Alice lives in Paris." in said, said
    _, said = await run(("memory_as_of", {"as_of": "yesterday-ish"}))
    assert "as_of" in said, said


async def main(url, key, command, *arguments):
    for strict in (False, True):
        stdio = {"command": command, "args": ["mcp", "--group", f"stdio-{strict}", *arguments]}
        async with MCPServerStdio(stdio, client_session_timeout_seconds=60) as server:
            await use(server, strict)
    http = {"url": url, "headers": {"Authorization": "Bearer " + key}}
    async with MCPServerStreamableHttp(http, client_session_timeout_seconds=60) as server:
        await use(server, False)


anyio.run(main, *sys.argv[1:])
