// One application from its first user to the last deletion.
import { Zep, ZepError, entityFields } from "@getzep/zep-cloud";
import { check, client, finish, refused, taskDone, until } from "./setup.mjs";

const zep = client(process.env.ZEP_API_KEY);

// Users
const user = await zep.user.add({
    userId: "alice@example.com",
    email: "alice@example.com",
    firstName: "Alice",
    lastName: "Smith",
    metadata: { plan: "pro" },
    timeZone: "Europe/Lisbon",
});
check.equal(user.userId, "alice@example.com");
check.equal(user.firstName, "Alice");
check.deepEqual(user.metadata, { plan: "pro" });
check.equal(user.timeZone, "Europe/Lisbon");
check.match(user.uuid, /^[0-9a-f-]{36}$/);
check.ok(Date.parse(user.createdAt) > 0);
await zep.user.add({ userId: "auth0|bob smith", firstName: "Bob" });
check.equal((await zep.user.get("auth0|bob smith")).userId, "auth0|bob smith");
await refused(() => zep.user.add({ userId: "alice@example.com" }), Zep.BadRequestError, 400, /already/);
await refused(() => zep.user.add({ userId: "x", email: "none" }), Zep.BadRequestError, 400, /email/);
await refused(() => zep.user.get("nobody"), Zep.NotFoundError, 404, /nobody/);
const changed = await zep.user.update("alice@example.com", { lastName: "Jones", metadata: { seats: 3 } });
check.equal(changed.lastName, "Jones");
check.deepEqual(changed.metadata, { plan: "pro", seats: 3 });
check.equal(changed.email, "alice@example.com");
const listed = await zep.user.listOrdered({ pageNumber: 1, pageSize: 1, orderBy: "user_id", asc: true });
check.equal(listed.totalCount, 2);
check.deepEqual(
    listed.users.map((u) => u.userId),
    ["alice@example.com"],
);
check.equal((await zep.user.listOrdered({ search: "BOB" })).users.length, 1);
const node = (await zep.user.getNode("alice@example.com")).node;
check.equal(node.name, "Alice Jones");
check.ok(node.labels.includes("Entity") && node.labels.includes("User"));
check.equal((await zep.user.warm("alice@example.com")).message, "OK");

