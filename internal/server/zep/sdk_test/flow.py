"""One application on version 4 of the client, from its first user to the last
deletion. Every method that works is called, and every answer looked at strictly."""

import datetime as dt
import os
import time

from setup import answers, check, client, done, equal, finish, parsed, refused, until
from zep_cloud.types import (
    AddMessage, AgentTraceEventContext, AgentTraceResourceRef, BatchItemInput, CustomInstruction, DateFilter, DateFilterGroup, DateFilters, EdgeInput, EdgeListFilters, EdgeNodeRef,
    EdgeSearchFilters, EdgeSourceTarget, EpisodeListFilters, EpisodeSearchFilters, HyperedgeInput, HyperedgeListFilters, MetadataFilter, MetadataFilterGroup,
    NodeInput, NodeListFilters, NodeSearchFilters, PropertyFilter, SearchFilters, UserInstruction,
)
from zep_cloud.ontology import EdgeModel, EntityModel, EntityInt, EntityText, build_ontology
from pydantic import Field

zep = client(os.environ["ZEP_API_KEY"])
NOBODY = "0198c0de-0000-7000-8000-000000000000"

# Users
alice = zep.user.create(user_id="alice@example.com", email="alice@example.com", first_name="Alice", last_name="Smith", metadata={"plan": "pro"}, time_zone="Europe/Lisbon")
equal((alice.user_id, alice.first_name, alice.metadata, alice.time_zone), ("alice@example.com", "Alice", {"plan": "pro"}, "Europe/Lisbon"))
nameless = zep.user.create(first_name="Bob")
equal(nameless.user_id, None)
equal(zep.user.get(nameless.uuid_).first_name, "Bob")
began = time.monotonic()
refused(lambda: zep.user.create(user_id="alice@example.com"), 400, "already")
refused(lambda: zep.user.create(user_id="x", content_policy={"rules": []}), 400, "content_policy")
refused(lambda: zep.user.get(NOBODY), 404, "not_found")
refused(lambda: zep.user.get("alice@example.com"), 400, "lookup")
refused(lambda: zep.user_group.list(), 405, "not_implemented")
check(time.monotonic() - began < 3, "errors are told at once, without the client asking again")
changed = zep.user.update(alice.uuid_, last_name="Jones", metadata={"seats": 3, "plan": None})
equal((changed.last_name, changed.metadata, changed.email), ("Jones", {"seats": 3}, "alice@example.com"))
page = zep.user.list(page_size=1, order_by="email", order="asc")
equal((page.response.total_size, len(page.items), len(list(page))), (2, 1, 2))
equal([u.uuid_ for u in zep.user.list(search="ALICE@").items], [alice.uuid_])
equal(zep.user.lookup(user_id="alice@example.com").uuid_, alice.uuid_)
equal(zep.user.get_node(alice.uuid_).name, "Alice Jones")

# Threads and messages
thread = zep.thread.create(user_uuid=alice.uuid_)
equal((thread.user_uuid, thread.graph_uuid, thread.thread_id), (alice.uuid_, alice.graph_uuid, None))
equal(zep.thread.get(thread.uuid_).uuid_, thread.uuid_)
equal(zep.thread.get_context(thread.uuid_).context, "")
said = [("user", "I live in Paris."), ("assistant", "Paris is lovely. What do you do there?"), ("user", "I work at Acme Corp."), ("user", "I moved to Lisbon in March 2024."), ("system", "The session is recorded.")]
added = zep.thread.add_messages(
    thread.uuid_, messages=[AddMessage(role=r, content=c, metadata={"place": i}, reference_time=f"2024-06-01T12:00:0{i}Z") for i, (r, c) in enumerate(said)],
    ignore_roles=["system"], return_context=True, strict_ontology=True)
equal(answers[-1].headers["annals-ignored"], "strict_ontology")
equal([m.content for m in added.messages], [c for _, c in said])
check(added.messages[0].reference_time.startswith("2024-06-01T12:00:00"), added.messages[0])
check("USER_SUMMARY" in added.context, added.context)
equal(done(zep, added.task).status, "succeeded")
page = zep.thread.list_messages(thread.uuid_, page_size=2)
equal((page.response.total_size, [m.metadata["place"] for m in page]), (5, [0, 1, 2, 3, 4]))
equal([m.metadata["place"] for m in zep.thread.list_messages(thread.uuid_, page_size=2, order="desc")], [4, 3, 2, 1, 0])
message = zep.thread.message.get(thread.uuid_, added.messages[0].uuid_)
equal((message.content, message.role, message.processed, message.thread_uuid), ("I live in Paris.", "user", True, thread.uuid_))
equal(zep.thread.message.update(thread.uuid_, message.uuid_, metadata={"mood": "calm", "place": None}).metadata, {"mood": "calm"})
equal(len(list(zep.thread.list_episodes(thread.uuid_, page_size=2))), 5)
check("Lisbon" in zep.thread.get_context(thread.uuid_).context, "the context")
check(len(zep.thread.get_summary(thread.uuid_).summary) > 0, "the summary")
equal([t.uuid_ for t in zep.thread.list(user_uuid=alice.uuid_).items], [thread.uuid_])
equal(zep.thread.list(order_by="updated_at", order="asc").response.total_size, 2)

