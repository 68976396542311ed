// When a fact held in words, no more exact than that is known, and in UTC: the same words as the service's own (temporal.Validity.Phrase),
// for what the sliders move and nobody asks the service about. web/test/phrases.json, which the service writes, holds both together.

/** How one end of a stretch of time is known, as the service's Bound says it. */
export interface Known {
  basis: string;
  precision: string;
}

/** A stretch of time; open ends are infinite. */
export interface Stretch {
  from: number;
  until: number;
  fromKnown: Known;
  untilKnown: Known;
}

const day = 86_400_000;
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** named is the day, month, year … of a time. */
export function named(at: number, known: Known): string {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (known.precision) {
    case "week":
      return "the week of " + dayNamed(startOf(at, "week"));
    case "month":
      return `${months[month]} ${year}`;
    case "season":
      return seasonNamed(at);
    case "year":
      return String(year);
    case "decade":
      return `the ${Math.floor(year / 10)}0s`;
  }
  // Of what was said to hold, the day is as exact as that is known.
  if (known.precision === "day" || known.basis === "said" || startOf(at, "day") === at) return dayNamed(at);
  return `${dayNamed(at)}, ${date.toISOString().slice(-13, -8)}`;
}

/** lastNamed is the last day, month, year … before an end. */
export function lastNamed(end: number, known: Known): string {
  return named(known.precision === "instant" ? end : end - 1, known);
}

/** endNamed is the end of something: of one that is stated the last unit that belongs to it, of any other its moment. */
export function endNamed(end: number, known: Known): string {
  if (known.basis === "said") return "some time before " + named(end, known);
  return known.basis === "stated" ? lastNamed(end, known) : named(end, known);
}

/** phrase says when a state holds; "planned" is what begins after the time of reading, "was planned" what nobody has said that it came. */
export function phrase(of: Stretch, reading: number): string {
  const { from, until, fromKnown, untilKnown } = of;
  const [begun, over] = [Number.isFinite(from), Number.isFinite(until)];
  if (!begun && !over) return "at an unknown time";
  const unit = unitOf(from, fromKnown);
  if (/^(stated|planned)$/.test(fromKnown.basis) && sameBound(of) && unit[0] === from && unit[1] === until) return phraseOfEvent(of, reading);
  const end = over ? " until " + endNamed(until, untilKnown) : "";
  const plan = planned(of, reading);
  if (plan) return plan + "from " + named(from, fromKnown) + end;
  if (!begun) return end.trim();
  const said = fromKnown.basis === "said";
  if (!over) return (said ? "known since " : "since ") + named(from, fromKnown);
  return (said ? "known from " : "from ") + named(from, fromKnown) + end;
}

/** phraseOfEvent says when an event happened. */
export function phraseOfEvent(of: Stretch, reading: number): string {
  const [at, plan] = [happened(of), planned(of, reading)];
  if (!plan) return at;
  return /^(on|in) /.test(at) ? plan + "for " + at.slice(3) : plan + at;
}

function planned({ from, fromKnown }: Stretch, reading: number): string {
  if (from > reading) return "planned ";
  return fromKnown.basis === "planned" ? "was planned " : "";
}

function happened(of: Stretch): string {
  const { from, until, fromKnown, untilKnown } = of;
  const [begun, over] = [Number.isFinite(from), Number.isFinite(until)];
  if (!begun && !over) return "at an unknown time";
  if (!begun) return untilKnown.basis === "said" ? "some time before " + named(until, untilKnown) : "by " + lastNamed(until, untilKnown);
  if (!over) return "from " + named(from, fromKnown);
  const [first, last] = unitOf(from, fromKnown);
  if (sameBound(of) && from >= first && until <= last) {
    return (/^(week|month|season|year|decade)$/.test(fromKnown.precision) ? "in " : "on ") + named(from, fromKnown);
  }
  return `from ${named(from, fromKnown)} to ${lastNamed(until, untilKnown)}`;
}

// sameBound tells whether both ends are known in the same way; of what is planned the end is stated.
function sameBound({ fromKnown: from, untilKnown: until }: Stretch): boolean {
  return from.precision === until.precision && (from.basis === until.basis || (from.basis === "planned" && until.basis === "stated"));
}

function dayNamed(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

// seasonNamed names the season or the quarter that a time, its first or its last moment, lies in. Seasons begin in March, June,
// September and December.
function seasonNamed(at: number): string {
  const edge = new Date(startOf(at, "day") === at ? at : at + 1);
  const date = new Date(at);
  if (edge.getUTCMonth() % 3 === 0) {
    return `the ${["first", "second", "third", "fourth"][Math.floor(date.getUTCMonth() / 3)]} quarter of ${date.getUTCFullYear()}`;
  }
  const start = new Date(startOf(at, "season"));
  const year = start.getUTCFullYear();
  if (start.getUTCMonth() === 11) return `the winter of ${year}/${String((year + 1) % 100).padStart(2, "0")}`;
  return `${{ 2: "spring", 5: "summer", 8: "autumn" }[start.getUTCMonth()]} ${year}`;
}

// unitOf is the second, day, month, year … that a start lies in, as its begin and its end.
function unitOf(at: number, known: Known): [number, number] {
  if (!Number.isFinite(at)) return [at, at];
  let unit = known.precision;
  if (unit === "season" && new Date(at).getUTCMonth() % 3 === 0) unit = "quarter"; // no season begins then
  const start = startOf(at, unit);
  const next = new Date(start);
  const steps: Record<string, () => number> = {
    instant: () => start + 1000,
    day: () => start + day,
    week: () => start + 7 * day,
    month: () => next.setUTCMonth(next.getUTCMonth() + 1),
    quarter: () => next.setUTCMonth(next.getUTCMonth() + 3),
    season: () => next.setUTCMonth(next.getUTCMonth() + 3),
    year: () => next.setUTCFullYear(next.getUTCFullYear() + 1),
    decade: () => next.setUTCFullYear(next.getUTCFullYear() + 10),
  };
  return [start, steps[unit]?.() ?? Infinity];
}

function startOf(at: number, unit: string): number {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const midnight = Math.floor(at / day) * day;
  switch (unit) {
    case "instant":
      return Math.floor(at / 1000) * 1000;
    case "day":
      return midnight;
    case "week":
      return midnight - ((date.getUTCDay() + 6) % 7) * day;
    case "month":
      return first(year, month);
    case "quarter":
      return first(year, month - (month % 3));
    case "season":
      return first(year, month - ((month + 1) % 3));
    case "year":
      return first(year, 0);
    case "decade":
      return first(year - (((year % 10) + 10) % 10), 0);
  }
  return at;
}

// first is the first moment of a month, also of years that Date.UTC takes for those of the last century.
function first(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return date.getTime();
}