// Threads and messages
const thread = await zep.thread.create({ threadId: "thread-1", userId: "alice@example.com" });
check.equal(thread.threadId, "thread-1");
check.equal(thread.userId, "alice@example.com");
check.equal(thread.userUuid, user.uuid);
await refused(() => zep.thread.create({ threadId: "thread-1", userId: "auth0|bob smith" }), Zep.BadRequestError, 400, /already/);
await refused(() => zep.thread.create({ threadId: "thread-2", userId: "nobody" }), ZepError, 404, /nobody/);
await refused(() => zep.thread.get("no-thread"), Zep.NotFoundError, 404, /no-thread/);
const said = [
    ["user", "I live in Paris."],
    ["assistant", "Paris is lovely. What do you do there?"],
    ["user", "I work at Acme Corp."],
    ["user", "I moved to Lisbon in March 2024."],
    ["system", "The session is recorded."],
];
while (said.length < 30) said.push([said.length % 2 ? "user" : "assistant", `This is message number ${said.length}.`]);
const added = await zep.thread.addMessages("thread-1", {
    messages: said.map(([role, content], i) => ({
        role,
        content,
        createdAt: new Date(Date.UTC(2024, 5, 1, 12, 0, i)).toISOString(),
        metadata: { place: i },
    })),
    ignoreRoles: ["system"],
    returnContext: true,
});
check.equal(added.messageUuids.length, 30);
check.ok(added.taskId);
check.match(added.context, /USER_SUMMARY/);
const task = await taskDone(zep, added.taskId);
check.equal(task.status, "succeeded");
check.ok(task.completedAt);
const got = await zep.thread.get("thread-1");
check.equal(got.totalCount, 30);
check.deepEqual(
    got.messages.map((m) => m.content),
    said.map((m) => m[1]),
);
check.deepEqual(
    got.messages.map((m) => m.uuid),
    added.messageUuids,
);
check.equal(got.messages[0].name, "Alice Jones");
check.deepEqual(got.messages[7].metadata, { place: 7 });
check.ok(got.messages.every((m) => m.processed));
check.equal(got.userId, "alice@example.com");
check.deepEqual(
    (await zep.thread.get("thread-1", { lastn: 2 })).messages.map((m) => m.metadata.place),
    [28, 29],
);
check.deepEqual(
    (await zep.thread.get("thread-1", { limit: 2, cursor: 3 })).messages.map((m) => m.metadata.place),
    [3, 4],
);
check.equal((await zep.thread.listAll({ pageNumber: 1, pageSize: 10 })).totalCount, 1);
check.equal((await zep.user.getThreads("alice@example.com"))[0].threadId, "thread-1");
check.equal((await zep.thread.getEpisodes("thread-1")).episodes.length, 30);
const message = await zep.thread.message.update(added.messageUuids[0], { metadata: { mood: "calm", place: null } });
check.deepEqual(message.metadata, { mood: "calm" });
await zep.thread.addMessagesBatch("thread-1", { messages: [{ role: "user", name: "Alice Jones", content: "I like sushi." }] });
await until(
    () => zep.thread.get("thread-1", { lastn: 1 }),
    (r) => r.messages[0].processed,
);
const context = (await zep.thread.getUserContext("thread-1")).context;
for (const part of ["<USER_SUMMARY>", "<FACTS>", "<ENTITIES>", "<EPISODES>", "Alice Jones", "Lisbon"]) check.ok(context.includes(part), part);
check.match(context, /Date range: [0-9]{4}-[0-9]{2}-[0-9]{2}/);
const summary = await zep.thread.getSummary("thread-1");
check.equal(summary.threadId, "thread-1");
check.ok(summary.summary.length > 0);
check.equal((await zep.graph.threadSummary.getByUserId("alice@example.com", {}))[0].threadId, "thread-1");

// Graphs and data
const graph = await zep.graph.create({ graphId: "docs", name: "Documents", description: "What the company wrote" });
check.equal(graph.graphId, "docs");
check.equal((await zep.graph.get("docs")).description, "What the company wrote");
check.equal((await zep.graph.update("docs", { name: "Papers" })).name, "Papers");
check.equal((await zep.graph.warm("docs")).message, "OK");
const graphs = await zep.graph.listAll({ pageSize: 10, search: "papers" });
check.equal(graphs.totalCount, 1);
check.equal(graphs.graphs[0].graphId, "docs");
await refused(() => zep.graph.get("none"), Zep.NotFoundError, 404, /none/);
await refused(() => zep.graph.add({ graphId: "docs", type: "json", data: "{" }), Zep.BadRequestError, 400, /JSON/);
await refused(() => zep.graph.add({ type: "text", data: "To whom?" }), Zep.BadRequestError, 400, /user_id/);
const episode = await zep.graph.add({
    graphId: "docs",
    type: "text",
    data: "Carol works at Initech. Initech is located in Berlin.",
    createdAt: "2024-05-01T00:00:00Z",
    sourceDescription: "a memo",
    metadata: { kind: "memo", page: 3 },
});
check.equal(episode.source, "text");
const several = await zep.graph.addBatch({
    graphId: "docs",
    documentId: "handbook",
    episodes: [
        { type: "message", data: "Dave (user): I live in Oslo." },
        { type: "json", data: JSON.stringify({ name: "Erin", city: "Madrid" }), metadata: { kind: "record", page: 9 } },
    ],
});
check.equal(several.length, 2);
check.equal(several[0].role, "Dave");
check.equal(several[0].roleType, "user");
check.equal(several[0].content, "I live in Oslo.");
check.equal(several[1].documentId, "handbook");
check.equal((await taskDone(zep, several[1].taskId)).status, "succeeded");
check.equal((await zep.graph.getEpisodesForDocument("handbook", { graphId: "docs" })).episodes.length, 2);
const kept = await zep.graph.episode.get(episode.uuid);
check.ok(kept.processed);
check.equal(kept.sourceDescription, "a memo");
check.equal((await zep.graph.episode.getByGraphId("docs", { lastn: 2 })).episodes.length, 2);
check.equal((await zep.graph.episode.getByUserId("alice@example.com", { lastn: 5 })).episodes.length, 5);
const memos = await zep.graph.episode.listByGraphId("docs", {
    episodeMetadataFilters: {
        type: "and",
        filters: [
            { propertyName: "kind", comparisonOperator: "=", propertyValue: "memo" },
            { propertyName: "page", comparisonOperator: "<", propertyValue: 5 },
        ],
    },
});
check.deepEqual(
    memos.map((e) => e.uuid),
    [episode.uuid],
);
check.equal((await zep.graph.episode.listByUserId("alice@example.com", { limit: 3, orderBy: "created_at", direction: "asc" })).length, 3);
for (const direction of ["asc", "desc"]) {
    const times = (await zep.graph.episode.listByGraphId("docs", { orderBy: "created_at", direction })).map((e) => Date.parse(e.createdAt));
    check.deepEqual(
        times,
        [...times].sort((a, b) => (direction === "asc" ? a - b : b - a)),
    );
}
check.deepEqual((await zep.graph.episode.update(episode.uuid, { metadata: { page: 4 } })).metadata, { kind: "memo", page: 4 });

