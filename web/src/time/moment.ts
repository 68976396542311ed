// Times in words, in UTC as everywhere in Annals. Those of facts, which are known more or less exactly, are in phrase.ts.

import { now } from "../core/clock";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

export function dayOf(at: number): string {
  return year(at) ?? day.format(at);
}

export function shortDay(at: number): string {
  return year(at) ?? short.format(at);
}

/** instant is a time to the second; to the minute where the seconds say nothing; to the day at midnight. */
export function instant(at: number): string {
  const iso = new Date(at).toISOString();
  const clock = iso.slice(-13, -5);
  if (clock === "00:00:00" && iso.endsWith("00.000Z")) return shortDay(at);
  return shortDay(at) + ", " + (clock.endsWith(":00") ? clock.slice(0, 5) : clock);
}

// year is said alone where it lies outside of what calendars of browsers print well.
function year(at: number): string | undefined {
  const of = new Date(at).getUTCFullYear();
  return of < 1 || of > 9999 ? String(of) : undefined;
}

/** ago is a rough distance from now, for lists of what is new. */
export function ago(at: number, reading = now()): string {
  const seconds = Math.round((reading - at) / 1000);
  if (seconds < 0) return shortDay(at);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return plural(Math.floor(seconds / 60), "minute") + " ago";
  if (seconds < 86_400) return plural(Math.floor(seconds / 3600), "hour") + " ago";
  if (seconds < 14 * 86_400) return plural(Math.floor(seconds / 86_400), "day") + " ago";
  return shortDay(at);
}

export function plural(n: number, noun: string, many = noun + "s"): string {
  return `${n.toLocaleString("en-GB")} ${n === 1 ? noun : many}`;
}

/** parsed reads a time of the service to the microsecond, as milliseconds; null and what is left out are open. */
export function parsed(text: string | null | undefined, open: number): number {
  if (!text) return open;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return open;
  const fraction = /\.\d{3}(\d{1,3})/.exec(text)?.[1];
  return fraction ? at + Number(fraction.padEnd(3, "0")) / 1000 : at;
}

/** written is a time as the service reads it, to the microsecond. */
export function written(at: number): string {
  const micros = Math.round(at * 1000);
  const iso = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = ((micros % 1000) + 1000) % 1000;
  return rest === 0 ? iso.replace(".000Z", "Z") : iso.slice(0, -1) + String(rest).padStart(3, "0") + "Z";
}

/** asked is a time that a list is asked for; null, which is now, is left out. */
export function asked(at: number | null): string | undefined {
  return at === null ? undefined : written(at);
}
