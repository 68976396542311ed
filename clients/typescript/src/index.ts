/**
 * Long-term memory for AI agents: the client of Annals.
 *
 *     const memory = new Annals({ group: "alice" });
 *     await memory.add("I moved to Lisbon last week.", { actor: "Alice", wait: 60 });
 *     console.log(await memory.context("Where does Alice live?"));
 */
export { Annals, type Moment, type Options } from "./annals.js";
export {
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
  type Code,
  type Fault,
} from "./errors.js";
export type {
  About,
  Accepted,
  Answer,
  Asking,
  BulkReport,
  Community,
  Entity,
  Episode,
  Fact,
  Listing,
  Removed,
  SearchResult,
  Searching,
  Showing,
  Time,
} from "./types.js";
export type { components, paths } from "./schema.js";
