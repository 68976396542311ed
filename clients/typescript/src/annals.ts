import type { Client } from "openapi-fetch";
import { NotRead } from "./errors.js";
import type { paths } from "./schema.js";
import { connect } from "./transport.js";
import type {
  About,
  Accepted,
  Answer,
  Asking,
  BulkReport,
  Episode,
  Fact,
  Listing,
  Removed,
  SearchResult,
  Searching,
  Showing,
  Time,
} from "./types.js";
import { written } from "./types.js";

/** How to reach a memory. */
export interface Options {
  /** Defaults to ANNALS_URL of the environment, else http://127.0.0.1:8080. */
  baseUrl?: string;
  /** Defaults to ANNALS_API_KEY of the environment. */
  apiKey?: string;
  /** The memory that is meant where a call names no other. */
  group?: string;
  /** Seconds that a call may take, with all its repetitions. Defaults to 60. */
  timeout?: number;
  /** How often a request is sent again that was refused for the moment or got no answer. Defaults to 3. */
  retries?: number;
}

/** Names another memory than that of the client. */
interface InGroup {
  group?: string;
}

/** What can be asked about a time. */
export type Moment = Pick<Annals, "search" | "context" | "ask" | "facts">;

const page = 500;

/**
 * A memory behind `annals serve`.
 *
 * A request that is refused for the moment is sent again as the service says in Retry-After; nothing is done twice by
 * that. What is refused for good rejects with an AnnalsError. `rest` is for the routes that have no method here: it
 * has the types of all of them.
 */
export class Annals {
  readonly rest: Client<paths>;
  private readonly group: string | undefined;
  private times: { as_of?: Time; known_at?: Time } = {};

  constructor(options: Options = {}) {
    const env = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env ?? {};
    const { baseUrl = env.ANNALS_URL || "http://127.0.0.1:8080", apiKey = env.ANNALS_API_KEY, timeout = 60, retries = 3 } = options;
    this.group = options.group;
    this.rest = connect(baseUrl.replace(/\/+$/, ""), apiKey, timeout, retries);
  }

  /**
   * Adds what was said or written. It is stored when this resolves, and read into the graph soon after; with `wait`
   * it resolves once it was read, or rejects with NotRead after so many seconds. The same `idempotencyKey` within a
   * day adds nothing again; without one the client makes one for its own repetitions.
   */
  async add(content: string, about: About & InGroup & { idempotencyKey?: string; wait?: number } = {}): Promise<Accepted> {
    const { group, idempotencyKey, wait, ...rest } = about;
    const { data } = await this.rest.POST("/v1/groups/{group}/episodes", {
      params: { path: this.in(group), header: once(idempotencyKey) },
      body: written({ content, ...rest }),
    });
    const added = data as Accepted;
    if (wait === undefined) return added;
    const { state } = await this.wait(added.id, { group, timeout: wait });
    return { ...added, state: state as Accepted["state"] };
  }

  /** Adds many. */
  async addAll(episodes: Iterable<About & { content: string }>, options: InGroup & { idempotencyKey?: string } = {}): Promise<BulkReport> {
    const lines = Array.from(episodes, (episode) => `${JSON.stringify(written(episode))}\n`).join("");
    const { data } = await this.rest.POST("/v1/groups/{group}/episodes", {
      params: { path: this.in(options.group), header: once(options.idempotencyKey) },
      headers: { "Content-Type": "application/x-ndjson" },
      body: lines as never, // the type knows the first of the two forms
      bodySerializer: (body) => body,
    });
    return data as BulkReport;
  }

  /** Gets an episode and how far it has come. */
  async episode(id: string, options: InGroup = {}): Promise<Episode> {
    const { data } = await this.rest.GET("/v1/groups/{group}/episodes/{episode}", {
      params: { path: { ...this.in(options.group), episode: id } },
    });
    return data!;
  }

  /** Waits until an episode was read, asking every `pause` seconds. */
  async wait(id: string, options: InGroup & { timeout?: number; pause?: number } = {}): Promise<Episode> {
    const { group, timeout = 60, pause = 0.1 } = options;
    for (const end = Date.now() + timeout * 1000; ; await sleep(pause)) {
      const episode = await this.episode(id, { group });
      if (episode.state === "failed") throw new NotRead(`the episode is stored, but was not read: ${episode.error}`, "failed");
      if (episode.state !== "pending" && episode.state !== "processing") return episode;
      if (Date.now() >= end) {
        throw new NotRead("the episode is stored, but not read yet; wait longer, or look whether the service has workers", "not_yet");
      }
    }
  }

  /** Finds facts, entities, episodes and communities, the best of each first. */
  async search(query: string, settings: Searching & InGroup = {}): Promise<SearchResult> {
    const { group, ...rest } = settings;
    const { data } = await this.rest.POST("/v1/groups/{group}/search", {
      params: { path: this.in(group) },
      body: written({ query, ...this.times, ...rest }),
    });
    return data!;
  }

  /** Puts what is relevant into words for a model's prompt. */
  async context(query: string, settings: Showing & InGroup = {}): Promise<string> {
    const { group, ...rest } = settings;
    const { data } = await this.rest.POST("/v1/groups/{group}/context", {
      params: { path: this.in(group) },
      body: written({ query, ...this.times, ...rest }),
    });
    return data!.context;
  }

  /** Answers a question from what the memory has, each sentence with what it rests on. */
  async ask(query: string, settings: Asking & InGroup = {}): Promise<Answer> {
    const { group, ...rest } = settings;
    const { data } = await this.rest.POST("/v1/groups/{group}/ask", {
      params: { path: this.in(group) },
      body: written({ query, ...this.times, ...rest }),
    });
    return data!;
  }

  /** Lists facts in the order in which they began to hold, page by page. */
  async *facts(settings: Listing & InGroup = {}): AsyncGenerator<Fact, void, undefined> {
    const { group, ...rest } = settings;
    for (let cursor: string | undefined; ; ) {
      const { data } = await this.rest.GET("/v1/groups/{group}/facts", {
        params: { path: this.in(group), query: { limit: page, cursor, ...written({ ...this.times, ...rest }) } },
      });
      yield* data!.facts;
      cursor = data!.next_cursor;
      if (!cursor) return;
    }
  }

  /** Takes an episode back: the group believes what it would without it. */
  async undo(id: string, options: InGroup = {}): Promise<Removed> {
    const { data } = await this.rest.DELETE("/v1/groups/{group}/episodes/{episode}", {
      params: { path: { ...this.in(options.group), episode: id } },
    });
    return data!;
  }

  /** The memory as of another time: of the world, or of what was believed. */
  asOf(time?: Time, options: { knownAt?: Time } = {}): Moment {
    const then = Object.create(this) as Annals;
    then.times = { ...this.times, ...(time && { as_of: time }), ...(options.knownAt && { known_at: options.knownAt }) };
    return then;
  }

  private in(group: string | undefined): { group: string } {
    const found = group ?? this.group;
    if (!found) throw new TypeError('say which memory is meant: new Annals({ group: "alice" }), or { group: "alice" } with the request');
    return { group: found };
  }
}

function once(key: string | undefined): { "Idempotency-Key"?: string } {
  return key === undefined ? {} : { "Idempotency-Key": key };
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
