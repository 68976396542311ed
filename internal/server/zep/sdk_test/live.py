"""Calls every method of the client against a served Annals, each on things of its own,
and prints for each what it asked for and what came of it: a JSON object a line. Runs
on versions 2 and 3 of the client."""

import inspect
import itertools
import json
import os
import re
import time
from urllib.parse import unquote, urlsplit

import httpx
import pydantic
import pydantic.v1
from zep_cloud.client import Zep
from zep_cloud.core.api_error import ApiError
from zep_cloud.external_clients.ontology import EntityModel, EntityText
from pydantic import Field

URL, KEY = os.environ["ZEP_API_URL"].rstrip("/"), os.environ["ZEP_API_KEY"]
service = httpx.Client(base_url=f"{URL}/api/v2", headers={"Authorization": f"Api-Key {KEY}"}, timeout=60)
seen = []
watched = httpx.Client(timeout=60, event_hooks={"request": [lambda r: seen.append((r.method, unquote(urlsplit(str(r.url)).path).removeprefix("/api/v2")))]})
zep = Zep(api_key=KEY, httpx_client=watched)  # which reads ZEP_API_URL
number = itertools.count(1)
older = pydantic.v1.BaseModel
former = hasattr(zep, "memory")  # version 2, to whose classes what came later is not known
OBSOLETE = "00000000-0000-7000-8000-000000000000"  # of what only routes that are not there know


def made(method, path, **body):
    """What the service makes, for a method to be tried on."""
    answer = service.request(method, path, json=body or None)
    answer.raise_for_status()
    return answer.json()


class Novel(EntityModel):
    """A book that tells a story."""

    author: EntityText = Field(description="Who wrote it", default=None)


class Things:
    """One user, one graph and all that they can have, made as they are asked for."""

    def __init__(self):
        self.n = next(number)
        self.user_id, self.graph_id, self.thread_id = f"user-{self.n}", f"graph-{self.n}", f"thread-{self.n}"
        made("POST", "/users", user_id=self.user_id, first_name="Ann", last_name=f"Lee {self.n}")
        made("POST", "/graph/create", graph_id=self.graph_id)

    def thread(self):
        made("POST", "/threads", thread_id=self.thread_id, user_id=self.user_id)
        said = [{"role": "user", "name": "Ann", "content": text} for text in ("I live in Oslo.", "I work at Initech.")]
        added = made("POST", f"/threads/{self.thread_id}/messages", messages=said)
        self.task_id, self.message_uuid = added["task_id"], added["message_uuids"][0]
        for _ in range(600):
            if made("GET", f"/tasks/{self.task_id}")["status"] == "succeeded":
                break
            time.sleep(0.05)
        made("GET", f"/threads/{self.thread_id}/summary")

    def edges(self):
        """A fact in each of both; the ids are those of the graph's."""
        for owner in ({"user_id": self.user_id}, {"graph_id": self.graph_id}):
            made("POST", "/graph", type="text", data="Dora Finch lives in Bergen.", **owner)
            added = made("POST", "/graph/add-fact-triple", fact="Carol works at Initech.", fact_name="WORKS_AT", source_node_name="Carol", target_node_name="Initech", **owner)
            self.edge, self.node, self.episode = added["edge"]["uuid"], added["source_node"]["uuid"], added["edge"]["episodes"][0]

    def document(self):
        made("POST", "/graph", graph_id=self.graph_id, type="text", data="Chapter one.", document_id="book")

    def template(self):
        self.template_id = f"template-{self.n}"
        made("POST", "/context-templates", template_id=self.template_id, template="%{edges}")

    def batch(self):
        self.batch_id = made("POST", "/batches")["batch_id"]
        made("POST", f"/batches/{self.batch_id}/items", items=[self.item()])

    def item(self):
        return {"type": "graph_episode", "graph_id": self.graph_id, "data": "Erik lives in Turku.", "data_type": "text"}

    def instructions(self):
        for owner in ({"user_ids": [self.user_id]}, {}):
            made("POST", "/user-summary-instructions", instructions=[{"name": "short", "text": "Be short."}], **owner)
        for owner in ({"user_ids": [self.user_id]}, {"graph_ids": [self.graph_id]}, {}):
            made("POST", "/custom-instructions", instructions=[{"name": "legal", "text": "Mind contracts."}], **owner)
            made("PUT", "/entity-types", entity_types=[{"name": "Novel", "description": "A book", "properties": []}], edge_types=[], **owner)