# Graphs
docs = zep.graph.create(name="Documents", description="What the company wrote")
equal((docs.type, docs.user_uuid, zep.graph.get(docs.uuid_).name), ("standard", None, "Documents"))
equal(zep.graph.get(alice.uuid_).type, "user")
equal(zep.graph.update(docs.uuid_, name="Papers", time_zone="Europe/Berlin").time_zone, "Europe/Berlin")
equal([g.uuid_ for g in zep.graph.list(search="papers").items], [docs.uuid_])
equal(zep.graph.lookup(user_id="alice@example.com").user_uuid, alice.uuid_)
equal(zep.graph.warm(docs.uuid_).task.status, "succeeded")
refused(lambda: zep.graph.lookup(graph_id="none"), 404, "none")
refused(lambda: zep.graph.lookup(), 400, "name one")

# Episodes
memo = zep.graph.episode.add(docs.uuid_, data="Carol works at Initech. Initech is located in Berlin.", source_description="a memo", metadata={"kind": "memo", "page": 3}, reference_time="2024-05-01T00:00:00Z")
equal((memo.episode.source, memo.episode.processed), ("text", False))
part = zep.graph.episode.add(docs.uuid_, data="Dave (user): I live in Oslo.", type="message", document_id="handbook")
equal((part.episode.role, part.episode.role_name, part.episode.content, part.episode.document_id), ("user", "Dave", "I live in Oslo.", "handbook"))
done(zep, memo.task)
done(zep, part.task)
equal([e.uuid_ for e in zep.graph.episode.list_for_document(docs.uuid_, "handbook")], [part.episode.uuid_])
kept = zep.graph.episode.get(docs.uuid_, memo.episode.uuid_)
check(kept.processed and kept.reference_time == "2024-05-01T00:00:00Z", kept)
memos = EpisodeListFilters(metadata_filters=MetadataFilterGroup(type="and", filters=[MetadataFilter(property_name="kind", operator="eq", value="memo"), MetadataFilter(property_name="page", operator="lt", value=5)]))
equal([e.uuid_ for e in zep.graph.episode.list(docs.uuid_, filters=memos, order_by="created_at", order="asc")], [memo.episode.uuid_])
equal(zep.graph.episode.update(docs.uuid_, memo.episode.uuid_, metadata={"page": 4}).metadata, {"kind": "memo", "page": 4})
refused(lambda: zep.graph.episode.list(docs.uuid_, filters=EpisodeListFilters(content_policy_violated=True)), 400, "content_policy_violated")
refused(lambda: zep.graph.episode.add(docs.uuid_, data="{", type="json"), 400, "JSON")

# Edges and nodes
made = zep.graph.edge.add(docs.uuid_, edges=[EdgeInput(
    fact="Carol manages the Apollo project.", fact_name="MANAGES", source_node=EdgeNodeRef(name="Carol", labels=["Entity", "Person"]),
    target_node=EdgeNodeRef(name="Apollo", labels=["Project"], summary="A project to reach the moon."), attributes={"since": 2024, "share": "all"},
    valid_at="2024-02-01T00:00:00Z", metadata={"from": "HR"})])
