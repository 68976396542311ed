"""Zep's own integration for CrewAI, as it is published: its storages and tools."""

import os

from setup import check, equal, finish, until
from zep_cloud import Zep
from zep_crewai import ZepGraphStorage, ZepUserStorage, create_add_data_tool, create_search_tool
from zep_crewai.provisioning import ensure_thread, ensure_user

zep = Zep(api_key=os.environ["ZEP_API_KEY"], base_url=os.environ["ZEP_API_URL"] + "/api/v4")
user, new = ensure_user(zep, first_name="Alice", email="alice@example.com")
equal(new, True)
thread, _ = ensure_thread(zep, user_uuid=user.uuid_)
storage = ZepUserStorage(client=zep, user_uuid=user.uuid_, thread_uuid=thread.uuid_)
storage.save("I live in Lisbon.", metadata={"type": "message", "role": "user", "name": "Alice"})
storage.save("Alice likes sushi.", metadata={"type": "text"})
until(lambda: zep.graph.episode.list(user.graph_uuid), lambda page: len(page.items) == 2 and all(e.processed for e in page.items))
check("Lisbon" in str(storage.search("Where does Alice live?")), "the storage of a user")
check("Lisbon" in storage.get_context(), "the context of a thread")

graph = zep.graph.create(name="Knowledge")
knowledge = ZepGraphStorage(client=zep, graph_uuid=graph.uuid_)
knowledge.save("Carol works at Initech.", metadata={"type": "text"})
added = create_add_data_tool(zep, graph.uuid_).run(data="Dave lives in Oslo.", data_type="text")
check("rror" not in added, added)
until(lambda: zep.graph.episode.list(graph.uuid_), lambda page: len(page.items) == 2 and all(e.processed for e in page.items))
check("Initech" in str(knowledge.search("Where does Carol work?")), "the storage of a graph")
for scope in ["edges", "nodes", "episodes", "auto"]:
    found = create_search_tool(zep, graph.uuid_, scope=scope).run(query="Where does Dave live?")
    check("Oslo" in str(found), f"{scope}: {found}")
finish()
