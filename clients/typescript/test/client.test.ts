// The tests run against a service that Go's tests start: go test ./clients.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSocket, type AddressInfo, type Server } from "node:net";
import { test, type TestContext } from "node:test";
import {
  Annals,
  AnnalsError,
  Changed,
  Conflict,
  Forbidden,
  InvalidInput,
  NotFound,
  NotRead,
  RateLimited,
  ServiceFailed,
  TooLarge,
  Unauthorized,
  Unavailable,
  type Fact,
} from "annalsdb";

const url = process.env.ANNALS_URL!;
const limited = process.env.ANNALS_LIMITED_URL!; // two requests a second, four at once

const question = "Where does Alice live?";
const paris = { actor: "Alice", occurred_at: "2023-01-10", wait: 60 };
const lisbon = { actor: "Alice", occurred_at: new Date("2024-03-15"), wait: 60 };

function fresh(options: ConstructorParameters<typeof Annals>[0] = {}): Annals {
  return new Annals({ group: `test-${randomUUID()}`, ...options });
}

async function all(facts: AsyncIterable<Fact>): Promise<string[]> {
  const found: string[] = [];
  for await (const fact of facts) found.push(fact.fact);
  return found;
}

async function refused(promise: Promise<unknown>): Promise<AnnalsError> {
  const error = await promise.then(() => undefined, (error: unknown) => error);
  assert(error instanceof AnnalsError, `it is refused by ${String(error)}`);
  return error;
}

test("what is added is found at every time", async () => {
  const memory = fresh();
  await memory.add("I live in Paris.", paris);
  const added = await memory.add("I moved to Lisbon last week.", lisbon);
  assert.deepEqual([added.new, added.state], [true, "done"]);
  const found = await memory.search(question, { scopes: ["fact", "episode"], limit: 5 });
  assert.deepEqual(found.facts.map((fact) => fact.fact), ["Alice moved to Lisbon last week."]);
  assert.equal(found.facts[0]?.valid_at, "2024-03-04T00:00:00Z");
  assert.equal(found.episodes.length, 2);
  const then = memory.asOf("2023-06-01");
  assert.deepEqual((await then.search(question)).facts.map((fact) => fact.fact), ["Alice lives in Paris."]);
  assert.match(await memory.context(question), /Lisbon/);
  assert.match(await then.context(question, { tokens: 200 }), /Alice lives in Paris/);
  const answer = await memory.ask(question, { schema: { type: "object", properties: { moved_to: { type: "string" } } } });
  assert.equal(answer.form, "answer");
  assert.match(answer.text, /Lisbon/);
  assert.equal(answer.sentences[0]?.cites[0]?.kind, "fact");
  assert.match((await then.ask(question)).text, /Alice lives in Paris/);
  assert.deepEqual(await all(memory.facts()), ["Alice lives in Paris.", "Alice moved to Lisbon last week."]);
  assert.deepEqual(await all(then.facts({ entity: "Alice" })), ["Alice lives in Paris."]);
  assert.deepEqual(await all(memory.asOf(undefined, { knownAt: new Date(0) }).facts()), []);
  const undone = await memory.undo(added.id);
  assert.equal(undone.undone?.episodes, 1);
  assert.deepEqual(await all(memory.facts()), ["Alice lives in Paris."]);
});

test("a filter narrows a search", async () => {
  const memory = fresh();
  await memory.add("The invoice is paid.", { metadata: { page: 3 }, wait: 60 });
  await memory.add("The invoice is lost.", { metadata: { page: 4 }, wait: 60 });
  const found = await memory.search("invoice", { filter: { metadata: { path: ["page"], op: "gt", value: 3 } } });
  assert.deepEqual(found.episodes.map((episode) => episode.content), ["The invoice is lost."]);
});

test("many are added at once, and once", async () => {
  const memory = fresh();
  const lines = Array.from({ length: 1200 }, (_, n) => ({ content: `Line ${n}.`, occurred_at: "2024-01-01" }));
  const first = await memory.addAll(lines, { idempotencyKey: "lines" });
  const again = await memory.addAll(lines, { idempotencyKey: "lines" });
  assert.deepEqual([first.added, again.added, again.existing], [1200, 0, 1200]);
});

test("a word of one's own makes a request be done once", async () => {
  const memory = fresh();
  const first = await memory.add("I like tea.", { idempotencyKey: "tea" });
  assert.equal((await memory.add("I like tea.", { idempotencyKey: "tea" })).id, first.id);
  assert.notEqual((await memory.add("I like tea.")).id, first.id);
  assert.match((await refused(memory.add("I like coffee.", { idempotencyKey: "tea" }))).message, /Idempotency-Key/);
});

test("waiting ends", async () => {
  const memory = fresh();
  const kept = await memory.add("Nobody reads this.", { deferred: true });
  await assert.rejects(memory.wait(kept.id, { timeout: 0.2 }), NotRead);
});