carol, apollo = made.edges[0].source_node_uuid, made.edges[0].target_node_uuid
equal((done(zep, made.task).status, made.task.result.edges[0].edge_uuid), ("succeeded", made.edges[0].uuid_))
edge = zep.graph.edge.get(docs.uuid_, made.edges[0].uuid_)
equal((edge.name, edge.attributes, edge.source_node_labels, edge.target_node_name), ("MANAGES", {"since": 2024, "share": "all"}, ["Entity", "Person"], "Apollo"))
refused(lambda: zep.graph.edge.add(docs.uuid_, edges=[EdgeInput(fact="x", fact_name="X", source_node=EdgeNodeRef(name="A"), target_node=EdgeNodeRef(uuid=NOBODY))]), 404, "not_found")
refused(lambda: zep.graph.edge.add(docs.uuid_, edges=[EdgeInput(fact="x", fact_name="X", source_node=EdgeNodeRef(name="A"), target_node=EdgeNodeRef(name="B"), expired_at="2024-01-01T00:00:00Z")]), 400, "expired_at")
by_id = zep.graph.edge.add(docs.uuid_, edges=[EdgeInput(fact="Carol knows Erin.", fact_name="KNOWS", source_node=EdgeNodeRef(uuid=carol), target_node=EdgeNodeRef(name="Erin"), valid_at="2024-01-01T00:00:00Z")])
equal(by_id.edges[0].source_node_uuid, carol)
edited = zep.graph.edge.update(docs.uuid_, edge.uuid_, fact="Carol managed the Apollo project.", attributes={"share": None, "reason": "done"})
equal((edited.fact, edited.attributes), ("Carol managed the Apollo project.", {"since": 2024, "reason": "done"}))
equal(len(list(zep.graph.edge.list(docs.uuid_, page_size=1))), len(zep.graph.edge.list(docs.uuid_, order_by="valid_at", order="asc").items))
equal([e.uuid_ for e in zep.graph.edge.list(docs.uuid_, filters=EdgeListFilters(edge_types=["MANAGES"]))], [edge.uuid_])
nodes = zep.graph.node.add(docs.uuid_, nodes=[NodeInput(name="Gemini", label="Project", summary="Another project.", attributes={"budget": 7}), NodeInput(name="Mercury", label="Project")])
equal(done(zep, nodes.task).status, "succeeded")
gemini = zep.graph.node.get(docs.uuid_, nodes.nodes[0].uuid_)
equal((gemini.name, gemini.attributes, gemini.episode_uuids_truncated), ("Gemini", {"budget": 7}, False))
renamed = zep.graph.node.update(docs.uuid_, gemini.uuid_, name="Gemini II", attributes={"budget": None, "crew": 2})
equal((renamed.name, renamed.attributes), ("Gemini II", {"crew": 2}))
everyone = [n.uuid_ for n in zep.graph.node.list(docs.uuid_, page_size=2, order_by="created_at")]
equal(sorted(everyone), sorted(n.uuid_ for n in zep.graph.node.list(docs.uuid_).items))
check(zep.graph.node.list(docs.uuid_, order_by="degree", page_size=1).items[0].degree >= 2, "the degree")
equal(sorted(n.name for n in zep.graph.node.list(docs.uuid_, filters=NodeListFilters(node_labels=["Project"]))), ["Apollo", "Gemini II", "Mercury"])
equal([n.node.name for n in zep.graph.node.list_neighbors(docs.uuid_, carol, direction="out", filters=SearchFilters(edge_types=["MANAGES"]))], ["Apollo"])
refused(lambda: zep.graph.node.list(docs.uuid_, cursor="none"), 400, "cursor")
refused(lambda: zep.graph.node.list(docs.uuid_, filters=NodeListFilters(source_node_uuids=[carol])), 400, "source_node_uuids")
refused(lambda: zep.graph.node.get(alice.graph_uuid, gemini.uuid_), 404, "not_found")

# Hyperedges
hyper = zep.graph.hyperedge.add(docs.uuid_, fact="Carol, Erin and Apollo met in Oslo.", valid_at="2024-04-01T00:00:00Z", metadata={"from": "diary"}, edges=[
    HyperedgeInput(name="MET", source_node=EdgeNodeRef(uuid=carol), target_node=EdgeNodeRef(name="Erin")),
    HyperedgeInput(name="MET_IN", source_node=EdgeNodeRef(uuid=carol), target_node=EdgeNodeRef(name="Oslo"))])
done(zep, hyper.task)
whole = zep.graph.hyperedge.get(docs.uuid_, hyper.hyperedge.uuid_)
equal((whole.fact, sorted(e.name for e in whole.edges), whole.valid_at), ("Carol, Erin and Apollo met in Oslo.", ["MET", "MET_IN"], "2024-04-01T00:00:00Z"))
equal(zep.graph.edge.get(docs.uuid_, hyper.hyperedge.edges[0].uuid_).hyperedge_uuid, whole.uuid_)
more = zep.graph.hyperedge.create_edge(docs.uuid_, whole.uuid_, name="WITH", source_node=EdgeNodeRef(name="Erin"), target_node=EdgeNodeRef(uuid=apollo))
equal((len(zep.graph.hyperedge.get(docs.uuid_, whole.uuid_).edges), more.edge.fact, more.task.result.hyperedge_uuid), (3, whole.fact, whole.uuid_))
equal(zep.graph.hyperedge.update(docs.uuid_, whole.uuid_, fact="They met in Oslo.").fact, "They met in Oslo.")
zep.graph.edge.update(docs.uuid_, more.edge.uuid_, fact="The three met in Oslo.")
equal({zep.graph.edge.get(docs.uuid_, e.uuid_).fact for e in whole.edges}, {"The three met in Oslo."})
zep.graph.hyperedge.delete_edge(docs.uuid_, whole.uuid_, more.edge.uuid_)
equal([len(h.edges) for h in zep.graph.hyperedge.list(docs.uuid_, filters=HyperedgeListFilters(edge_uuids=[whole.edges[0].uuid_]))], [2])
every = list(zep.graph.hyperedge.list(docs.uuid_, page_size=1, order_by="created_at"))
equal(len({h.uuid_ for h in every}), len(every))
equal(zep.graph.hyperedge.delete(docs.uuid_, whole.uuid_).task.status, "succeeded")
refused(lambda: zep.graph.hyperedge.get(docs.uuid_, whole.uuid_), 404, "not_found")
refused(lambda: zep.graph.hyperedge.add(docs.uuid_, fact="x", edges=[HyperedgeInput(name="X", source_node=EdgeNodeRef(name="A"), target_node=EdgeNodeRef(name="B"))]), 400, "at least 3")

