import ky, { HTTPError, TimeoutError, type AfterResponseHook } from "ky";
import createClient, { type Client } from "openapi-fetch";
import { Unavailable, errorOf } from "./errors.js";
import type { paths } from "./schema.js";

/** Reading asks by POST too. Nothing is kept of it, so it needs no key. */
const reading = /\/(search|context)$/;

/** connect makes a client that sends a key, gives up in time, and sends again where that may help. */
export function connect(baseUrl: string, apiKey: string | undefined, seconds: number, retries: number): Client<paths> {
  const send = ky.create({
    timeout: seconds * 1000,
    retry: {
      limit: retries,
      methods: ["get", "head", "options", "put", "post", "patch", "delete"],
      statusCodes: [429, 502, 503, 504],
      afterStatusCodes: [429, 503],
      maxRetryAfter: 30_000,
      backoffLimit: 30_000,
      jitter: true,
    },
    hooks: { afterResponse: [comeAgain] },
  });
  const client = createClient<paths>({
    baseUrl,
    headers: apiKey ? { Authorization: `Bearer ${apiKey}` } : {},
    fetch: async (request) => {
      try {
        return await send(request);
      } catch (error) {
        throw await explained(baseUrl, error);
      }
    },
  });
  client.use({ onRequest: ({ request }) => doOnce(request) });
  return client;
}

/** comeAgain has a request repeated whose first sending is still being worked on. */
const comeAgain: AfterResponseHook = (_request, _options, answer) => {
  const wait = answer.headers.get("Retry-After");
  return answer.status === 409 && wait ? ky.retry({ delay: Number(wait) * 1000 }) : undefined;
};

/** doOnce gives a POST a word of its own, so that it is done once however often it is sent. */
function doOnce(request: Request): void {
  if (request.method === "POST" && !reading.test(new URL(request.url).pathname) && !request.headers.has("Idempotency-Key")) {
    request.headers.set("Idempotency-Key", crypto.randomUUID());
  }
}

/** explained says in our words what went wrong. */
async function explained(baseUrl: string, error: unknown): Promise<unknown> {
  if (error instanceof HTTPError) return errorOf(error.response);
  const late = error instanceof TimeoutError;
  if (!late && !(error instanceof TypeError)) return error;
  const why = error.cause instanceof Error ? error.cause.message || (error.cause as { code?: string }).code : error.message;
  const what = late ? "takes too long to answer" : `cannot be reached: ${why}`;
  const advice = `${baseUrl} ${what}; is \`annals serve\` running there?`;
  return new Unavailable(advice, "unavailable", 0, [], undefined, undefined, { cause: error });
}