// A triple, nodes and edges
const triple = await zep.graph.addFactTriple({
    graphId: "docs",
    fact: "Carol manages the Apollo project.",
    factName: "MANAGES",
    sourceNodeName: "Carol",
    sourceNodeLabels: ["Entity", "Person"],
    targetNodeName: "Apollo",
    targetNodeLabels: ["Project"],
    targetNodeSummary: "A project to reach the moon.",
    edgeAttributes: { since: 2024, share: "all" },
    validAt: "2024-02-01T00:00:00Z",
    metadata: { from: "HR" },
});
check.equal(triple.edge.name, "MANAGES");
check.equal(triple.edge.fact, "Carol manages the Apollo project.");
check.equal(triple.edge.validAt, "2024-02-01T00:00:00Z");
check.deepEqual(triple.edge.attributes, { since: 2024, share: "all" });
check.equal(triple.targetNode.summary, "A project to reach the moon.");
check.ok(triple.targetNode.labels.includes("Project"));
check.equal(triple.edge.sourceNodeUuid, triple.sourceNode.uuid);
check.equal(triple.edge.sourceNodeName, "Carol");
check.equal((await zep.task.get(triple.taskId)).status, "succeeded");
await refused(
    () => zep.graph.addFactTriple({ graphId: "docs", fact: "x", factName: "IS", sourceNodeName: "A", targetNodeName: "A" }),
    Zep.BadRequestError,
    400,
    /different/,
);
const nodes = await zep.graph.addNodes({
    graphId: "docs",
    nodes: [
        { name: "Gemini", label: "Project", summary: "Another project.", attributes: { budget: 7 } },
        { name: "Mercury", label: "Project" },
    ],
});
check.equal(nodes.nodes.length, 2);
check.equal((await zep.task.get(nodes.taskId)).status, "succeeded");
const gemini = await zep.graph.node.get(nodes.nodes[0].uuid);
check.equal(gemini.name, "Gemini");
check.deepEqual(gemini.attributes, { budget: 7 });
const renamed = await zep.graph.node.update(gemini.uuid, { name: "Gemini II", summary: "The second.", attributes: { budget: null, crew: 2 }, labels: ["Mission"] });
check.equal(renamed.name, "Gemini II");
check.equal(renamed.summary, "The second.");
check.deepEqual(renamed.attributes, { crew: 2 });
check.deepEqual(renamed.labels, ["Entity", "Mission"]);
const all = await zep.graph.node.getByGraphId("docs", { limit: 100 });
check.ok(all.length >= 5);
const page = await zep.graph.node.getByGraphId("docs", { limit: 2 }).withRawResponse();
check.equal(page.data.length, 2);
const second = await zep.graph.node.getByGraphId("docs", { limit: 2, cursor: page.rawResponse.headers.get("zep-next-cursor") });
check.ok(second.every((n) => !page.data.some((p) => p.uuid === n.uuid)));
check.deepEqual(
    (await zep.graph.node.getByGraphId("docs", { limit: 2, uuidCursor: page.data[1].uuid })).map((n) => n.uuid),
    second.map((n) => n.uuid),
);
const walked = [];
for (let cursor; ; ) {
    const { data, rawResponse } = await zep.graph.node.getByGraphId("docs", { limit: 2, orderBy: "created_at", cursor }).withRawResponse();
    walked.push(...data.map((n) => n.uuid));
    if (walked.length === 2) await zep.graph.addNodes({ graphId: "docs", nodes: [{ name: "Came later" }] });
    cursor = rawResponse.headers.get("zep-next-cursor");
    if (!cursor) break;
}
check.deepEqual(walked.sort(), all.map((n) => n.uuid).sort(), "what comes meanwhile neither repeats nor hides a row");
check.deepEqual((await zep.graph.node.get(triple.sourceNode.uuid)).episodes.includes(triple.edge.episodes[0]), true);
check.equal((await zep.graph.node.get(triple.sourceNode.uuid)).episodesTruncated, false);
check.deepEqual(triple.edge.sourceNodeLabels, ["Entity", "Person"]);
check.deepEqual(triple.edge.targetNodeLabels, ["Entity", "Project"]);
const spoken = await zep.graph.node.getByGraphId("docs", { filters: { episodeUuids: triple.edge.episodes } });
check.deepEqual(spoken.map((n) => n.name).sort(), ["Apollo", "Carol"]);
await refused(() => zep.graph.node.getByGraphId("docs", { filters: { sourceNodeUuids: [gemini.uuid] } }), Zep.BadRequestError, 400, /source_node_uuids/);
await refused(() => zep.graph.node.getByGraphId("docs", { orderBy: "valid_at" }), Zep.BadRequestError, 400, /order_by/);
await refused(() => zep.graph.node.getByGraphId("docs", { cursor: "none" }), Zep.BadRequestError, 400, /cursor/);
const busiest = await zep.graph.node.getByGraphId("docs", { orderBy: "degree", limit: 1 });
check.ok(busiest[0].degree >= 2, JSON.stringify(busiest));
check.ok((await zep.graph.node.getByUserId("alice@example.com", {})).some((n) => n.name === "Alice Jones"));
const projects = await zep.graph.node.getByGraphId("docs", { filters: { nodeLabels: ["Project"] } });
check.deepEqual(projects.map((n) => n.name).sort(), ["Apollo", "Mercury"]);
check.ok((await zep.graph.node.getEdges(triple.sourceNode.uuid)).some((e) => e.uuid === triple.edge.uuid));
check.ok((await zep.graph.node.getEpisodes(triple.sourceNode.uuid)).episodes.some((e) => e.source === "fact_triple"));
const around = await zep.graph.node.getNeighbors(triple.sourceNode.uuid, { direction: "out", filters: { edgeTypes: ["MANAGES"] } });
check.deepEqual(
    around.map((n) => [n.node.name, n.edges.length]),
    [["Apollo", 1]],
);
check.equal((await zep.graph.node.getNeighbors(triple.targetNode.uuid, { direction: "out" })).length, 0);
const labelled = async (filters) => (await zep.graph.node.getNeighbors(triple.sourceNode.uuid, { filters })).map((n) => n.node.name);
check.deepEqual(await labelled({ nodeLabels: ["Project"] }), ["Apollo"], "labels are those of the neighbours");
check.ok(!(await labelled({ excludeNodeLabels: ["Project"] })).includes("Apollo"));
check.ok((await labelled({ nodeLabels: ["Entity", "Project"] })).includes("Initech"), "all nodes are entities");
const part = await zep.graph.getSubgraph({ graphId: "docs", seedNodeUuids: [triple.targetNode.uuid], depth: 2, maxNodes: 10 });
check.ok(part.nodes.some((n) => n.name === "Carol"));
check.equal(part.truncated, false);
check.equal((await zep.graph.getSubgraph({ graphId: "docs", seedNodeUuids: [triple.sourceNode.uuid], maxNodes: 1 })).truncationReason, "max_nodes");
const mentions = await zep.graph.episode.getNodesAndEdges(triple.edge.episodes[0]);
check.deepEqual(mentions.nodes.map((n) => n.name).sort(), ["Apollo", "Carol"]);
check.equal(mentions.edges[0].uuid, triple.edge.uuid);
const edited = await zep.graph.edge.update(triple.edge.uuid, {
    fact: "Carol managed the Apollo project.",
    invalidAt: "2024-09-01T00:00:00Z",
    attributes: { share: null, reason: "done" },
});
check.equal(edited.fact, "Carol managed the Apollo project.");
check.equal(edited.invalidAt, "2024-09-01T00:00:00Z");
check.deepEqual(edited.attributes, { since: 2024, reason: "done" });
check.equal((await zep.graph.edge.get(triple.edge.uuid)).fact, edited.fact);
await refused(() => zep.graph.edge.update(triple.edge.uuid, { invalidAt: "2023-01-01T00:00:00Z" }), Zep.BadRequestError, 400, /invalid_at/);
check.ok((await zep.graph.edge.getByGraphId("docs", {})).length >= 2);
check.ok((await zep.graph.edge.getByUserId("alice@example.com", { limit: 1 })).length === 1);

