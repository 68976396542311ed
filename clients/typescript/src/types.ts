import type { components, operations } from "./schema.js";

type Schemas = components["schemas"];

/** A time: 2024-03-15, 2024-03-15T09:30:00Z, or a Date. */
export type Time = string | Date;

/** The same fields, with times as programs have them. */
type WithTimes<T> = { [K in keyof T]: K extends "as_of" | "known_at" | "asked_at" | "occurred_at" ? Time : T[K] };

/** What is known about an episode besides its words. */
export type About = WithTimes<Omit<Schemas["NewEpisode"], "content">>;

/** How to search; docs/search.md explains each. */
export type Searching = WithTimes<Omit<Schemas["Query"], "query">>;

/** How to search for a context, and how to put it into words. */
export type Showing = WithTimes<Omit<Schemas["ContextQuery"], "query">>;

/** How to search for an answer, and what to answer from. */
export type Asking = WithTimes<Omit<Schemas["AskingQuery"], "query">>;

/** Which facts to list. */
export type Listing = WithTimes<Omit<NonNullable<operations["list-facts"]["parameters"]["query"]>, "limit" | "cursor">>;

export type Accepted = Schemas["Accepted"];
export type Answer = Schemas["Answer"];
export type BulkReport = Schemas["BulkReport"];
export type Community = Schemas["CommunityHit"];
export type Entity = Schemas["EntityHit"];
export type Episode = Schemas["Episode"];
export type Fact = Schemas["Fact"];
export type Removed = Schemas["Removed"];
export type SearchResult = Schemas["SearchResult"];

/** written has times as JSON has them, and leaves out what is undefined. */
export function written<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], Date> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value])) as never;
}
