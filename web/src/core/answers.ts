// What the service answers, as its OpenAPI document has it; the rest is narrowed to what the pages use.
import type { components } from "../../../clients/typescript/src/schema";

type Schemas = components["schemas"];

export type Group = Schemas["Group"];
export type GroupDetails = Schemas["GroupDetails"];
export type Fact = Schemas["Fact"];
export type Entity = Schemas["Entity"];
export type EntityVersion = Schemas["EntityVersion"];
export type Episode = Schemas["Episode"];
export type Marks = NonNullable<Fact["marks"]>;
export type SearchResult = Schemas["SearchResult"];
export type Placed = Schemas["Placed"];
export type Thread = Schemas["Thread"];
export type Agent = Schemas["Agent"];
export type Fill = Schemas["Fill"];
export type Block = Schemas["Block"];
export type Message = Schemas["Message"];
export type Usage = Schemas["Usage"];
export type Reviewed = Schemas["Reviewed"];
export type Bringer = Schemas["Bringer"];
export type Rejection = Schemas["Rejection"];
export type Trace = Schemas["Trace"];
export type Undone = Schemas["Undone"];
export type Certificate = Schemas["Certificate"];
export type Membership = Schemas["Membership"];
export type Lane = Schemas["Lane"];
export type Lanes = Schemas["Lanes"];
export type Bar = Schemas["Bar"];
export type Bound = Schemas["Bound"];

export interface WhoAmI {
  key: string;
  rights: "read" | "write" | "erase";
  authority: string;
  all_groups: boolean;
  groups: string[] | null;
  version: string;
  reader: string;
  reads_with_model: boolean;
  embedder: string;
}

export interface Overview {
  episodes: number;
  waiting: number;
  failed: number;
  entities: number;
  facts: number;
  facts_ended: number;
  events: number;
  former_versions: number;
  agents: number;
  communities: number;
  threads: number;
  rejections: number;
  first_said?: string | null;
  last_said?: string | null;
  first_known?: string | null;
  last_known?: string | null;
  speakers: { actor: string; role: string; episodes: number; first_at: string; last_at: string }[];
  salient: { id: string; name: string; salience: number; mentions: number }[];
}

type Column = (number | null)[];

export interface GraphColumns {
  partial: boolean;
  facts_total: number;
  entities_total: number;
  entities: {
    id: string[];
    name: string[];
    labels: (string[] | null)[];
    salience: number[];
    mentions: number[];
    community: number[];
    known_from: Column;
    known_until: Column;
    names: { entity: number; until: number; name: string }[] | null;
  };
  communities: { id: string; name: string; members: number }[];
  predicates: string[];
  facts: {
    id: string[];
    source: number[];
    target: number[];
    predicate: number[];
    told: string[];
    kind: string[];
    valid_from: Column;
    valid_until: Column;
    from_basis: string[];
    from_precision: string[];
    until_basis: string[];
    until_precision: string[];
    known_from: Column;
    known_until: Column;
    said_at: Column;
    disputed: boolean[];
  };
  valid: { from: number | null; until: number | null };
  known: { from: number | null; until: number | null };
}

export interface AxisTimes {
  first?: string | null;
  last?: string | null;
  /** false: each mark stands for about equally many changes between at and until. */
  complete: boolean;
  marks: { at: string; until?: string; facts: number }[] | null;
}

export interface Times {
  valid: AxisTimes;
  known: AxisTimes;
}

export interface Decision extends Trace {
  episode_id?: string | null;
}

export interface Edit {
  edited_at?: string;
  action: string;
  door: string;
  written_by?: string;
  authority: string;
}

export interface FactVersion extends Fact {
  current: boolean;
  caused_by: string[];
  ended_by: string[];
  edit?: Edit | null;
}

export interface FactTrace {
  fact: Fact;
  current: boolean;
  /** Left out: it is believed no longer. */
  authority?: string;
  versions: FactVersion[];
  episodes: { episode: Episode; role: string; sentence: string }[];
  decisions: Decision[];
  bounded_by?: Fact | null;
  disputed_by?: Fact[] | null;
  rejections: Rejection[] | null;
}

export interface EntityTrace {
  /** Left out: nothing is noted about it. */
  marks?: Marks | null;
  decisions: Decision[];
  edits: Edit[];
}

export interface Learned {
  learned: {
    episode_id: string;
    facts: (Fact & { role: string; current: boolean })[];
    entities: { id: string; name: string }[];
  }[];
}

export interface Why {
  expected: {
    id: string;
    kind: string;
    text: string;
    found: boolean;
    rank: number;
    score: number;
    places: Record<string, Placed> | null;
    reasons: { code: string; text: string }[];
  }[];
}

export interface Preview {
  undone?: Undone | null;
  preview: WouldGo;
}

export interface WouldGo {
  dry_run: boolean;
  facts: { change: string; before?: Fact | null; after?: Fact | null }[] | null;
  entities: { change: string; before?: Entity | null; after?: Entity | null }[] | null;
  removed?: { table: string; rows: number }[] | null;
}

export interface Waiting {
  pending: number;
  processing: number;
  failed: number;
  deferred: number;
  /** When the oldest that waits came; null: none does. */
  oldest: string | null;
}

export interface Queues {
  groups: (Waiting & { group_id: string })[] | null;
}
