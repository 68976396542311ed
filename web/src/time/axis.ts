// Where a time stands on a slider. Changes often come in bursts: a memory that was filled within a minute and is looked at a
// year later would have all its marks on one pixel. So an axis is to scale, or gives each change the same room.

export interface Axis {
  first: number;
  last: number;
  marks: Float64Array;
  even: boolean;
  /** How much changed in all; marks may stand for several changes each. */
  changes: number;
}

/** axis spans all marks, with some room before the first, where nothing was there yet, and after the last. Its end is now, however
 * far off that is: between the last change and now every time shows the same. */
export function axis(marks: Float64Array, even = crowded(marks), changes = marks.length, now = Date.now()): Axis {
  const first = marks.length ? marks[0] : now - 86_400_000;
  const final = marks.length ? marks[marks.length - 1] : now;
  const span = Math.max(final - first, 1000);
  return { first: first - span * 0.03, last: final + span * 0.06, marks, even, changes };
}

/** crowded tells whether most of the marks would share a twentieth of an axis that is to scale. */
export function crowded(marks: Float64Array): boolean {
  if (marks.length < 3) return false;
  const first = marks[0];
  const span = marks[marks.length - 1] - first;
  const middle = marks[marks.length >> 1];
  return middle - first < span / 20 || marks[marks.length - 1] - middle < span / 20;
}

/** place is where a time stands, from 0 to 1. */
export function place(on: Axis, at: number): number {
  if (at <= on.first) return 0;
  if (at >= on.last) return 1;
  if (!on.even || on.marks.length === 0) return (at - on.first) / (on.last - on.first);
  const n = on.marks.length + 1;
  const i = below(on.marks, at);
  const from = i === 0 ? on.first : on.marks[i - 1];
  const to = i === on.marks.length ? on.last : on.marks[i];
  return (i + (to > from ? (at - from) / (to - from) : 0)) / n;
}

/** timeAt is the time at a place, the reverse of place. */
export function timeAt(on: Axis, at: number): number {
  const where = Math.min(1, Math.max(0, at));
  if (!on.even || on.marks.length === 0) return on.first + where * (on.last - on.first);
  const n = on.marks.length + 1;
  const i = Math.min(n - 1, Math.floor(where * n));
  const from = i === 0 ? on.first : on.marks[i - 1];
  const to = i === on.marks.length ? on.last : on.marks[i];
  return from + (where * n - i) * (to - from);
}

// below counts the marks that are not after a time.
function below(marks: Float64Array, at: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** density counts the marks of each of so many stretches of an axis, as parts of the fullest. */
export function density(on: Axis, stretches: number): Float32Array {
  const counts = new Float32Array(stretches);
  for (const mark of on.marks) counts[Math.min(stretches - 1, Math.floor(place(on, mark) * stretches))]++;
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  return counts.map((n) => (n === 0 ? 0 : Math.log1p(n) / Math.log1p(most)));
}
