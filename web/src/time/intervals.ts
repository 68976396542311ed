// Versions of facts as columns of numbers, so that a step of a slider is one pass over arrays and asks nobody.

/** How a fact stands at one time in the world, as it was believed at one time. */
export const Standing = {
  /** Not believed then, or not yet, or no longer. */
  unknown: 0,
  /** Believed, and still to begin; or announced, and nobody has said that it came. */
  ahead: 1,
  /** A state that holds, or an event while it happens. */
  holds: 2,
  happens: 3,
  /** A state that has ended, an event that is over. */
  ended: 4,
  happened: 5,
} as const;

export type Standing = (typeof Standing)[keyof typeof Standing];

/** Columns of versions. Those of one fact stand together, and fact says which one, from 0. Open sides are infinite. */
export interface Versions {
  facts: number;
  fact: Int32Array;
  validFrom: Float64Array;
  validUntil: Float64Array;
  knownFrom: Float64Array;
  knownUntil: Float64Array;
  /** 1: an event. */
  event: Uint8Array;
  /** 1: it was announced, and nobody has said that it came. */
  planned: Uint8Array;
}

/** standings writes how each fact stands into out, and which of its versions says so into version (-1: none). */
export function standings(of: Versions, valid: number, known: number, out: Uint8Array, version: Int32Array): void {
  out.fill(Standing.unknown);
  version.fill(-1);
  const { fact, knownFrom, knownUntil } = of;
  for (let i = 0; i < fact.length; i++) {
    if (knownFrom[i] <= known && known < knownUntil[i]) {
      out[fact[i]] = standing(of, i, valid);
      version[fact[i]] = i;
    }
  }
}

function standing(of: Versions, i: number, valid: number): Standing {
  if (valid < of.validFrom[i] || of.planned[i]) return Standing.ahead;
  const over = valid >= of.validUntil[i];
  if (of.event[i]) return over ? Standing.happened : Standing.happens;
  return over ? Standing.ended : Standing.holds;
}

/** nextMark is the mark after a time, or the one before it; undefined past the last. */
export function nextMark(of: Float64Array, at: number, forward: boolean): number | undefined {
  let low = 0;
  let high = of.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of[middle] < at || (forward && of[middle] === at)) low = middle + 1;
    else high = middle;
  }
  return forward ? of[low] : of[low - 1];
}
