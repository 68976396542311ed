// Two applications with a key each, at the same time, with the same names:
// neither sees the other, whatever it asks for.
import { Zep, ZepError } from "@getzep/zep-cloud";
import { check, client, finish, refused, taskDone } from "./setup.mjs";

const word = { one: "Zanzibar", two: "Yokohama" };

async function live(name) {
    const zep = client(process.env[`ZEP_KEY_${name.toUpperCase()}`]);
    await zep.user.add({ userId: "alice", firstName: "Alice", lastName: word[name], email: `alice@${name}.example` });
    await zep.thread.create({ threadId: "chat", userId: "alice" });
    const added = await zep.thread.addMessages("chat", { messages: [{ role: "user", content: `I live in ${word[name]}.` }] });
    await zep.graph.create({ graphId: "docs", name: `Documents of ${word[name]}` });
    const triple = await zep.graph.addFactTriple({
        graphId: "docs",
        fact: `Carol owns ${word[name]}.`,
        factName: "OWNS",
        sourceNodeName: "Carol",
        targetNodeName: word[name],
    });
    await zep.context.createContextTemplate({ templateId: "mine", template: `${word[name]} %{edges}` });
    await zep.graph.addCustomInstructions({ instructions: [{ name: "mine", text: `Mind ${word[name]}.` }] });
    await zep.graph.setOntology({ [word[name]]: { description: "Ours.", fields: {} } }, {});
    const batch = await zep.batch.create({ metadata: { of: word[name] } });
    check.equal((await taskDone(zep, added.taskId)).status, "succeeded");
    return { zep, added, triple, batch };
}

const [one, two] = await Promise.all([live("one"), live("two")]);

// What each sees is its own.
const asked = [
    (z) => z.user.get("alice"),
    (z) => z.user.listOrdered({}),
    (z) => z.user.listOrdered({ search: "alice" }),
    (z) => z.user.getNode("alice"),
    (z) => z.user.getThreads("alice"),
    (z) => z.thread.listAll({}),
    (z) => z.thread.get("chat"),
    (z) => z.thread.getUserContext("chat"),
    (z) => z.thread.getUserContext("chat", { templateId: "mine" }),
    (z) => z.thread.getSummary("chat"),
    (z) => z.graph.get("docs"),
    (z) => z.graph.listAll({}),
    (z) => z.graph.search({ graphId: "docs", query: "Zanzibar Yokohama Carol owns" }),
    (z) => z.graph.search({ graphId: "docs", query: "Zanzibar Yokohama", scope: "nodes" }),
    (z) => z.graph.search({ userId: "alice", query: "Zanzibar Yokohama", scope: "episodes" }),
    (z) => z.graph.search({ userId: "alice", query: "Zanzibar Yokohama", scope: "auto", returnRawResults: true }),
    (z) => z.graph.node.getByGraphId("docs", {}),
    (z) => z.graph.edge.getByGraphId("docs", {}),
    (z) => z.graph.episode.getByUserId("alice"),
    (z) => z.context.listContextTemplates(),
    (z) => z.graph.listCustomInstructions(),
    (z) => z.graph.listEntityTypes(),
    (z) => z.batch.list(),
    (z) => z.project.get(),
];
for (const ask of asked) {
    for (const [mine, own, other] of [
        [one, word.one, word.two],
        [two, word.two, word.one],
    ]) {
        const text = JSON.stringify(await ask(mine.zep));
        check.ok(!text.includes(other), `${ask}: ${text}`);
        if (!/project|getThreads|listAll|node.getNode|getSummary/.test(String(ask))) check.ok(text.includes(own), `${ask}: ${text}`);
    }
}

// What belongs to the other is not there.
for (const [mine, other] of [
    [one, two],
    [two, one],
]) {
    const { edge, sourceNode } = other.triple;
    const message = other.added.messageUuids[0];
    const z = mine.zep;
    await refused(() => z.graph.edge.get(edge.uuid), Zep.NotFoundError, 404);
    await refused(() => z.graph.edge.update(edge.uuid, { fact: "mine" }), Zep.NotFoundError, 404);
    await refused(() => z.graph.edge.delete(edge.uuid), Zep.NotFoundError, 404);
    await refused(() => z.graph.node.get(sourceNode.uuid), Zep.NotFoundError, 404);
    await refused(() => z.graph.node.update(sourceNode.uuid, { name: "mine" }), Zep.NotFoundError, 404);
    await refused(() => z.graph.node.delete(sourceNode.uuid), Zep.NotFoundError, 404);
    await refused(() => z.graph.node.getEdges(sourceNode.uuid), ZepError, 404);
    await refused(() => z.graph.node.getEpisodes(sourceNode.uuid), ZepError, 404);
    await refused(() => z.graph.node.getNeighbors(sourceNode.uuid, {}), Zep.NotFoundError, 404);
    await refused(() => z.graph.episode.get(message), ZepError, 404);
    await refused(() => z.graph.episode.delete(message), Zep.NotFoundError, 404);
    await refused(() => z.graph.episode.getNodesAndEdges(message), ZepError, 404);
    await refused(() => z.thread.message.update(message, { metadata: { mine: true } }), Zep.NotFoundError, 404);
    await refused(() => z.task.get(other.added.taskId), Zep.NotFoundError, 404);
    await refused(() => z.batch.get(other.batch.batchId), Zep.NotFoundError, 404);
    await refused(() => z.batch.add(other.batch.batchId, { items: [{ type: "graph_episode", graphId: "docs", data: "x", dataType: "text" }] }), Zep.NotFoundError, 404);
    const seeds = await z.graph.getSubgraph({ graphId: "docs", seedNodeUuids: [sourceNode.uuid] });
    check.equal(seeds.nodes.length, 0);
}

// Names of groups cannot be smuggled in as ids.
for (const id of ["two:alice", "../two:alice", "two%3Aalice", ":alice", "+3Aalice"]) {
    await refused(() => one.zep.user.get(id), Zep.NotFoundError, 404);
    await refused(() => one.zep.graph.search({ userId: id, query: "Yokohama" }), ZepError, 404);
}

// What one erases the other keeps.
await one.zep.user.delete("alice");
await refused(() => one.zep.thread.get("chat"), Zep.NotFoundError, 404);
check.equal((await two.zep.thread.get("chat")).totalCount, 1);

// A key of some groups works on them, and on nothing that is a project's.
const some = client(process.env.ZEP_KEY_SOME);
check.equal((await some.graph.create({ graphId: "alone" })).graphId, "alone");
check.equal((await some.graph.listAll({})).totalCount, 1);
await refused(() => some.user.add({ userId: "carol" }), ZepError, 403, /some groups/);
await refused(() => some.batch.list(), Zep.ForbiddenError, 403, /namespace/);
await refused(() => some.graph.get("docs"), Zep.NotFoundError, 404);
await refused(() => some.user.get("two:alice"), Zep.NotFoundError, 404);
await refused(() => client("annals_AAAAAAAA_none").user.get("alice"), ZepError, 401);

finish();