const ofCarol = await zep.graph.edge.getByGraphId("docs", { limit: 1, filters: { connectedNodeUuids: [triple.sourceNode.uuid] } }).withRawResponse();
check.ok(ofCarol.data[0].sourceNodeUuid === triple.sourceNode.uuid || ofCarol.data[0].targetNodeUuid === triple.sourceNode.uuid);
const cursor = ofCarol.rawResponse.headers.get("zep-next-cursor");
const others = await zep.graph.edge.getByGraphId("docs", { cursor, filters: { connectedNodeUuids: [triple.sourceNode.uuid] } });
check.ok(others.length >= 1 && others.every((e) => e.uuid !== ofCarol.data[0].uuid), "a list that is filtered goes on too");
check.deepEqual(
    (await zep.graph.edge.getByGraphId("docs", { filters: { edgeUuids: [triple.edge.uuid], targetNodeUuids: [triple.targetNode.uuid] } })).map((e) => e.uuid),
    [triple.edge.uuid],
);
check.deepEqual(await zep.graph.edge.getByGraphId("docs", { filters: { edgeUuids: [triple.edge.uuid], targetNodeUuids: [triple.sourceNode.uuid] } }), []);
check.deepEqual(
    (await zep.graph.edge.getByGraphId("docs", { orderBy: "valid_at", direction: "asc" })).map((e) => e.validAt ?? "~"),
    (await zep.graph.edge.getByGraphId("docs", {})).map((e) => e.validAt ?? "~").sort(),
);

