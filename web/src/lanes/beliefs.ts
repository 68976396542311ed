// What the lanes say of a time, of two, and of each moment at which something was learned.
import type { Edit } from "../core/answers";
import { parsed } from "../time/moment";
import { standing, type Strip, type Track } from "./layout";

/** How a bar stands in the world at a time. */
export type Standing = "holds" | "happened" | "before" | "ahead";

export function standingOf(strip: Strip, valid: number): Standing {
  if (strip.bar.state === "planned" || strip.from > valid) return "ahead";
  if (strip.event) return "happened";
  return strip.until <= valid ? "before" : "holds";
}

export interface Line {
  track: Track;
  strips: Strip[];
}

/** linesOf are the lanes in which something stands so, with what. */
export function linesOf(tracks: Track[], known: number, valid: number, as: Standing): Line[] {
  return tracks
    .map((track) => ({ track, strips: standing(track, known).filter((one) => !one.ghost && standingOf(one, valid) === as) }))
    .filter((line) => line.strips.length > 0);
}

/** Different is a lane in which something else is believed at another time. */
export interface Different {
  track: Track;
  before: Strip[];
  after: Strip[];
}

/** differences are the lanes in which something else was believed at another time, with what that is. What was corrected is told by
 * what took its place. */
export function differences(tracks: Track[], then: number, other: number): Different[] {
  const found: Different[] = [];
  for (const track of tracks) {
    const [before, after] = [then, other].map((at) => standing(track, at).filter((one) => !one.ghost));
    const says = (one: Strip) => one.bar.fact_id + "\n" + one.bar.when + "\n" + one.bar.label;
    const [had, has] = [new Set(before.map(says)), new Set(after.map(says))];
    const [only, fresh] = [before.filter((one) => !has.has(says(one))), after.filter((one) => !had.has(says(one)))];
    if (only.length + fresh.length > 0) found.push({ track, before: only, after: fresh });
  }
  return found;
}

export type How = "learned" | "believed again" | "ended" | "corrected" | "changed";

/** Changed is what one moment changed. */
export interface Changed {
  at: number;
  lanes: {
    track: Track;
    /** What was learned; of what was believed before, what became of it. */
    after: { strip: Strip; how: How }[];
    /** What is not believed any more. */
    gone: Strip[];
  }[];
  /** The episodes behind it. */
  causes: string[];
  /** What was decided by hand then, which is what changed it where anything was. */
  edits: Edit[];
}

/** changesOf are the latest changes of what is believed, the last first. */
export function changesOf(tracks: Track[], edits: Edit[], most: number): Changed[] {
  const moments = new Set(tracks.flatMap((track) => track.strips.flatMap((one) => [one.shownFrom, one.shownUntil])).filter(Number.isFinite));
  const found: Changed[] = [];
  for (const at of [...moments].sort((a, b) => b - a)) {
    if (found.length >= most) break;
    const lanes = tracks.flatMap((track): Changed["lanes"] => {
      const gone = track.strips.filter((one) => one.ghost && one.shownFrom === at && one.since === at);
      const stood = standing(track, at - 0.001).sort((a, b) => Number(b.ghost) - Number(a.ghost));
      const had = new Map(stood.map((one) => [one.bar.fact_id, one])); // of a fact what is believed of it, before what was
      const corrected = new Set(gone.map((one) => one.bar.by?.fact_id));
      const after = differences([track], at - 0.001, at).flatMap((one) => one.after).map((strip) => {
        const before = had.get(strip.bar.fact_id);
        const how: How = corrected.has(strip.bar.fact_id)
          ? "corrected"
          : !before
            ? "learned"
            : before.ghost
              ? "believed again"
              : Number.isFinite(strip.until) && !Number.isFinite(before.until)
                ? "ended"
                : "changed";
        return { strip, how };
      });
      return after.length + gone.length > 0 ? [{ track, after, gone }] : [];
    });
    const causes = lanes.flatMap((lane) => [...lane.after.map((one) => one.strip), ...lane.gone].flatMap((one) => one.bar.caused_by));
    if (lanes.length > 0) found.push({ at, lanes, causes, edits: edits.filter((one) => parsed(one.edited_at, NaN) === at) });
  }
  return found;
}
