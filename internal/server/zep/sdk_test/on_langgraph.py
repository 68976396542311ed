"""Zep's own integration for LangGraph, as it is published: a node that answers with
the context of a conversation, a search tool and a store."""

import asyncio
import os

from langchain_core.messages import AIMessage, HumanMessage
from setup import check, equal, finish, until
from zep_cloud import AsyncZep, Zep
from zep_langgraph import ZepStore, build_system_message_sync, create_graph_search_tool_sync, create_thread_sync, create_user_sync, persist_messages_sync

base = os.environ["ZEP_API_URL"] + "/api/v4"
zep = Zep(api_key=os.environ["ZEP_API_KEY"], base_url=base)
user = create_user_sync(zep, first_name="Alice", last_name="Smith", email="alice@example.com")
thread = create_thread_sync(zep, user_uuid=user.uuid_)
persist_messages_sync(zep, thread.uuid_, [HumanMessage("I live in Lisbon."), AIMessage("Lisbon is lovely.")], user_name="Alice Smith")
until(lambda: zep.thread.list_messages(thread.uuid_), lambda page: all(m.processed for m in page.items))
equal([(m.role, m.name) for m in zep.thread.list_messages(thread.uuid_)], [("user", "Alice Smith"), ("assistant", None)])
context = persist_messages_sync(zep, thread.uuid_, [HumanMessage("Where do I live?")], user_name="Alice Smith", return_context=True)
check("Lisbon" in context, context)
system = build_system_message_sync(zep, thread_uuid=thread.uuid_, base_instructions="You are helpful.")
check("You are helpful." in system.content and "Lisbon" in system.content, system)
for scope in ["edges", "nodes", "episodes", "auto"]:
    tool = create_graph_search_tool_sync(zep, graph_uuid=user.graph_uuid, scope=scope)
    found = tool.invoke({"query": "Where does Alice live?"})
    check("Lisbon" in str(found), f"{scope}: {found}")


async def store():
    graph = zep.graph.create(name="Store")
    store = ZepStore(AsyncZep(api_key=os.environ["ZEP_API_KEY"], base_url=base), graph_uuid=graph.uuid_, sync_zep_client=zep, search_scope="episodes")
    await store.aput(("memories",), "one", {"text": "Carol works at Initech."})
    equal((await store.aget(("memories",), "one")).value, {"text": "Carol works at Initech."})
    until(lambda: zep.graph.episode.list(graph.uuid_), lambda page: page.items and all(e.processed for e in page.items))
    return [item for item in await store.asearch(("memories",), query="Where does Carol work?")]


found = asyncio.run(store())
check(any("Initech" in str(item.value) for item in found), found)
finish()