// Search
const edges = await zep.graph.search({ graphId: "docs", query: "Who managed Apollo?" });
check.equal(edges.edges[0].uuid, triple.edge.uuid);
check.ok(edges.edges[0].score > 0);
check.equal(edges.nodes, undefined);
check.equal(typeof edges.response.serverLatencyMs, "number");
check.ok((await zep.graph.search({ graphId: "docs", query: "Apollo", scope: "nodes", limit: 3 })).nodes[0].name === "Apollo");
check.ok((await zep.graph.search({ graphId: "docs", query: "Oslo", scope: "episodes" })).episodes[0].content.includes("Oslo"));
const uuids = async (searchFilters, more = {}) =>
    ((await zep.graph.search({ graphId: "docs", query: "Carol Apollo", limit: 50, searchFilters, ...more })).edges ?? []).map((e) => e.uuid);
check.deepEqual(await uuids({ edgeTypes: ["MANAGES"] }), [triple.edge.uuid]);
check.ok(!(await uuids({ excludeEdgeTypes: ["MANAGES"] })).includes(triple.edge.uuid));
check.deepEqual(await uuids({ propertyFilters: [{ propertyName: "since", comparisonOperator: ">=", propertyValue: 2024 }] }), [triple.edge.uuid]);
check.deepEqual(
    await uuids({ validAt: [[{ comparisonOperator: "<", date: "2024-02-02T00:00:00Z" }, { comparisonOperator: ">", date: "2024-01-01T00:00:00Z" }]] }),
    [triple.edge.uuid],
);
check.ok((await uuids({ invalidAt: [[{ comparisonOperator: "IS NOT NULL" }]] })).includes(triple.edge.uuid));
check.deepEqual(await uuids({ targetNodeUuids: [triple.targetNode.uuid] }), [triple.edge.uuid]);
check.deepEqual(await uuids({ episodeUuids: triple.edge.episodes }), []); // it was corrected since: no episode says it
check.deepEqual(await uuids({ episodeMetadataFilters: { type: "or", filters: [{ propertyName: "from", comparisonOperator: "=", propertyValue: "HR" }] } }), [
    triple.edge.uuid,
]);
check.deepEqual(await uuids({ episodeUuids: triple.edge.episodes }, { reranker: "episode_mentions" }), []);
await refused(() => zep.graph.search({ graphId: "docs", query: "x", scope: "nodes", searchFilters: { targetNodeUuids: [gemini.uuid] } }), Zep.BadRequestError, 400, /target_node_uuids/);
await refused(() => zep.graph.search({ graphId: "docs", query: "x", searchFilters: { validAt: [[{ comparisonOperator: ">", date: "soon" }]] } }), Zep.BadRequestError, 400, /valid_at/);
await refused(() => zep.graph.search({ graphId: "docs", query: "x", scope: "auto", reranker: "node_distance", centerNodeUuid: gemini.uuid }), Zep.BadRequestError, 400, /auto/);
for (const reranker of ["rrf", "mmr", "episode_mentions"]) check.ok((await uuids({}, { reranker })).includes(triple.edge.uuid), reranker);
check.ok((await uuids({}, { reranker: "node_distance", centerNodeUuid: triple.targetNode.uuid })).includes(triple.edge.uuid));
check.ok((await uuids({}, { bfsOriginNodeUuids: [triple.sourceNode.uuid] })).includes(triple.edge.uuid));
const excluded = await zep.graph.search({ graphId: "docs", query: "project", scope: "nodes", searchFilters: { nodeLabels: ["Project"], excludeNodeLabels: ["Mission"] } });
check.ok(excluded.nodes.every((n) => n.labels.includes("Project")));
const auto = await zep.graph.search({ graphId: "docs", query: "Apollo", scope: "auto", maxCharacters: 300, returnRawResults: true });
check.ok(auto.context.length > 0 && auto.context.length <= 300);
check.equal(auto.edges[0].selectionRank, 1);
const everything = await zep.graph.search({ userId: "alice@example.com", query: "Where did Alice move to?", scope: "auto", returnRawResults: true });
check.deepEqual(
    everything.threadSummaries.map((t) => [t.name, t.summary]),
    [["thread-1", summary.summary]],
);
check.ok(everything.context.includes(`thread-1: ${summary.summary.slice(0, 20)}`), everything.context);
check.ok(everything.threadSummaries[0].selectionRank > 0);
const conversations = await zep.graph.search({ userId: "alice@example.com", query: "Lisbon", scope: "thread_summaries" });
check.equal(conversations.threadSummaries[0].name, "thread-1");
await refused(() => zep.graph.search({ graphId: "docs", query: "x", reranker: "node_distance" }), Zep.BadRequestError, 400, /center_node_uuid/);
await refused(() => zep.graph.search({ graphId: "docs", query: "" }), Zep.BadRequestError, 400, /query/);
const fused = await zep.graph.search({ graphId: "docs", query: "Who managed Apollo?", reranker: "cross_encoder" }).withRawResponse();
check.equal(fused.rawResponse.headers.get("annals-ignored"), "reranker=cross_encoder", "there is no model here that ranks");
check.equal(fused.data.edges[0].uuid, triple.edge.uuid);
check.equal(fused.data.edges[0].relevance, undefined);

