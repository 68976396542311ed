// Asking the service: the public REST interface with the reader's own key. Nothing here knows more than it gives everybody.
import { useEffect, useRef, useState } from "preact/hooks";
import { heard } from "./clock";
import { key, signOut } from "./session";

/** Problem is what the service refused, in its own words. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export type Query = Record<string, string | number | boolean | string[] | undefined | null>;

interface Sending {
  body?: unknown;
  query?: Query;
  signal?: AbortSignal;
  /** Of the version that was read: what was changed meanwhile is left alone, and the service says so. */
  tag?: string;
}

/** Tagged is an answer with the tag of its version. */
export interface Tagged<T> {
  data: T;
  tag: string;
}

const patience = 60_000;

/** ask sends a request and gives its answer as it is typed by who calls. */
export async function ask<T>(method: string, path: string, sending: Sending = {}): Promise<T> {
  return (await askTagged<T>(method, path, sending)).data;
}

/** askTagged does the same, and gives the tag of the version too. */
export async function askTagged<T>(method: string, path: string, { body, query, signal, tag }: Sending = {}): Promise<Tagged<T>> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (key()) headers.Authorization = "Bearer " + key();
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (tag) headers["If-Match"] = tag;
  // A search is a POST that changes nothing; what writes is done once, even where the network makes the browser send it again.
  if (method === "POST" && !/\/(search|context|why|sign-in)$/.test(path)) headers["Idempotency-Key"] = unique();
  const limit = AbortSignal.timeout(patience);
  let answer: Response;
  try {
    answer = await fetch(path + written(query), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      credentials: "omit",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, "unreachable", "The service cannot be reached. See whether annals serve still runs, then try again.");
  }
  heard(answer.headers.get("Date"));
  const text = await answer.text();
  const json: unknown = text === "" ? undefined : parse(text);
  if (answer.ok) return { data: json as T, tag: answer.headers.get("ETag") ?? "" };
  if (answer.status === 401 && key() !== "") signOut("The service does not take this key any more. Sign in again to go on here.");
  const told = json as { code?: string; detail?: string; title?: string } | undefined;
  throw new Problem(answer.status, told?.code ?? "", told?.detail || told?.title || `The service answered ${answer.status}.`);
}

// unique is a name that nobody else gives. A page that came by plain HTTP from another machine has no randomUUID.
function unique(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function written(query: Query = {}): string {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) all.append(name, one);
    else if (value !== undefined && value !== null && value !== "") all.set(name, String(value));
  }
  const text = all.toString();
  return text ? "?" + text : "";
}

/** path is the address of something in a group, each part escaped. */
export function path(group: string, ...parts: string[]): string {
  return ["/v1/groups", ...[group, ...parts].map(encodeURIComponent)].join("/");
}

/** get reads something of a group. */
export function get<T>(group: string, parts: string[], query?: Query, signal?: AbortSignal): Promise<T> {
  return ask<T>("GET", path(group, ...parts), { query, signal });
}

// What was changed makes all that is shown ask again.
const changes = new Set<() => void>();

export function memoryChanged(): void {
  for (const listen of [...changes]) listen();
}

export interface Loaded<T> {
  data: T | undefined;
  error: Problem | undefined;
  loading: boolean;
  again: () => void;
}

/** useLoaded asks when what it depends on changes, and again when the memory was changed. What was there stays until the answer. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, depends: readonly unknown[]): Loaded<T> {
  const [state, set] = useState<{ data?: T; error?: Problem; loading: boolean; of: string }>({ loading: true, of: "" });
  const [turn, again] = useState(0);
  const of = JSON.stringify(depends);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const abort = new AbortController();
    set((was) => ({ ...was, loading: true }));
    latest.current(abort.signal).then(
      (data) => !abort.signal.aborted && set({ data, loading: false, of }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const problem = error instanceof Problem ? error : new Problem(0, "internal", String(error));
        set({ error: problem, loading: false, of });
      },
    );
    return () => abort.abort();
  }, [of, turn]);
  useEffect(() => {
    const listen = () => again((n) => n + 1);
    changes.add(listen);
    return () => void changes.delete(listen);
  }, []);
  return { data: state.data, error: state.error, loading: state.loading, again: () => again((n) => n + 1) };
}