# Search
found = zep.graph.search_edges(docs.uuid_, query="Who managed Apollo?")
check(found.items[0].uuid_ == edge.uuid_ and found.items[0].score > 0, found)
pages = list(zep.graph.search_edges(docs.uuid_, query="Carol Apollo Initech", page_size=1))
equal(len({e.uuid_ for e in pages}), len(pages))


def dated(*groups):
    return EdgeSearchFilters(date_filters=DateFilters(any_of=[DateFilterGroup(all_of=[DateFilter(field=f, operator=o, value=v) for f, o, v in g]) for g in groups]))


day = lambda *ymd: dt.datetime(*ymd, tzinfo=dt.timezone.utc)
equal([e.uuid_ for e in zep.graph.search_edges(docs.uuid_, query="Carol Apollo", filters=dated([("valid_at", "gt", day(2024, 1, 2)), ("valid_at", "lt", day(2024, 2, 2))]))], [edge.uuid_])
equal(len(zep.graph.search_edges(docs.uuid_, query="Carol Apollo", filters=dated([("valid_at", "lt", day(2024, 1, 15))], [("valid_at", "eq", day(2024, 2, 1))])).items), 2)
refused(lambda: zep.graph.search_edges(docs.uuid_, query="x", filters=dated([("valid_at", "lt", day(2024, 1, 1))], [("created_at", "is_not_null", None)])), 400, "one field")
refused(lambda: zep.graph.search_edges(docs.uuid_, query="x", filters=dated([])), 400, "group without a condition")
refused(lambda: zep.graph.search_edges(docs.uuid_, query="x", filters=SearchFilters(node_labels=["Person"])), 400, "node_labels")
refused(lambda: zep.graph.search_edges(docs.uuid_, query="x", reranker="mmr"), 400, "mmr_lambda")
equal([e.uuid_ for e in zep.graph.search_edges(docs.uuid_, query="Carol", filters=EdgeSearchFilters(property_filters=[PropertyFilter(property_name="since", operator="gte", value=2024)]))], [edge.uuid_])
for options in [{"reranker": "mmr", "mmr_lambda": 0.5}, {"reranker": "node_distance", "center_node_uuid": apollo}, {"bfs_origin_node_uuids": [carol]}, {"reranker": "episode_mentions"}]:
    check(edge.uuid_ in [e.uuid_ for e in zep.graph.search_edges(docs.uuid_, query="Carol Apollo", **options)], options)
equal(zep.graph.search_edges(docs.uuid_, query="Who managed Apollo?", reranker="cross_encoder").items[0].relevance, None)
equal(answers[-1].headers["annals-ignored"], "reranker=cross_encoder")
equal(zep.graph.search_nodes(docs.uuid_, query="Apollo", filters=NodeSearchFilters(node_labels=["Project"])).items[0].name, "Apollo")
check("Oslo" in zep.graph.search_episodes(docs.uuid_, query="Oslo", filters=EpisodeSearchFilters()).items[0].content, "episodes")
equal(zep.graph.search_thread_summaries(alice.graph_uuid, query="Lisbon").items[0].thread_uuid, thread.uuid_)
equal(zep.graph.thread_summary.list(alice.graph_uuid).items[0].thread_uuid, thread.uuid_)
around = zep.graph.get_subgraph(docs.uuid_, seed_node_uuids=[apollo], depth=2, max_nodes=10)
check("Carol" in [n.name for n in around.nodes] and not around.truncated, around)
equal(zep.graph.get_subgraph(docs.uuid_, seed_node_uuids=[carol], max_nodes=1).truncation_reason, "max_nodes")
context = zep.graph.get_context(docs.uuid_, query="Who managed Apollo?", include_results=True, recency_bias="mild")
check("Apollo" in context.context and context.results.edges[0].selection_rank and context.results.episodes == [], context)
check(len(zep.graph.get_context(docs.uuid_, query="Carol", max_characters=60).context) <= 60, "the limit")