test("routes without a method are there too", async () => {
  const memory = fresh();
  await memory.add("I live in Paris.", { ...paris, group: "routes" });
  const { data } = await memory.rest.GET("/v1/groups/{group}/entities", { params: { path: { group: "routes" } } });
  assert.deepEqual(data?.entities.map((entity) => entity.name).sort(), ["Alice", "Paris"]);
  await assert.rejects(new Annals().search("tea"), /group: "alice"/);
});

test("a refusal names the field and what to do", async () => {
  const memory = fresh();
  let error = await refused(memory.search("x", { limit: 5000 }));
  assert.deepEqual([error.field, error.status, error.code], ["limit", 422, "invalid"]);
  assert.match(error.message, /limit: .*1000/);
  assert(error.requestId);
  error = await refused(memory.asOf("soon").context("x"));
  assert.equal(error.field, "as_of");
  assert.match(error.message, /write 2024-03-15/);
  error = await refused(memory.addAll([{ content: "Fine." }, { content: "" }]));
  assert.equal(error.field, "line[2].content");
  error = await refused(fresh({ apiKey: "a-wrong-key-of-some-length" }).search("x"));
  assert.deepEqual([error.code, error.status], ["unauthorized", 401]);
});

test("too many requests wait as the service says", async () => {
  const patient = fresh({ baseUrl: limited });
  const began = Date.now();
  for (let n = 0; n < 6; n++) await patient.add(`Message ${n}.`);
  assert(Date.now() - began > 900, "nobody had to wait");
  const hasty = fresh({ baseUrl: limited, retries: 0 });
  const error = await refused(Promise.all(Array.from({ length: 8 }, (_, n) => hasty.add(`Message ${n}.`))));
  assert.equal(error.code, "rate_limited");
  assert(error.retryAfter! >= 1);
});

/** Serves until the test ends. */
async function serving(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return listening(server);
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return text;
}

test("what is sent again is done once", async (t) => {
  // It passes requests on and loses the first answer to each, as a proxy that is restarted.
  let sent = 0;
  const baseUrl = await serving(t, async (request, response) => {
    const { authorization = "", "content-type": type = "", "idempotency-key": key = "" } = request.headers;
    const headers = { Authorization: authorization, "Content-Type": type, "Idempotency-Key": String(key) };
    const answer = await fetch(url + request.url, { method: "POST", headers, body: await bodyOf(request) });
    if (sent++ % 2 === 0) return void request.socket.destroy();
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("Content-Type")! }).end(await answer.text());
  });
  const group = `test-${randomUUID()}`;
  const memory = new Annals({ group, baseUrl });
  await memory.add("I like tea.");
  await memory.addAll([{ content: "I like water." }]);
  assert.equal(sent, 4);
  const found = await new Annals({ group }).search("I like", { scopes: ["episode"], min_fit: -1 });
  assert.equal(found.episodes.length, 2);
});

test("what is no Annals is told apart", async (t) => {
  const baseUrl = await serving(t, (_request, response) => void response.writeHead(404).end("<html>Nothing here</html>"));
  const error = await refused(fresh({ baseUrl }).search("x"));
  assert.match(error.message, /is it the address of Annals/);
});

test("a service that is not there or does not answer", async (t) => {
  const silent = createSocket();
  t.after(() => silent.close());
  const baseUrl = await listening(silent);
  let error = await refused(fresh({ baseUrl, timeout: 0.2, retries: 0 }).search("x"));
  assert.match(error.message, /takes too long/);
  error = await refused(fresh({ baseUrl: "http://127.0.0.1:1", retries: 0 }).search("x"));
  assert.match(error.message, /annals serve/);
  assert.equal(error.code, "unavailable");
});

test("each kind of refusal has a class of its own", async (t) => {
  let status = 0;
  const baseUrl = await serving(t, (_request, response) => {
    response.writeHead(status, { "Content-Type": "application/problem+json" });
    response.end(JSON.stringify({ code: "c", title: "t", detail: "d", status }));
  });
  const kinds = { 400: InvalidInput, 401: Unauthorized, 403: Forbidden, 404: NotFound, 409: Conflict, 412: Changed, 413: TooLarge, 422: InvalidInput, 429: RateLimited, 500: ServiceFailed, 503: Unavailable };
  for (const [code, kind] of Object.entries(kinds)) {
    status = Number(code);
    const error = await refused(fresh({ baseUrl, retries: 0 }).search("x"));
    assert(error instanceof kind && error.name === kind.name && error.status === status, `${code} is ${error.name}`);
  }
  const gone = await refused(fresh({ baseUrl: "http://127.0.0.1:1", retries: 0 }).search("x"));
  assert(gone instanceof Unavailable);
});
