"""What the scripts share: a client that looks at every answer strictly, and waiting
until what was added is read."""

import json
import os
import time

import httpx
import pydantic
from zep_cloud import Zep
from zep_cloud.core.api_error import ApiError

counted = 0

# What an answer may leave out, by the class of the client's own types: what is there
# only of some rows, as their descriptions say. All else must be there.
SOMETIMES = {
    "Agent": {"deployment_id", "description", "memory_settings", "metadata", "security_domain", "version"},
    "AgentContext": {"partial_sources", "request_id", "skipped", "task_family", "trace_uuid"},
    "AgentContextSkillSnapshot": {"artifact_sha256", "version"},
    "AgentSkill": {"agent_versions", "package_name", "short_id", "skill_id", "unavailable_reason"},
    "AgentSkillAdmissionDecision": {"reason_code", "supporting_attempt_families"},
    "AgentSkillEvidence": {"assertion_uuid", "summary_version_uuid", "trace_event_uuid", "verification"},
    "AgentSkillSearchHit": {
        "agent_versions", "markdown", "package_name", "self_contained", "short_id", "skill_id", "source_attempt_families", "tools",
        "verified_applications", "version"},
    "AgentSkillSearchResponse": {"next_cursor", "search_id"},
    "AgentSkillVersion": {"contract", "self_contained"},
    "AgentTrace": {
        "abandoned_at", "attempt_family_uuid", "closed_at", "internal", "learn_from_reason", "metadata", "outcome", "parent_trace_uuid", "source", "task_family",
        "task_family_inference", "task_family_source", "trace_id", "verification"},
    "AgentTraceEvent": {
        "content", "context", "created_at", "event_id", "failed_at", "metadata", "occurred_at", "processed_at", "sources", "tool_call_id", "updated_at", "uuid"},
    "AgentTraceEventContext": {"artifacts", "environments", "model", "verification"},
    "AgentTraceResourceRef": {"version"},
    "AgentTraceSourceDeletionResult": {"affected_skills", "deletion_uuid", "summary_repair_task"},
    "SkillDefinition": {
        "agent_versions", "aliases", "do_not_use_when", "done_when", "environments", "outputs", "package_name", "related_skills", "sections",
        "stop_when", "tools"},
    "SkillFailure": {"recover"},
    "SkillProcedureStep": {"decision", "expect"},
    "AddMessagesResult": {"context"},
    "AddedEdge": {"attributes", "expired_at", "invalid_at", "metadata", "valid_at"},
    "AddedHyperedge": {"attributes", "expired_at", "invalid_at", "metadata", "valid_at"},
    "AddedNode": {"attributes", "label", "metadata", "summary"},
    "Batch": {"metadata", "progress"},
    "BatchItem": {"content_policy", "thread_uuid", "user_uuid"},
    "ContextEdge": {"attributes", "expired_at", "invalid_at", "valid_at", "hyperedge_uuid", "relevance", "user_uuid", "score", "selection_rank"},
    "ContextNode": {"attributes", "degree", "relevance", "user_uuid", "score", "selection_rank"},
    "ContextThreadSummary": {"last_summarized_at", "last_summarized_episode_valid_at", "relevance", "score", "selection_rank"},
    "ContextTemplate": {"name"},
    "Edge": {"attributes", "expired_at", "invalid_at", "valid_at", "hyperedge_uuid", "relevance", "score", "user_uuid"},
    "EdgeNodeRef": {"attributes", "labels", "name", "summary", "uuid"},
    "EdgeType": set(),
    "EntityType": {"identity_properties"},
    "Episode": {"content_policy", "document_id", "metadata", "relevance", "role", "role_name", "score", "source_description", "thread_uuid", "user_uuid"},
    "Graph": {"description", "graph_id", "name", "time_zone", "user_uuid"},
    "GraphContextResponse": {"results"},
    "Hyperedge": {"expired_at", "invalid_at", "valid_at", "user_uuid"},
    "LookupItem": {"uuid"},
    "Message": {"metadata", "name", "role"},
    "Node": {"attributes", "degree", "relevance", "score", "user_uuid"},
    "Ontology": {"entity_type_hierarchy"},
    "Project": {"created_at", "default_time_zone", "description"},
    "SubgraphResponse": {"truncation_reason"},
    "Task": {"completed_at", "error", "result", "started_at"},
    "TaskResult": {"content_policy", "edge_uuid", "edges", "episode_uuid", "episodes", "hyperedge_uuid", "skill_uuid", "source_node_uuid", "target_node_uuid"},
    "Thread": {"thread_id"},
    "ThreadSummary": {"last_summarized_at", "last_summarized_episode_valid_at", "relevance", "score"},
    "User": {"email", "first_name", "last_name", "metadata", "time_zone", "user_id"},
    "ErrorBody": {"details", "param", "request_id"},
}
# Pages: the cursor is left out on the last, and the size where it is not counted.
PAGE = {"next_cursor", "total_size"}