// Ontology, instructions, templates
await zep.graph.setOntology(
    { Project: { description: "A thing to be done.", fields: { budget: entityFields.integer("In euros") } } },
    { MANAGES: { description: "Leads.", fields: { share: entityFields.text("How much of it") }, sourceTargets: [{ source: "User", target: "Project" }] } },
);
const types = await zep.graph.listEntityTypes();
check.deepEqual(
    types.entityTypes.map((t) => t.name),
    ["Project"],
);
check.equal(types.entityTypes[0].properties[0].type, "Int");
check.deepEqual(types.edgeTypes[0].sourceTargets, [{ source: "User", target: "Project" }]);
check.equal((await zep.graph.listEntityTypes({ graphId: "docs" })).entityTypes.length, 1, "a graph has the types of its project");
await zep.graph.setOntology({ Memo: { description: "A memo.", fields: {} } }, {}, { graphIds: ["docs"] });
check.equal((await zep.graph.listEntityTypes({ graphId: "docs" })).entityTypes[0].name, "Memo");
check.equal((await zep.graph.listEntityTypes({ userId: "alice@example.com" })).entityTypes[0].name, "Project");
await zep.graph.create({ graphId: "later" });
check.equal((await zep.graph.listEntityTypes({ graphId: "later" })).entityTypes[0].name, "Project");
await zep.graph.addCustomInstructions({ instructions: [{ name: "tone", text: "Mind the tone." }] });
await zep.graph.addCustomInstructions({ graphIds: ["docs"], instructions: [{ name: "pages", text: "Note page numbers." }] });
check.deepEqual((await zep.graph.listCustomInstructions()).instructions, [{ name: "tone", text: "Mind the tone." }]);
check.deepEqual((await zep.graph.listCustomInstructions({ graphId: "docs" })).instructions, [{ name: "pages", text: "Note page numbers." }]);
await zep.graph.deleteCustomInstructions({ instructionNames: ["tone"] });
check.deepEqual((await zep.graph.listCustomInstructions()).instructions, []);
await zep.user.addUserSummaryInstructions({ userIds: ["alice@example.com"], instructions: [{ name: "food", text: "What does the user eat?" }] });
check.equal((await zep.user.listUserSummaryInstructions({ userId: "alice@example.com" })).instructions[0].name, "food");
await zep.user.deleteUserSummaryInstructions({ userIds: ["alice@example.com"] });
check.deepEqual((await zep.user.listUserSummaryInstructions({ userId: "alice@example.com" })).instructions, []);
const template = await zep.context.createContextTemplate({
    templateId: "short",
    template: "About the user: %{user_summary}\nFacts:\n%{edges limit=2 types=[LIVES_IN]}\nEntities:\n%{entities limit=1}\nSaid:\n%{episodes limit=1}",
});
check.equal(template.templateId, "short");
const filled = (await zep.thread.getUserContext("thread-1", { templateId: "short" })).context;
check.match(filled, /^About the user: Alice Jones/);
check.match(filled, /Facts:\n[\s\S]*Entities:\n[\s\S]*Said:\n/);
check.ok(!filled.includes("%{"));
await refused(() => zep.context.createContextTemplate({ templateId: "bad", template: "%{nonsense}" }), Zep.BadRequestError, 400, /nonsense/);
await refused(() => zep.thread.getUserContext("thread-1", { templateId: "none" }), Zep.NotFoundError, 404, /none/);
check.equal((await zep.context.updateContextTemplate("short", { template: "%{edges}" })).template, "%{edges}");
check.equal((await zep.context.getContextTemplate("short")).template, "%{edges}");
check.equal((await zep.context.listContextTemplates()).templates.length, 1);
await zep.context.deleteContextTemplate("short");
await refused(() => zep.context.getContextTemplate("short"), Zep.NotFoundError, 404);
check.equal((await zep.project.update({ defaultTimeZone: "Europe/Berlin" })).project.defaultTimeZone, "Europe/Berlin");
check.equal((await zep.project.get()).project.defaultTimeZone, "Europe/Berlin");