def things(call):
    """What a method is tried on."""
    t = Things()
    if re.match("thread|task|graph.thread_summary|user.get_threads|memory", call):
        t.thread()
    if re.match("graph.(edge|node|episode|search|get_subgraph|clone)|user.get_node", call):
        t.edges()
    if "document" in call:
        t.document()
    if "template" in call and "create" not in call:
        t.template()
    if call.startswith("batch"):
        t.batch()
    if re.search("instructions|types|ontology", call):
        t.instructions()
    return t


def messages(call):
    if call.startswith("memory"):
        return [{"role_type": "user", "role": "Ann", "content": "I like tea."}]
    return [{"role": "user", "name": "Ann", "content": "I like tea."}]


def value(call, name, t):
    """What a parameter that must be there is given."""
    known = {
        "user_id": t.user_id, "graph_id": t.graph_id, "group_id": t.graph_id, "thread_id": t.thread_id, "session_id": t.thread_id, "query": "Where does Carol work?",
        "template": "%{edges}", "template_id": f"template-{t.n}", "metadata": {"k": "v"}, "type": "text", "data": "Gina lives in Rome.", "text": "Oslo",
        "episodes": [{"type": "text", "data": "Hugo lives in Kyiv."}], "document_id": "book", "fact": "Ida leads Apollo.", "fact_name": "LEADS",
        "source_node_name": "Ida", "target_node_name": "Apollo", "entities": {"Novel": Novel}, "expected_version": 1, "page_number": 1, "page_size": 5,
        "last_n": 2, "collection_name": "books", "classes": ["a", "b"], "name": "name", "facts": [{"fact": "x"}], "session_ids": [t.thread_id],
        "node_uuid": getattr(t, "node", None), "message_uuid": getattr(t, "message_uuid", OBSOLETE), "seed_node_uuids": [getattr(t, "node", None)],
        "task_id": getattr(t, "task_id", None), "batch_id": getattr(t, "batch_id", None), "messages": messages(call), "request": [], "model_schema": "{}",
        "instructions": [{"name": "terse", "text": "Be terse."}], "nodes": [{"name": "Juno", "label": "Person"}], "model": Novel(),
        "uuid_": getattr(t, call.split(".")[1], OBSOLETE) if call.count(".") == 2 else OBSOLETE,
    }
    if call == "batch.add":
        known["items"] = [t.item()]
    if call in ("user.add", "graph.create", "thread.create", "memory.add_session"):
        known[{"user.add": "user_id", "graph.create": "graph_id"}.get(call, "thread_id" if call.startswith("thread") else "session_id")] = f"new-{t.n}"
    return known.get(name, OBSOLETE if name.endswith("uuid") else [OBSOLETE] if name.endswith("uuids") else name)


# What a method is given beside what it must have, so that there is something to answer
# with; nothing is no longer given of a name that a version does not have.
BESIDE = {
    "graph.clone": lambda t: [{"source_graph_id": t.graph_id, "target_graph_id": f"copy-{t.n}"}, {"source_user_id": t.user_id, "target_user_id": f"copy-of-{t.n}"}, {"source_group_id": t.graph_id, "target_group_id": f"copy-{t.n}"}],
    "graph.set_entity_types_internal": lambda t: [{"entity_types": [{"name": "Novel", "description": "A book", "properties": []}]}],
    "graph.update": lambda t: [{"name": "Papers"}],
    "graph.edge.update": lambda t: [{"fact": "Carol left Initech."}],
    "graph.node.update": lambda t: [{"name": "Caroline"}],
    "graph.add_fact_triple": lambda t: [{"source_node_name": "Ida", "target_node_name": "Apollo", "user_id": t.user_id}, {"source_node_name": "Ida", "target_node_name": "Apollo", "graph_id": t.graph_id}, {"source_node_name": "Ida", "target_node_name": "Apollo", "group_id": t.graph_id}],
    "project.update": lambda t: [{"default_time_zone": "Europe/Lisbon"}],
    "user.update": lambda t: [{"email": "ann@example.com"}],
}
for call in ("add", "add_batch", "add_nodes", "get_subgraph", "search", "detect_patterns"):
    BESIDE[f"graph.{call}"] = lambda t: [{"user_id": t.user_id}, {"graph_id": t.graph_id}, {"group_id": t.graph_id}]
