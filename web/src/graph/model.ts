// The graph as columns: entities, and lines between them. A line is a fact between two entities; where a merge moved a fact to
// another entity, the versions before and after are two lines.
import type { GraphColumns } from "../core/answers";
import type { Versions } from "../time/intervals";
import type { Known } from "../time/phrase";

export interface Entities {
  id: string[];
  name: string[];
  labels: string[][];
  salience: Float64Array;
  mentions: Float64Array;
  community: Int32Array;
  knownFrom: Float64Array;
  knownUntil: Float64Array;
  /** Former names of those that had others: until when each was in use, in order. */
  names: Map<number, { until: number; name: string }[]>;
}

export interface Lines {
  /** The fact of each line. */
  id: string[];
  source: Int32Array;
  target: Int32Array;
}

/** What a version says, by its place among the versions. */
export interface Sentences {
  predicate: string[];
  told: string[];
  from: Known[];
  until: Known[];
  disputed: boolean[];
}

export interface Model {
  partial: boolean;
  factsTotal: number;
  entitiesTotal: number;
  entities: Entities;
  lines: Lines;
  versions: Versions;
  says: Sentences;
  communities: GraphColumns["communities"];
  place: Map<string, number>;
  /** The lines of each entity. */
  around: number[][];
}

const open = (at: number | null, otherwise: number) => (at === null ? otherwise : at);

/** modelOf puts answers together: the first, and what was asked for around entities since. */
export function modelOf(answers: GraphColumns[]): Model {
  const place = new Map<string, number>();
  const communities: GraphColumns["communities"] = [];
  const entities = entitiesOf(answers, place, communities);
  const lines: { id: string[]; source: number[]; target: number[] } = { id: [], source: [], target: [] };
  const rows: { line: number; from: GraphColumns; row: number }[] = [];
  const lineOf = new Map<string, number>();
  const seen = new Set<string>();
  for (const from of answers) {
    const f = from.facts;
    for (let row = 0; row < f.id.length; row++) {
      const source = place.get(from.entities.id[f.source[row]])!;
      const target = place.get(from.entities.id[f.target[row]])!;
      const key = f.id[row] + " " + source + " " + target;
      let line = lineOf.get(key);
      if (line === undefined) {
        line = lines.id.length;
        lineOf.set(key, line);
        lines.id.push(f.id[row]);
        lines.source.push(source);
        lines.target.push(target);
      }
      const version = key + " " + f.known_from[row];
      if (answers.length > 1) {
        if (seen.has(version)) continue;
        seen.add(version);
      }
      rows.push({ line, from, row });
    }
  }
  const around: number[][] = entities.id.map(() => []);
  lines.id.forEach((_, line) => {
    around[lines.source[line]].push(line);
    if (lines.target[line] !== lines.source[line]) around[lines.target[line]].push(line);
  });
  return {
    partial: answers[0].partial,
    factsTotal: answers[0].facts_total,
    entitiesTotal: answers[0].entities_total,
    entities,
    lines: { id: lines.id, source: Int32Array.from(lines.source), target: Int32Array.from(lines.target) },
    communities,
    place,
    around,
    ...versionsOf(rows, lines.id.length),
  };
}

function entitiesOf(answers: GraphColumns[], place: Map<string, number>, communities: GraphColumns["communities"]): Entities {
  const id: string[] = [];
  const name: string[] = [];
  const labels: string[][] = [];
  const columns: Record<"salience" | "mentions" | "community" | "from" | "until", number[]> = { salience: [], mentions: [], community: [], from: [], until: [] };
  const names: Entities["names"] = new Map();
  const communityOf = new Map<string, number>();
  for (const { entities: e, communities: own } of answers) {
    const moved = own.map((one) => {
      if (!communityOf.has(one.id)) {
        communityOf.set(one.id, communities.length);
        communities.push(one);
      }
      return communityOf.get(one.id)!;
    });
    for (let i = 0; i < e.id.length; i++) {
      if (place.has(e.id[i])) continue;
      place.set(e.id[i], id.length);
      id.push(e.id[i]);
      name.push(e.name[i]);
      labels.push(e.labels[i] ?? []);
      columns.salience.push(e.salience[i]);
      columns.mentions.push(e.mentions[i]);
      columns.community.push(e.community[i] < 0 ? -1 : moved[e.community[i]]);
      columns.from.push(open(e.known_from[i], -Infinity));
      columns.until.push(open(e.known_until[i], Infinity));
    }
    for (const former of e.names ?? []) {
      const at = place.get(e.id[former.entity])!;
      const list = names.get(at) ?? [];
      if (!list.some((one) => one.until === former.until)) list.push({ until: former.until, name: former.name });
      names.set(at, list.sort((a, b) => a.until - b.until));
    }
  }
  return {
    id,
    name,
    labels,
    salience: Float64Array.from(columns.salience),
    mentions: Float64Array.from(columns.mentions),
    community: Int32Array.from(columns.community),
    knownFrom: Float64Array.from(columns.from),
    knownUntil: Float64Array.from(columns.until),
    names,
  };
}

function versionsOf(rows: { line: number; from: GraphColumns; row: number }[], lines: number): { versions: Versions; says: Sentences } {
  const n = rows.length;
  const versions: Versions = {
    facts: lines,
    fact: new Int32Array(n),
    validFrom: new Float64Array(n),
    validUntil: new Float64Array(n),
    knownFrom: new Float64Array(n),
    knownUntil: new Float64Array(n),
    event: new Uint8Array(n),
    planned: new Uint8Array(n),
  };
  const says: Sentences = { predicate: [], told: [], from: [], until: [], disputed: [] };
  rows.forEach(({ line, from, row }, i) => {
    const f = from.facts;
    versions.fact[i] = line;
    versions.validFrom[i] = open(f.valid_from[row], -Infinity);
    versions.validUntil[i] = open(f.valid_until[row], Infinity);
    versions.knownFrom[i] = open(f.known_from[row], -Infinity);
    versions.knownUntil[i] = open(f.known_until[row], Infinity);
    versions.event[i] = f.kind[row] === "event" ? 1 : 0;
    versions.planned[i] = f.from_basis[row] === "planned" ? 1 : 0;
    // An event of which nobody said when it began is there from when it was over, not since ever.
    if (versions.event[i] && versions.validFrom[i] === -Infinity) versions.validFrom[i] = versions.validUntil[i];
    says.predicate.push(from.predicates[f.predicate[row]]);
    says.told.push(f.told[row]);
    says.from.push({ basis: f.from_basis[row], precision: f.from_precision[row] });
    says.until.push({ basis: f.until_basis[row], precision: f.until_precision[row] });
    says.disputed.push(f.disputed[row]);
  });
  return { versions, says };
}

/** nameAt is what an entity was called at a time of knowing. */
export function nameAt(of: Entities, entity: number, known: number): string {
  return of.names.get(entity)?.find((one) => known < one.until)?.name ?? of.name[entity];
}
