import type { components } from "./schema.js";

/** What kind of problem it is, for programs. */
export type Code =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "precondition_failed"
  | "too_large"
  | "rate_limited"
  | "unavailable"
  | "internal"
  | (string & {});

/** What is wrong with one input. */
export interface Fault {
  message: string;
  field: string;
}

/** A request that was not done. The message says what happened and what to do. */
export class AnnalsError extends Error {
  override name = "AnnalsError";

  constructor(
    message: string,
    readonly code: Code,
    /** The HTTP status; 0: there was no answer. */
    readonly status: number = 0,
    /** What is wrong with which input. */
    readonly faults: Fault[] = [],
    /** How many seconds to wait before it is sent again, where the service says so. */
    readonly retryAfter?: number,
    /** Stands in the log of the service. */
    readonly requestId?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The first input at fault, as in limit or line[4].content. */
  get field(): string | undefined {
    return this.faults[0]?.field;
  }
}

/** An episode is stored, but could not be read into the graph, or not in time. */
export class NotRead extends AnnalsError {
  override name = "NotRead";
}

/** errorOf is the error of an answer that is a problem document (RFC 9457), or of what a proxy said instead. */
export async function errorOf(answer: Response): Promise<AnnalsError> {
  const problem = await problemOf(answer);
  const faults = (problem.errors ?? []).map(({ message, location }) => ({ message, field: place(location ?? "") }));
  const advice = problem.detail ?? problem.title;
  const told = faults.filter(({ message }) => !advice.includes(message)).map(({ message, field }) => `${field}: ${message}`);
  const wait = Number(answer.headers.get("Retry-After") ?? NaN);
  return new AnnalsError(
    [advice, ...told].join("; "),
    problem.code,
    answer.status,
    faults,
    Number.isNaN(wait) ? undefined : wait,
    answer.headers.get("X-Request-Id") ?? undefined,
  );
}

async function problemOf(answer: Response): Promise<components["schemas"]["Problem"]> {
  try {
    const said = JSON.parse(await answer.text());
    if (typeof said.code === "string") return said;
  } catch {
    // It is no JSON.
  }
  const detail = `${answer.url} answers ${answer.status} ${answer.statusText}; is it the address of Annals?`;
  return { code: "", detail, status: answer.status, title: answer.statusText };
}

/** place names a field without the part of the request that it stands in: limit for body.limit. */
function place(location: string): string {
  return location.slice(location.indexOf(".") + 1);
}
