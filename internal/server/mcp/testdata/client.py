"""Uses 'annals mcp' by the Model Context Protocol's own SDK for Python.

Run with the command and its arguments. What differs from the expected ends it.
The SDK itself checks each structured answer against the schema of its tool.
"""

import subprocess
import sys
import time

import anyio
from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client


def text(result):
    return "".join(part.text for part in result.content)


async def call(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    assert not result.is_error, (tool, arguments, text(result))
    return result


async def settled(session):
    deadline = time.monotonic() + 60
    while " 0 wait, 0 are being read" not in text(await call(session, "get_status")):
        assert time.monotonic() < deadline, "the episodes are not read"
        await anyio.sleep(0.05)


async def short(session):
    """As a host does: texts, no objects, and arguments as models write them."""
    tools = (await session.list_tools()).tools
    assert {"add_memory", "find_skills"} <= {tool.name for tool in tools}, tools
    assert all(tool.output_schema is None for tool in tools), tools
    said = await call(
        session, "add_memory", name="home", episode_body="Alice: I live in Paris.",
        source="message", reference_time="2023-01-10", uuid=None, made_up=True,
    )
    assert "ignored: made_up" in text(said), text(said)
    await settled(session)
    found = await call(session, "search_memory_facts", query="Where does Alice live?", max_facts="5", group_ids='["alice"]')
    assert found.structured_content is None and "- (known since 10 January 2023) Alice lives in Paris. [" in text(found), found
    refused = await session.call_tool("get_entity_edge", {"uuid": "x" * 5000})
    assert refused.is_error and len(text(refused)) < 300, text(refused)
    listed = (await session.list_resources()).resources
    for resource in listed:
        read = (await session.read_resource(str(resource.uri))).contents[0]
        assert read.text and read.mime_type == "text/plain", read
    assert listed, "no resources"
    await call(session, "record_run", task="Cut a release", outcome="success", steps=["shell: git push --tags"])
    await settled(session)
    command, *flags = sys.argv[1:]
    subprocess.run([command, "trust", "set", "--skill-proof", "1", "--group", "alice", *flags], check=True, stdout=subprocess.DEVNULL)
    prompts = (await session.list_prompts()).prompts
    assert [p.name for p in prompts] == ["recall", "use_memory", "what_changed", "cut-a-release"], prompts
    prompt = await session.get_prompt("cut-a-release", {"task": "Release 2.0"})
    assert "1. shell git push --tags" in prompt.messages[0].content.text and "The task: Release 2.0" in prompt.messages[0].content.text, prompt
    try:
        await session.call_tool("add_memory", {"name": "n", "episode_body": "x" * (5 << 20)})
        raise AssertionError("a message over the limit is taken")
    except MCPError as refusal:
        assert "the most is" in str(refusal), refusal
    await call(session, "get_status")


async def structured(session):
    """As a program does: objects, whose schemas the tools declare."""
    tools = (await session.list_tools()).tools
    assert "search_facts" in {tool.name for tool in tools} and all(tool.output_schema for tool in tools), tools
    facts = (await call(session, "search_facts", query="Where does Alice live?", made_up=1)).structured_content
    assert facts["facts"][0]["target_node_name"] == "Paris" and facts["ignored"] == ["made_up"], facts
    edge = facts["facts"][0]["uuid"]
    for tool, arguments in {
        "add_triplet": {"source_node_name": "Alice", "edge_name": "OWNS", "fact": "Alice owns Rex.", "target_node_name": "Rex"},
        "search_nodes": {"query": "Alice"},
        "get_entity_edge": {"uuid": edge},
        "get_episodes": {},
        "memory_as_of": {"as_of": "2023-06-01"},
        "memory_timeline": {},
        "get_context": {"query": "Alice"},
        "get_status": {},
        "build_communities": {},
        "delete_entity_edge": {"uuid": edge},
    }.items():
        assert (await call(session, tool, **arguments)).structured_content, tool


async def main(command, *arguments):
    for use, flags in ((short, ()), (structured, ("--structured", "--aliases"))):
        server = StdioServerParameters(command=command, args=["mcp", "--group", "alice", *flags, *arguments])
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            await use(session)


anyio.run(main, *sys.argv[1:])
