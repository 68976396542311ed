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

/** The input breaks a rule; faults has each input and its limit. */
export class InvalidInput extends AnnalsError {
  override name = "InvalidInput";
}

/** The key is missing, wrong, expired or revoked. */
export class Unauthorized extends AnnalsError {
  override name = "Unauthorized";
}

/** The key has not the right to do this. */
export class Forbidden extends AnnalsError {
  override name = "Forbidden";
}

/** It is not there, or the key does not open it. */
export class NotFound extends AnnalsError {
  override name = "NotFound";
}

/** What is stored forbids it. */
export class Conflict extends AnnalsError {
  override name = "Conflict";
}

/** It was changed since it was read. */
export class Changed extends AnnalsError {
  override name = "Changed";
}

/** The body is over a limit. */
export class TooLarge extends AnnalsError {
  override name = "TooLarge";
}

/** The key makes more requests than it may, also after waiting as the service said. */
export class RateLimited extends AnnalsError {
  override name = "RateLimited";
}

/** The service or its database cannot be reached, also after trying again. */
export class Unavailable extends AnnalsError {
  override name = "Unavailable";
}

/** A defect of the service; its log has the request's id and what. */
export class ServiceFailed extends AnnalsError {
  override name = "ServiceFailed";
}

/** An episode is stored, but could not be read into the graph, or not in time. */
export class NotRead extends AnnalsError {
  override name = "NotRead";
}

/** The class of an answer by its status, as in the client for Python. */
const kinds: Record<number, typeof AnnalsError> = {
  400: InvalidInput,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  412: Changed,
  413: TooLarge,
  422: InvalidInput,
  429: RateLimited,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
};

/** errorOf is the error of an answer that is a problem document (RFC 9457), or of what a proxy said instead. */
export async function errorOf(answer: Response): Promise<AnnalsError> {
  const problem = await problemOf(answer);
  const faults = (problem.errors ?? []).map(({ message, location }) => ({ message, field: place(location ?? "") }));
  const advice = problem.detail ?? problem.title;
  const told = faults.filter(({ message }) => !advice.includes(message)).map(({ message, field }) => `${field}: ${message}`);
  const wait = Number(answer.headers.get("Retry-After") ?? NaN);
  const kind = kinds[answer.status] ?? (answer.status >= 500 ? ServiceFailed : AnnalsError);
  return new kind(
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
