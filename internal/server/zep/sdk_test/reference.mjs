// Runs every example of the client's own reference.md, in a project in which
// there is what the examples name.
import { ZepError } from "@getzep/zep-cloud";
import { readFileSync } from "node:fs";
import { check, client as connect, finish, taskDone } from "./setup.mjs";

const client = connect(process.env.ZEP_API_KEY);
const text = readFileSync(new URL("./node_modules/@getzep/zep-cloud/reference.md", import.meta.url), "utf8");
const examples = [...text.matchAll(/```typescript\n(await client\.([\w.]+)\([\s\S]*?)```/g)].map(([, code, call]) => ({ code, call }));
check.ok(examples.length >= 95, `${examples.length} examples`);

// What is made by an example comes first, and what removes something last.
const makers = ["user.add", "graph.create", "thread.create", "context.createContextTemplate"];
const removers = ["graph.edge.delete", "graph.node.delete", "graph.episode.delete", "thread.delete", "context.deleteContextTemplate", "graph.delete", "user.delete"];
const rank = ({ call }) => (makers.includes(call) ? makers.indexOf(call) - makers.length : removers.indexOf(call) + 1);
examples.sort((a, b) => rank(a) - rank(b));

// What stands in the examples for what only the application knows.
const place = { userId: "user_id", graphId: "graph_id", threadId: "thread_id", order_by: "created_at", source_description: "a note" };
const both = /userId: "user_id",\n\s*graphId: "graph_id",?/;
const needsGraph = ["add", "addBatch", "addFactTriple", "addNodes", "search", "getSubgraph"].map((name) => `graph.${name}`);
const more = {
    "graph.addFactTriple": { sourceNodeName: "Alice", targetNodeName: "Acme" },
    "graph.clone": { sourceGraphId: "graph_id", targetGraphId: "graph_copy" },
    "graph.update": { name: "Renamed" },
    "graph.edge.update": { fact: "Alice works at Acme." },
    "graph.node.update": { summary: "Somebody." },
    "user.update": { firstName: "Alice" },
    "graph.episode.update": {},
};

// prepare makes what no example makes, and tells the ids.
async function prepare() {
    const { messageUuids, taskId } = await client.thread.addMessages("thread_id", { messages: [{ role: "user", name: "Alice", content: "I live in Paris." }] });
    await client.graph.add({ graphId: "graph_id", type: "text", data: "A part of a document.", documentId: "document_id" });
    const triple = await client.graph.addFactTriple({ graphId: "graph_id", fact: "Bob knows Carol.", factName: "KNOWS", sourceNodeName: "Bob", targetNodeName: "Carol" });
    await taskDone(client, taskId);
    const item = { type: "graph_episode", graphId: "graph_id", data: "Dave lives in Oslo.", dataType: "text" };
    const batches = {};
    for (const call of ["add", "process", "delete", "get", "listItems"]) {
        batches[`batch.${call}`] = (await client.batch.create()).batchId;
        await client.batch.add(batches[`batch.${call}`], { items: [item] });
    }
    return {
        batches,
        item,
        task_id: taskId,
        messageUUID: messageUuids[0],
        node_uuid: triple.sourceNode.uuid,
        seed_node_uuids: triple.sourceNode.uuid,
        edge: triple.edge.uuid,
        node: triple.targetNode.uuid,
        episode: messageUuids[0],
    };
}

function filled({ code, call }, ids) {
    const kind = call.split(".")[1];
    code = code.replace(both, call === "graph.listEntityTypes" || call === "graph.listCustomInstructions" ? 'graphId: "graph_id",' : "$&");
    code = code.replaceAll(/"(\w+)"/g, (all, name) => {
        if (name === "uuid") return JSON.stringify(ids?.[kind] ?? name);
        if (name === "batchId") return JSON.stringify(ids.batches[call]);
        return JSON.stringify(place[name] ?? (typeof ids?.[name] === "string" ? ids[name] : name));
    });
    let extra = { ...more[call], ...(needsGraph.includes(call) && { graphId: "graph_id" }) };
    if (call === "batch.add") extra = { items: [ids.item] };
    if (Object.keys(extra).length === 0) return code;
    // the examples end in an object, or in nothing where all of it may be left out
    const json = JSON.stringify(extra).slice(1, -1);
    if (/\}\s*\);\s*$/.test(code)) return code.replace(/,?\s*\}\s*\);\s*$/, (end) => (/\{\s*\}\s*\);\s*$/.test(code) ? "" : ",") + `${json}});`);
    return code.replace(/\(\s*\);\s*$/, `({${json}});`).replace(/"\s*\);\s*$/, `", {${json}});`);
}

const unsupported = /^(userGroup\.|graph\.(detectPatterns|documentSummary|observation)|project\.\w+ObservationSteering)/;
const AsyncFunction = (async () => {}).constructor;
const run = (code) =>
    new AsyncFunction("client", code.replace(/^await client/, "return client"))(client).then(
        (answer) => ({ answer }),
        (error) => ({ error }),
    );

await Promise.all(
    examples
        .filter(({ call }) => unsupported.test(call))
        .map(async ({ code }) => {
            const { error } = await run(code);
            check.ok(error instanceof ZepError && error.statusCode === 405, `${code}: ${error}`);
            check.match(error.body.message, /\/api\/v2\//);
        }),
);
let ids;
let ran = 0;
for (const example of examples.filter(({ call }) => !unsupported.test(call))) {
    if (rank(example) >= 0) ids ??= await prepare();
    const code = filled(example, ids);
    const { answer, error } = await run(code);
    check.ok(!error, `${code}: ${error}`);
    check.ok(answer !== undefined, code);
    ran++;
}
check.ok(ran >= 70, `${ran} examples ran`);
console.log(`${ran} examples ran`);
finish();