// Batches
const batch = await zep.batch.create({ metadata: { from: "a file" }, ignoreRoles: ["tool"] });
check.equal(batch.status, "draft");
const items = await zep.batch.add(batch.batchId, {
    items: [
        { type: "graph_episode", graphId: "docs", data: "Frank lives in Rome.", dataType: "text" },
        { type: "thread_message", threadId: "thread-1", role: "user", content: "I have a dog." },
        { type: "thread_message", threadId: "thread-1", role: "tool", content: "exit status 0" },
    ],
});
check.deepEqual(
    items.map((i) => [i.sequenceIndex, i.kind, i.status]),
    [
        [0, "graph_episode", "pending"],
        [1, "thread_message", "pending"],
        [2, "thread_message", "pending"],
    ],
);
check.equal((await zep.thread.get("thread-1")).totalCount, 31, "nothing is added before the batch is processed");
await zep.batch.process(batch.batchId);
const finished = await until(
    () => zep.batch.get(batch.batchId),
    (b) => b.status !== "queued" && b.status !== "processing",
);
check.equal(finished.status, "succeeded");
check.equal(finished.progress.succeededItems, 2);
check.equal(finished.progress.skippedItems, 1);
check.equal(finished.progress.percentComplete, 100);
check.equal((await zep.graph.episode.get(items[0].episodeUuid)).content, "Frank lives in Rome.");
check.equal((await zep.batch.listItems(batch.batchId, { limit: 2 })).nextCursor, 2);
await refused(() => zep.batch.process(batch.batchId), Zep.ConflictError, 409, /processed/);
await refused(() => zep.batch.get("00000000-0000-7000-8000-000000000000"), Zep.NotFoundError, 404);
check.equal((await zep.batch.list({ limit: 10 })).batches.length, 1);
await zep.batch.delete(batch.batchId);
check.equal((await zep.batch.list()).batches.length, 0);