# Ontology, instructions, templates
class Project(EntityModel):
    """A thing to be done."""

    budget: EntityInt = Field(default=None, description="In euros")


class Manages(EdgeModel):
    """Leads."""

    share: EntityText = Field(default=None, description="How much of it")


entities, edges = build_ontology({"Project": Project}, {"MANAGES": (Manages, [EdgeSourceTarget(source="User", target="Project")])})
given = zep.project.set_ontology(entity_types=entities, edge_types=edges)
equal((given.entity_types[0].properties[0].type, given.edge_types[0].source_targets[0].target), ("int", "Project"))
equal((zep.project.get_ontology(), zep.graph.get_ontology(docs.uuid_).inherited), (given, True))
own = zep.graph.set_ontology(docs.uuid_, entity_types=entities, edge_types=[])
equal((own.inherited, own.edge_types), (False, []))
equal((zep.graph.set_ontology(docs.uuid_, inherited=True).inherited, zep.graph.get_ontology(docs.uuid_).edge_types), (True, given.edge_types))
refused(lambda: zep.graph.set_ontology(docs.uuid_, entity_type_hierarchy={"a": 1}), 400, "entity_type_hierarchy")
equal(zep.project.set_instructions(instructions=[CustomInstruction(name="tone", text="Note what is liked.")]).instructions[0].name, "tone")
equal((zep.project.get_instructions().inherited, zep.graph.get_instructions(docs.uuid_).inherited), (False, True))
equal([i.name for i in zep.graph.set_instructions(docs.uuid_, instructions=[CustomInstruction(name="law", text="Note laws.")]).instructions], ["law"])
equal(zep.graph.set_instructions(docs.uuid_, inherited=True).instructions[0].name, "tone")
equal(zep.project.set_user_summary_instructions(instructions=[UserInstruction(name="work", text="Where do they work?")]), zep.project.get_user_summary_instructions())
equal(zep.user.get_summary_instructions(alice.uuid_).inherited, True)
equal(zep.user.set_summary_instructions(alice.uuid_, instructions=[UserInstruction(name="pets", text="Which pets?")]).inherited, False)
template = zep.context.create_template(name="mine", template="<F>%{edges limit=5}</F>")
equal(zep.context.get_template(template.uuid_), template)
equal(zep.context.update_template(template.uuid_, name="mine", template="<FACTS>%{edges limit=5}</FACTS>").template, "<FACTS>%{edges limit=5}</FACTS>")
equal([t.uuid_ for t in zep.context.list_templates(name="mine")], [template.uuid_])
check(zep.thread.get_context(thread.uuid_, template_uuid=template.uuid_).context.startswith("<FACTS>"), "the template")
check(zep.graph.get_context(docs.uuid_, query="Apollo", template_uuid=template.uuid_).context.startswith("<FACTS>"), "the template")
refused(lambda: zep.context.update_template(template.uuid_, name="other"), 400, "name")
zep.context.delete_template(template.uuid_)
refused(lambda: zep.context.get_template(template.uuid_), 404, "not_found")

# Project, lookup
equal(zep.project.update(default_time_zone="Europe/Paris").default_time_zone, "Europe/Paris")
equal(zep.project.get().hyperedges_enabled, True)
looked = zep.lookup.batch(users=["alice@example.com", "nobody"], graphs=["none"], threads=["none"])
equal([(i.resource_type, i.found, i.uuid_) for i in looked.items], [("user", True, alice.uuid_), ("user", False, None), ("thread", False, None), ("graph", False, None)])
refused(lambda: zep.thread.lookup(thread_id="none"), 404, "none")
refused(lambda: zep.task.get("none"), 404, "none")
equal(zep.thread.lookup(thread_id=os.environ["ZEP_THREAD_ID"]).thread_id, os.environ["ZEP_THREAD_ID"])

# Batches
batch = zep.batch.create(ignore_roles=["tool"], metadata={"from": "import"})
equal((batch.status, batch.progress), ("draft", None))
items = zep.batch.add_items(batch.uuid_, items=[
    BatchItemInput(type="graph_episode", graph_uuid=docs.uuid_, data="Frank lives in Rome.", data_type="text", document_id="letters"),
    BatchItemInput(type="thread_message", thread_uuid=thread.uuid_, role="user", content="I like sushi."),
    BatchItemInput(type="graph_episode", graph_uuid=NOBODY, data="x", data_type="text")])