parsed = set()  # the classes that were looked at


def strictly(value, where):
    """Fails where a model has fields that its class does not know, or lacks some."""
    global counted
    if isinstance(value, (list, tuple)):
        for i, one in enumerate(value):
            strictly(one, f"{where}[{i}]")
        return
    if not isinstance(value, pydantic.BaseModel):
        return
    name = type(value).__name__
    counted += 1
    parsed.add(name)
    assert not value.model_extra, f"{where}: {name} does not know {value.model_extra}"
    may = PAGE if name.endswith("Page") or name.startswith("Pagev4") else SOMETIMES.get(name, set())
    fields = {f.alias or n: n for n, f in type(value).model_fields.items()}
    lacking = {alias for alias, n in fields.items() if n not in value.model_fields_set} - may
    assert not lacking, f"{where}: {name} lacks {sorted(lacking)}: {value!r}"
    for n in value.model_fields_set:
        strictly(getattr(value, n), f"{where}.{n}")


class Watched:
    """The client, each answer of which is looked at."""

    def __init__(self, target, path="zep", routes=None):
        self._target, self._path, self._routes = target, path, routes if routes is not None else set()

    def __getattr__(self, name):
        found = getattr(self._target, name)
        if not callable(found) or not hasattr(found, "__func__"):
            return Watched(found, f"{self._path}.{name}", self._routes)

        def call(*args, **kwargs):
            answer = found(*args, **kwargs)
            self._routes.add(f"{self._path}.{name}".removeprefix("zep."))
            strictly(getattr(answer, "response", answer), f"{self._path}.{name}")
            return answer

        return call


answers = []  # the last answers, for their headers


def client(key, version="4"):
    def keep(response):
        answers.append(response)

    http = httpx.Client(timeout=60, event_hooks={"response": [keep]})
    return Watched(Zep(api_key=key, base_url=os.environ["ZEP_API_URL"].rstrip("/") + f"/api/v{version}", httpx_client=http))


def check(ok, what=""):
    global counted
    counted += 1
    assert ok, what


def equal(got, want):
    check(got == want, f"{got!r} is not {want!r}")


def refused(call, status, words):
    """The call fails with a status and words, in the client's own form of errors."""
    global counted
    counted += 1
    try:
        answer = call()
    except ApiError as error:
        assert error.status_code == status, f"{error.status_code}, not {status}: {error.body}"
        text = json.dumps(error.body if isinstance(error.body, (dict, list)) else error.body.model_dump(by_alias=True))
        assert words in text, f"{words!r} is not in {text}"
        if isinstance(error.body, pydantic.BaseModel):
            strictly(error.body, "error")
        else:
            assert set(error.body) == {"error"}, error.body
        return
    raise AssertionError(f"it was not refused: {answer!r}")


def until(ask, enough):
    """Asks again and again until the answer will do, for a minute."""
    for _ in range(600):
        answer = ask()
        if enough(answer):
            return answer
        time.sleep(0.1)
    raise AssertionError("it took longer than a minute")


def done(zep, task):
    return until(lambda: zep.task.get(task.uuid_), lambda t: t.status in ("succeeded", "partial", "failed"))


def finish(*lines):
    for line in lines:
        print(line)
    print(f"{counted} assertions passed")