// Clones and deletions
const clone = await zep.graph.clone({ sourceGraphId: "docs", targetGraphId: "docs-2" });
check.equal(clone.graphId, "docs-2");
check.equal((await zep.task.get(clone.taskId)).status, "succeeded");
const copied = (await zep.graph.search({ graphId: "docs-2", query: "Who managed Apollo?" })).edges[0];
check.equal(copied.fact, edited.fact);
check.notEqual(copied.uuid, triple.edge.uuid);
check.ok(await zep.graph.edge.get(copied.uuid));
await refused(() => zep.graph.clone({ sourceGraphId: "docs", targetGraphId: "docs-2" }), Zep.BadRequestError, 400, /already/);
check.equal((await zep.graph.clone({ sourceUserId: "alice@example.com", targetUserId: "alice-2" })).userId, "alice-2");
check.equal((await zep.user.get("alice-2")).email, "alice@example.com");
await zep.graph.edge.delete(triple.edge.uuid);
await refused(() => zep.graph.edge.get(triple.edge.uuid), Zep.NotFoundError, 404);
await zep.graph.node.delete(gemini.uuid);
await refused(() => zep.graph.node.get(gemini.uuid), Zep.NotFoundError, 404);
await zep.graph.episode.delete(episode.uuid);
await refused(() => zep.graph.episode.delete(episode.uuid), Zep.NotFoundError, 404);
await zep.thread.delete("thread-1");
await refused(() => zep.thread.get("thread-1"), Zep.NotFoundError, 404);
await zep.graph.delete("docs-2");
await refused(() => zep.graph.get("docs-2"), Zep.NotFoundError, 404);
await zep.user.delete("alice@example.com");
await refused(() => zep.user.get("alice@example.com"), Zep.NotFoundError, 404);
check.equal((await zep.user.add({ userId: "alice@example.com" })).email, undefined, "a user may come again");
const asked = Date.now();
await refused(() => zep.userGroup.list({ projectId: "p", pageNumber: 1, pageSize: 10 }), ZepError, 405, /user-groups/);
check.ok(Date.now() - asked < 900, "what is not there is told at once: the client would wait a second to ask again");

finish();
