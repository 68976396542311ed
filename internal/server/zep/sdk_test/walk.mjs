// Calls every method of the client with made-up arguments, against nothing, and
// prints for each which request it makes: a JSON object a line. The client is that of
// version 3, or the package that ZEP_CLIENT names.
const { ZepClient } = await import(process.env.ZEP_CLIENT ?? "@getzep/zep-cloud");

let seen;
const zep = new ZepClient({
    apiKey: "key",
    baseUrl: "http://zep.invalid",
    fetcher: async (request) => {
        seen = { method: request.method, path: new URL(request.url).pathname.replace(/^\/api\/v2/, "") };
        return { ok: false, error: { reason: "unknown", errorMessage: "nobody is there" }, rawResponse: {} };
    },
});

// what has every field that some method demands.
const what = {
    projectId: "p", userId: "u", graphId: "g", threadId: "t", templateId: "x", template: "x", query: "x", data: "x", type: "text", name: "x",
    fact: "x", factName: "X", pageNumber: 1, pageSize: 1, expectedVersion: 1, policySetUuid: "x", metadata: {}, body: { userUuids: [] },
    items: [], sessionId: "s", sessionIds: [], groupId: "g", text: "x", targetNodeName: "x", classes: [], facts: [], lastN: 1, modelSchema: "{}", episodes: [], instructions: [], nodes: [], messages: [], seedNodeUuids: [],
};

async function request(resource, name) {
    for (const args of [["ANY", "ANY", what], ["ANY", what], [what], [{}, {}], ["ANY", []], ["ANY", {}, what]]) {
        seen = undefined;
        try {
            await resource[name](...args);
        } catch {
            // it is not answered, or takes other arguments
        }
        if (seen && !/undefined|object/.test(seen.path)) return seen;
    }
    return { method: "?", path: "?" };
}

async function walk(resource, path) {
    const prototypes = [];
    for (let p = Object.getPrototypeOf(resource); p && p !== Object.prototype; p = Object.getPrototypeOf(p)) prototypes.push(p);
    const done = new Set();
    for (const p of prototypes) {
        for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(p))) {
            if (name === "constructor" || name.startsWith("_") || done.has(name)) continue;
            done.add(name);
            if (get) await walk(resource[name], [...path, name]);
            else if (typeof value === "function") console.log(JSON.stringify({ call: [...path, name].join("."), ...(await request(resource, name)) }));
        }
    }
}

await walk(zep, []);