equal(([i.status for i in items.items], [r.index for r in items.rejected_items]), (["pending", "pending"], [2]))
began = zep.batch.process(batch.uuid_)
equal(done(zep, began.task).status, "succeeded")
equal((zep.batch.get(batch.uuid_).status, zep.batch.get(batch.uuid_).progress.succeeded_items), ("succeeded", 2))
equal([i.sequence_index for i in zep.batch.list_items(batch.uuid_, page_size=1)], [0, 1])
equal([e.content for e in zep.graph.episode.list_for_document(docs.uuid_, "letters")], ["Frank lives in Rome."])
equal([b.uuid_ for b in zep.batch.list(status="succeeded").items], [batch.uuid_])
refused(lambda: zep.batch.get(NOBODY), 404, "not_found")
zep.batch.delete(batch.uuid_)

# Agents: runs, and the skills that are learned from them
ops = zep.agent.create(agent_id="ops", name="Operations", security_domain="acme", description="Deploys")
equal(answers[-1].headers["annals-ignored"], "security_domain")
equal((ops.agent_id, ops.name, ops.status, zep.agent.get(ops.uuid_)), ("ops", "Operations", "active", ops))
equal([a.uuid_ for a in zep.agent.list(agent_id="ops")], [ops.uuid_])
equal([a.uuid_ for a in zep.agent.list(search="operat", order_by="name", order="asc").items], [ops.uuid_])
equal(zep.agent.list(agent_id="none").items, [])
refused(lambda: zep.agent.list(status="deleting"), 400, "status")
equal((zep.graph.get(ops.uuid_).name, zep.graph.lookup(graph_id="ops").uuid_), ("Operations", ops.uuid_))
refused(lambda: zep.agent.create(agent_id="alice@example.com", name="x", security_domain="d"), 400, "already")
refused(lambda: zep.agent.create(agent_id="ops2", name="x", security_domain="d", version="2"), 400, "version")
refused(lambda: zep.agent.get(alice.uuid_), 404, "is a user")
refused(lambda: zep.agent.get(NOBODY), 404, "not_found")
refused(lambda: zep.agent.update(ops.uuid_, expected_revision=ops.revision, name="x"), 405, "not_implemented")


def work(number, call, result, outcome):
    """A trace of a run, from its beginning to its end. The client asks again where the answer
    is 409, which takes a while: only of the first it is tried what is refused."""
    begun = zep.agent.trace.create(ops.uuid_, objective="Deploy billing to staging", trace_id=f"run-{number}", metadata={"number": number})
    equal((begun.status, begun.outcome, begun.revision, begun.metadata), ("open", None, 1, {"number": number}))
    equal(zep.agent.trace.create(ops.uuid_, objective="Deploy billing to staging", trace_id=f"run-{number}", metadata={"number": number}).uuid_, begun.uuid_)
    number > 1 or refused(lambda: zep.agent.trace.create(ops.uuid_, objective="Something else", trace_id=f"run-{number}"), 409, "something else")
    tools = AgentTraceEventContext(tools=[AgentTraceResourceRef(name="shell")], environments=[AgentTraceResourceRef(name="helm", version="3.14")])
    first = zep.agent.trace.append_event(ops.uuid_, begun.uuid_, event_type="observation", content="billing is green")
    equal((first.sequence, first.content, first.processing_state), (1, "billing is green", "pending"))
    zep.agent.trace.append_event(ops.uuid_, begun.uuid_, event_type="tool_call", tool_call_id="1", content="git pull", context=tools)
    zep.agent.trace.append_event(ops.uuid_, begun.uuid_, event_type="tool_call", tool_call_id="2", content=call, context=tools, metadata={"try": 1}, occurred_at="2025-04-01T10:00:00Z")
    zep.agent.trace.append_event(ops.uuid_, begun.uuid_, event_type="tool_result", tool_call_id="2", content=result)
    refused(lambda: zep.agent.trace.append_event(ops.uuid_, begun.uuid_, event_type="decision", content="x", sequence=5), 400, "sequence")
    equal(zep.agent.trace.list_events(ops.uuid_, begun.uuid_).items[0].model_copy(update={"created_at": first.created_at}), first)
    equal([e.sequence for e in zep.agent.trace.list_events(ops.uuid_, begun.uuid_, page_size=2)], [1, 2, 3, 4])
    equal([t.uuid_ for t in zep.agent.trace.list(ops.uuid_, status="open")], [begun.uuid_])
    check(begun.uuid_ not in [e.uuid_ for e in zep.graph.episode.list(ops.uuid_)], "an open trace is no episode")
    number > 1 or refused(lambda: zep.agent.trace.close(ops.uuid_, begun.uuid_, outcome=outcome, closing_sequence=3), 409, "the last event")
    number > 1 or refused(lambda: zep.agent.trace.close(ops.uuid_, begun.uuid_, outcome=outcome, expected_revision=2), 409, "is at 1")
    closed = zep.agent.trace.close(ops.uuid_, begun.uuid_, outcome=outcome, closing_sequence=4, expected_revision=1, verification="tool", reason="a test says so")
    equal((closed.trace.uuid_, closed.trace.status, closed.trace.outcome, closed.trace.verification, closed.trace.revision), (begun.uuid_, "closed", outcome, "tool", 2))
    equal((closed.trace.trace_id, closed.trace.metadata), (f"run-{number}", {"number": number}))
    equal(done(zep, closed.task).status, "succeeded")
    number > 1 or refused(lambda: zep.agent.trace.close(ops.uuid_, begun.uuid_, outcome=outcome), 409, "closed already")
    number > 1 or refused(lambda: zep.agent.trace.append_event(ops.uuid_, begun.uuid_, event_type="decision", content="x"), 409, "closed")
    equal(zep.agent.trace.create(ops.uuid_, objective="Deploy billing to staging", trace_id=f"run-{number}", metadata={"number": number}).status, "closed")
    equal([(e.sequence, e.event_type, e.content) for e in zep.agent.trace.list_events(ops.uuid_, begun.uuid_)],
          [(1, "tool_call", "git pull"), (2, "tool_call", call), (3, "tool_result", result)])
    return closed.trace