for call in ("graph.list_custom_instructions", "graph.list_entity_types"):
    BESIDE[call] = lambda t: [{}, {"user_id": t.user_id}, {"graph_id": t.graph_id}]


def variants(call, method):
    """The ways in which a method is tried: for a user, for a graph."""
    parameters = inspect.signature(method).parameters
    t = things(call)
    for i, beside in enumerate(BESIDE.get(call, lambda t: [{}])(t)):
        if not set(beside) <= set(parameters):
            continue
        at = things(call) if i else t
        beside = BESIDE.get(call, lambda t: [{}])(at)[i]
        if call == "graph.get_subgraph" and "user_id" in beside:
            at.node = made("POST", f"/graph/node/user/{at.user_id}")[0]["uuid"]
        must = {n: value(call, n, at) for n, p in parameters.items() if p.default is inspect.Parameter.empty and p.kind is not inspect.Parameter.VAR_KEYWORD}
        yield {**must, **beside}, beside


def fields_of(value):
    """The names of the fields that the class of an answer knows; none: it has no class of the client's."""
    cls = type(value)
    return cls.__fields__ if isinstance(value, older) else getattr(cls, "model_fields", None)


def judge(answer):
    """What is wrong with an answer: it says nothing, or, in version 3, has what its class does not know."""
    if isinstance(answer, (list, tuple)):
        for one in answer:
            yield from judge(one)
        return
    if not (known := fields_of(answer)):
        return
    given = {n: getattr(answer, n, None) for n in known}
    extra = [n for n in (getattr(answer, "model_extra", None) or vars(answer)) if n not in known]
    if extra and not former:
        yield f"{type(answer).__name__} does not know {', '.join(sorted(extra))}"
    if not any(v not in (None, "", [], {}) for v in given.values()):
        yield f"{type(answer).__name__} is empty"
    for v in given.values():
        yield from judge(v)


def attempt(name, method, arguments):
    """What becomes of a call: the status that it was refused with, or what is wrong with its answer."""
    seen.clear()
    began = time.monotonic()
    try:
        answer = method(**arguments)
    except ApiError as error:
        if error.status_code in (405, 501):
            return "501" if time.monotonic() - began < 2 else "501, slowly"
        body = error.body if isinstance(error.body, dict) else {"message": getattr(error.body, "message", str(error.body))}
        return f"{error.status_code}: {body.get('message')}"
    wrong = sorted(set(judge(answer)))
    if isinstance(answer, list) and not answer and name != "graph.thread_summary.get_by_graph_id":  # only users have threads
        wrong.append("an empty list")
    return "; ".join(wrong) or "works"


def walk(resource, path):
    for name in sorted(dir(resource)):
        if name.startswith("_") or name == "with_raw_response":
            continue
        found = getattr(resource, name)
        call = ".".join([*path, name])
        if not hasattr(found, "__func__"):
            if hasattr(found, "_client_wrapper") or hasattr(found, "_raw_client"):
                walk(found, [*path, name])
            continue
        for arguments, beside in variants(call, found):
            outcome = attempt(call, found, arguments)
            method, route = seen[0] if seen else ("?", "?")
            print(json.dumps({"call": call, "method": method, "path": route, "outcome": outcome, "for": " ".join(sorted(beside))}), flush=True)


walk(zep, [])
