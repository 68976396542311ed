// Where lanes and their bars stand in the picture: pure, so that a step of the slider is one pass over what the service told once.
import type { Bar, Lane } from "../core/answers";
import { shown } from "../core/words";
import { dayOf, parsed, shortDay } from "../time/moment";

/** A bar with its times as numbers; open sides are infinite. */
export interface Strip {
  bar: Bar;
  id: string;
  from: number;
  until: number;
  /** Where it stands: its beginning, else its end, else when it was learned. */
  anchor: number;
  begun: number;
  lasts: number;
  shownFrom: number;
  shownUntil: number;
  /** It was believed before, and is not any more. */
  ghost: boolean;
  /** It never held. */
  wrong: boolean;
  /** Since when it stands like this: what was taken back may have been withheld before. */
  since: number;
  event: boolean;
}

export interface Track {
  lane: Lane;
  id: string;
  strips: Strip[];
}

/** A stretch of time across a width. */
export interface Scale {
  first: number;
  last: number;
  left: number;
  right: number;
}

export interface Placed {
  strip: Strip;
  row: number;
  /** Left and right of the bar itself. */
  x0: number;
  x1: number;
  /** What is written, and whether beside the bar, to its right or its left. */
  label: string;
  when: string;
  beside: "" | "right" | "left";
  /** How wide the label is. */
  wide: number;
}

export interface Row {
  track: Track;
  placed: Placed[];
  rows: number;
  hidden: number;
  /** The name of the entity stands above it. */
  heads: boolean;
  y: number;
  height: number;
}

export const rowHeight = 26;
export const nameHeight = 20;
export const headHeight = 38;
const padding = 10;
const most = 8;
/** By how much neighbours may touch: where one ends softly the other begins. */
const touch = 6;

export function tracksOf(lanes: Lane[]): Track[] {
  return lanes.map((lane, i) => ({
    lane,
    id: "lane-" + i,
    strips: lane.bars.map((bar, j) => {
      const [at, over] = [parsed(bar.valid_at, -Infinity), parsed(bar.invalid_at, Infinity)];
      return {
        bar,
        id: `bar-${i}-${j}`,
        from: at,
        until: over,
        anchor: Number.isFinite(at) ? at : Number.isFinite(over) ? over : parsed(bar.believed.from, 0),
        begun: parsed(bar.begun, at),
        lasts: parsed(bar.lasts, over),
        shownFrom: parsed(bar.shown_from, -Infinity),
        shownUntil: parsed(bar.shown_until, Infinity),
        ghost: wrong(bar) || bar.state === "withheld",
        wrong: wrong(bar),
        since: since(bar),
        event: bar.kind === "event",
      };
    }),
  }));
}

function wrong(bar: Bar): boolean {
  return bar.state === "corrected" || bar.state === "taken back";
}

function since(bar: Bar): number {
  return parsed(bar.state === "taken back" ? bar.shown_from : (bar.believed.until ?? bar.shown_from), 0);
}

/** standing are the bars of a lane at a time of belief. */
export function standing(track: Track, known: number): Strip[] {
  return track.strips.filter((one) => one.shownFrom <= known && known < one.shownUntil);
}

/** laneName is what a lane is called in the picture. */
export function laneName(lane: Lane): string {
  return (lane.inverse ? "← " : "") + shown(lane.name);
}

/** nameColumn is how wide the names beside the bars are. */
export function nameColumn(tracks: Track[]): number {
  return Math.min(tracks.reduce((most, track) => Math.max(most, measure(laneName(track.lane), 12.5)), 80) + 20, 240);
}

/** whole is the stretch of time that lanes span, with some room at both ends. */
export function whole(tracks: Track[], now: number): [number, number] {
  let [first, last] = [Infinity, -Infinity];
  for (const { strips } of tracks) {
    for (const { from, until, begun, lasts, anchor } of strips) {
      for (const at of [from, until, begun, lasts, anchor]) {
        if (!Number.isFinite(at)) continue;
        first = Math.min(first, at);
        last = Math.max(last, at);
      }
    }
  }
  if (first > last) return [now - 30 * 86_400_000, now];
  const span = Math.max(last - first, 86_400_000);
  return [first - span * 0.05, last + span * 0.08];
}

export function across(on: Scale, at: number): number {
  return on.left + ((at - on.first) / (on.last - on.first)) * (on.right - on.left);
}

/** arrange gives every lane its place at a time of belief. Lanes in which nothing stands are left out. */
export function arrange(tracks: Track[], known: number, on: Scale, names: boolean, open: ReadonlySet<string>): { rows: Row[]; height: number } {
  const rows: Row[] = [];
  let y = 0;
  let entity = "";
  for (const track of tracks) {
    const placed = place(standing(track, known), on);
    const all = placed.reduce((rows, one) => Math.max(rows, one.row + 1), 0);
    if (all === 0) continue;
    const shown = open.has(track.id) ? all : Math.min(all, most);
    const heads = track.lane.entity_id !== entity;
    entity = track.lane.entity_id;
    if (heads) y += headHeight;
    const height = shown * rowHeight + padding + (names ? nameHeight : 0) + (all > most ? nameHeight : 0);
    rows.push({ track, placed: placed.filter((one) => one.row < shown), rows: shown, hidden: all - shown, heads, y, height });
    y += height;
  }
  return { rows, height: y };
}