runs = [work(1, "./deploy.sh billing", "done", "succeeded"), work(2, "./deploy.sh billing", "done", "succeeded")]
equal(zep.agent.trace.get(ops.uuid_, runs[0].uuid_), runs[0])
equal([t.uuid_ for t in zep.agent.trace.list(ops.uuid_, page_size=1)], [runs[1].uuid_, runs[0].uuid_])
skill = zep.agent.skill.list(ops.uuid_, kind="procedure").items[0]
equal((skill.name, skill.maturity, skill.environments, skill.markdown), ("Deploy billing to staging", "corroborated", ["helm: 3.14"], None))
equal([s.uuid_ for s in zep.agent.skill.list(ops.uuid_, task_family=skill.task_family)], [skill.uuid_])
equal((list(zep.agent.skill.list(ops.uuid_, task_family=NOBODY)), list(zep.agent.skill.list(ops.uuid_, kind="principle"))), ([], []))
hit = zep.agent.skill.search(ops.uuid_, query="please deploy billing on staging", include_markdown=True).items[0]
check(hit.uuid_ == skill.uuid_ and "## Steps" in hit.markdown, hit)
equal(zep.agent.skill.search(ops.uuid_, query="Water the plants").items, [])
refused(lambda: zep.agent.skill.search(ops.uuid_, query=" "), 400, "query")
known = zep.agent.skill.get(ops.uuid_, skill.uuid_)
equal((known.status, known.searchable, known.current_version), ("candidate", True, len(list(zep.agent.skill.version.list(ops.uuid_, skill.uuid_)))))
refused(lambda: zep.agent.skill.get(ops.uuid_, NOBODY), 404, "not_found")
proof = list(zep.agent.skill.evidence.list(ops.uuid_, skill.uuid_, page_size=1))
equal([(e.trace_uuid, e.polarity, e.source_kind) for e in proof], [(r.uuid_, "supporting", "trace") for r in runs])
refused(lambda: zep.agent.skill.approve(ops.uuid_, skill.uuid_, expected_version=known.current_version + 1), 409, "conflict")
approved = zep.agent.skill.approve(ops.uuid_, skill.uuid_, expected_version=known.current_version)
equal((approved.decision, approved.mode, approved.skill_version), ("confirmed", "manual", zep.agent.skill.get(ops.uuid_, skill.uuid_).current_version))
failed = work(3, "./deploy.sh billing", "unknown flag", "failed")
compared = zep.agent.skill.version.compare(ops.uuid_, skill.uuid_, from_version=1, to_version=zep.agent.skill.get(ops.uuid_, skill.uuid_).current_version)
equal((compared.from_.version, compared.changed_fields), (1, ["failures"]))
check("a test says so" in compared.to.definition.failures[0].when, compared.to.definition)
equal(zep.agent.skill.version.get(ops.uuid_, skill.uuid_, 1).definition.procedure[1].instruction, "shell ./deploy.sh billing")
refused(lambda: zep.agent.skill.version.get(ops.uuid_, skill.uuid_, 99), 404, "version")
equal([e.polarity for e in zep.agent.skill.evidence.list(ops.uuid_, skill.uuid_)], ["supporting", "supporting", "contradicting"])
context = zep.agent.get_context(ops.uuid_, objective="Deploy billing to staging")
check(context.context.startswith("<SKILLS>") and context.truncated is False, context.context)
equal((context.snapshot[0].skill_uuid, context.snapshot[0].rank, context.snapshot[0].evidence_counts.contradicting), (skill.uuid_, 1, 1))
short = zep.agent.get_context(ops.uuid_, trace_uuid=failed.uuid_, max_characters=300)
check(len(short.context) <= 300 and short.truncated and short.objective == "Deploy billing to staging", short)
refused(lambda: zep.agent.get_context(ops.uuid_), 400, "objective")
left = zep.agent.trace.create(ops.uuid_, objective="Paint the fence", task_family="painting")
equal(answers[-1].headers["annals-ignored"], "task_family")
equal([t.uuid_ for t in zep.agent.trace.list(ops.uuid_)], [left.uuid_, failed.uuid_, runs[1].uuid_, runs[0].uuid_])
equal(zep.agent.trace.delete(ops.uuid_, left.uuid_, expected_revision=1).trace.status, "deleted")
refused(lambda: zep.agent.trace.get(ops.uuid_, left.uuid_), 404, "not_found")
equal([t.uuid_ for t in zep.agent.trace.list(ops.uuid_, status="closed")], [failed.uuid_, runs[1].uuid_, runs[0].uuid_])
refused(lambda: zep.agent.trace.create(ops.uuid_, objective="x", learn_from=False), 400, "learn_from")
refused(lambda: zep.agent.trace.delete(ops.uuid_, failed.uuid_, expected_revision=1), 409, "is at 2")
equal(zep.agent.trace.delete(ops.uuid_, failed.uuid_, expected_revision=2).trace.status, "deleted")
refused(lambda: zep.agent.trace.get(ops.uuid_, failed.uuid_), 404, "not_found")
equal([e.polarity for e in zep.agent.skill.evidence.list(ops.uuid_, skill.uuid_)], ["supporting", "supporting"])
retired = zep.agent.skill.retire(ops.uuid_, skill.uuid_, expected_version=zep.agent.skill.get(ops.uuid_, skill.uuid_).current_version)
equal((retired.status, retired.searchable, list(zep.agent.skill.list(ops.uuid_))), ("rejected", False, []))
refused(lambda: zep.agent.skill.use.create(ops.uuid_, skill.uuid_, search_id="x", trace_uuid=left.uuid_, usage="used"), 405, "not_implemented")
refused(lambda: client(os.environ["ZEP_OTHER_KEY"]).agent.get(ops.uuid_), 404, "not_found")
refused(lambda: client(os.environ["ZEP_OTHER_KEY"]).agent.trace.get(ops.uuid_, runs[0].uuid_), 404, "not_found")
refused(lambda: zep.agent.delete(ops.uuid_, expected_revision=1), 409, "expected_revision")
equal(done(zep, zep.agent.delete(ops.uuid_, expected_revision=ops.revision).task).status, "succeeded")
refused(lambda: zep.agent.get(ops.uuid_), 404, "not_found")

# Clones and deletions
clone = zep.graph.clone(docs.uuid_, request={})
equal(done(zep, clone.task).status, "succeeded")
copied = zep.graph.search_edges(clone.graph.uuid_, query="Who managed Apollo?").items[0]
check(copied.fact == edited.fact and copied.uuid_ != edge.uuid_, copied)
equal(zep.graph.edge.delete(docs.uuid_, edge.uuid_).task.status, "succeeded")
refused(lambda: zep.graph.edge.get(docs.uuid_, edge.uuid_), 404, "not_found")
zep.graph.node.delete(docs.uuid_, gemini.uuid_)
refused(lambda: zep.graph.node.get(docs.uuid_, gemini.uuid_), 404, "not_found")
zep.graph.episode.delete(docs.uuid_, memo.episode.uuid_)
refused(lambda: zep.graph.episode.get(docs.uuid_, memo.episode.uuid_), 404, "not_found")
zep.thread.delete(thread.uuid_)
refused(lambda: zep.thread.get(thread.uuid_), 404, "not_found")
gone = zep.graph.delete(docs.uuid_)
equal(zep.task.get(gone.task.uuid_).status, "succeeded")
refused(lambda: zep.graph.get(docs.uuid_), 404, "not_found")
zep.user.delete(alice.uuid_)
refused(lambda: zep.user.get(alice.uuid_), 404, "not_found")

# Clients of the other generation, and other projects
refused(lambda: client(os.environ["ZEP_API_KEY"], "2").user.list(), 400, "/api/v4")
other = client(os.environ["ZEP_OTHER_KEY"])
equal(other.user.list().items, [])
refused(lambda: other.user.get(nameless.uuid_), 404, "not_found")
refused(lambda: other.graph.search_edges(nameless.graph_uuid, query="x"), 404, "not_found")
refused(lambda: client("annals_AAAAAAAA_none").user.list(), 401, "unauthenticated")

finish(*sorted(f"called {name}" for name in zep._routes), f"{len(parsed)} types")