// place puts bars into as few rows as they need: what is believed above what is not any more.
function place(strips: Strip[], on: Scale): Placed[] {
  const sorted = [...strips].sort((a, b) => Number(a.ghost) - Number(b.ghost) || a.anchor - b.anchor);
  const ends: number[] = [];
  const placed: Placed[] = [];
  let floor = 0;
  for (const strip of sorted) {
    const one = extent(strip, on);
    if (!one) continue;
    if (strip.ghost && floor === 0) floor = ends.length;
    let row = strip.ghost ? floor : 0;
    while (ends[row] !== undefined && ends[row] > one.taken[0] + touch) row++;
    ends[row] = one.taken[1];
    placed.push({ ...one.placed, row });
  }
  return placed;
}

// extent is the room that a bar takes with its words; undefined: it lies outside. What began at an unknown time has some room before
// its end, or before we learned it.
function extent(strip: Strip, on: Scale): { placed: Omit<Placed, "row">; taken: [number, number] } | undefined {
  const open = !Number.isFinite(strip.from);
  const [edge, end] = [on.left, on.right];
  let x0 = across(on, strip.anchor) - (open ? 44 : 0);
  let x1 = strip.event ? x0 + (open ? 44 : 0) : Number.isFinite(strip.until) ? across(on, strip.until) : end;
  if (strip.event && strip.begun - strip.from > 2 * 86_400_000) x1 = Math.max(x1, across(on, Math.min(strip.begun, strip.until)));
  if (x1 < edge || x0 > end) return undefined;
  x0 = Math.max(x0, edge);
  x1 = Math.min(Math.max(x1, x0 + (strip.event ? 0 : 4)), end);
  const beside = Math.max(x0 - edge, end - x1) - 20;
  const label = clip(strip.bar.label, Math.max(8, Math.floor((strip.event ? beside : Math.max(beside, x1 - x0)) / 6.6)));
  const wide = measure(label, 12.5);
  const says = [note(strip, true), note(strip, false)];
  const fits = (room: number) => says.find((words) => wide + measure(words, 11) + 20 <= room) ?? "";
  const room = x1 - x0;
  const common = { strip, x0, x1, label, wide };
  if (!strip.event && wide + 12 <= room) return { placed: { ...common, when: fits(room), beside: "" }, taken: [x0, x1] };
  // Words beside a bar say when only where it never held: all else the picture shows.
  const margin = strip.event ? 10 : 5;
  if (x1 + margin + wide <= end || x1 < (edge + end) / 2) {
    const when = strip.ghost ? fits(end - x1 - margin) : "";
    return { placed: { ...common, when, beside: "right" }, taken: [x0 - 3, x1 + margin + wide + (when ? measure(when, 11) + 8 : 0) + 8] };
  }
  return { placed: { ...common, when: "", beside: "left" }, taken: [x0 - margin - wide, x1 + 4] };
}

// note is what is said of a bar beside its label, at length or in short.
function note({ bar, ghost, since }: Strip, long: boolean): string {
  if (!ghost) return long ? bar.when : "";
  return (long ? bar.when + ", until " : "") + `${bar.state} on ${(long ? dayOf : shortDay)(since)}`;
}

const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null | undefined;

// measure is how wide words are.
function measure(words: string, size: number): number {
  const key = size + words;
  let width = widths.get(key);
  if (width === undefined) {
    if (pen === undefined) pen = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
    if (pen) pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
    width = pen ? pen.measureText(words).width : words.length * size * 0.55;
    if (widths.size > 20_000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "") + "…";
}

export interface Tick {
  at: number;
  name: string;
  strong: boolean;
}

/** ticks are the days, months or years that an axis names. */
export function ticks(on: Scale): Tick[] {
  const pixels = on.right - on.left;
  const days = (on.last - on.first) / 86_400_000;
  const wanted = Math.max(2, Math.floor(pixels / 74));
  const steps: [number, "day" | "month" | "year", number][] = [
    [1, "day", 1],
    [2, "day", 2],
    [7, "day", 7],
    [30.4, "month", 1],
    [91, "month", 3],
    [182, "month", 6],
    [365, "year", 1],
    [730, "year", 2],
    [1826, "year", 5],
    [3652, "year", 10],
    [7305, "year", 20],
    [18262, "year", 50],
    [36524, "year", 100],
  ];
  const [, unit, by] = steps.find(([length]) => days / length <= wanted) ?? steps[steps.length - 1];
  const found: Tick[] = [];
  const at = new Date(on.first);
  at.setUTCHours(0, 0, 0, 0);
  if (unit !== "day") at.setUTCDate(1);
  if (unit === "month") at.setUTCMonth(at.getUTCMonth() - (at.getUTCMonth() % by));
  if (unit === "year") at.setUTCMonth(0);
  if (unit === "year") at.setUTCFullYear(at.getUTCFullYear() - (at.getUTCFullYear() % by));
  for (let i = 0; i < 200 && at.getTime() <= on.last; i++) {
    if (at.getTime() >= on.first) found.push({ at: at.getTime(), ...named(at, unit, found.length === 0) });
    if (unit === "day") at.setUTCDate(at.getUTCDate() + by);
    else if (unit === "month") at.setUTCMonth(at.getUTCMonth() + by);
    else at.setUTCFullYear(at.getUTCFullYear() + by);
  }
  return found;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function named(at: Date, unit: string, first: boolean): { name: string; strong: boolean } {
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (unit === "year") return { name: String(year), strong: false };
  const strong = month === 0 && date === 1;
  if (unit === "month") return { name: first || strong ? `${months[month]} ${year}` : months[month], strong };
  return { name: first || strong ? `${date} ${months[month]} ${year}` : `${date} ${months[month]}`, strong };
}
