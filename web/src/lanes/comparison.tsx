// Two moments of belief side by side: the lanes in which something is believed otherwise, and what that is.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { setQuery } from "../core/address";
import { Words, shown } from "../core/words";
import { asked, dayOf, parsed } from "../time/moment";
import { latest, useTimes } from "../time/times";
import { standing, type Strip, type Track } from "./layout";
import { LanePicture } from "./picture";

interface Props {
  group: string;
  tracks: Track[];
  then: number;
  stretch: [number, number] | undefined;
  onStretch: (to: [number, number] | undefined) => void;
}

interface Different {
  track: Track;
  before: Strip[];
  after: Strip[];
}

export function Comparison({ group, tracks, then, stretch, onStretch }: Props): JSX.Element {
  const { known } = useTimes();
  const other = known ?? latest;
  const found = useMemo(() => differences(tracks, then, other), [tracks, then, other]);
  const ids = new Set(found.flatMap((one) => [...one.before, ...one.after]).map((one) => one.id));
  const changed = useMemo(() => found.map((one) => one.track), [found]);
  const there = known === null ? "now" : "on " + dayOf(known);
  const picture = { group, tracks: changed, different: ids, stretch, onStretch, name: group + "-compared" };
  return (
    <>
      <p class="lane-choices">
        <label>
          Between{" "}
          <input
            type="date"
            value={new Date(then).toISOString().slice(0, 10)}
            onChange={(event) => {
              const at = parsed(event.currentTarget.value + "T00:00:00Z", NaN);
              if (!Number.isNaN(at)) setQuery({ compare: asked(at) });
            }}
          />
        </label>
        <span>and {there}, where the slider stands</span>
      </p>
      {found.length === 0 ? (
        <p class="nothing">At both moments the same was believed.</p>
      ) : (
        <>
          <div class="table-wrap">
            <table class="table lane-differences">
              <thead>
                <tr>
                  <th scope="col">What</th>
                  <th scope="col">On {dayOf(then)}</th>
                  <th scope="col">{known === null ? "Now" : "On " + dayOf(known)}</th>
                </tr>
              </thead>
              <tbody>
                {found.map(({ track, before, after }) => (
                  <tr key={track.id}>
                    <th scope="row">
                      {new Set(tracks.map((one) => one.lane.entity)).size > 1 && shown(track.lane.entity) + " · "}
                      {shown(track.lane.name)}
                    </th>
                    <td>
                      <Bars of={before} />
                    </td>
                    <td>
                      <Bars of={after} learned />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <div class="lane-pair">
            <LanePicture {...picture} known={then} title={`As we knew it on ${dayOf(then)}`} bare />
            <LanePicture {...picture} known={other} title={`As we knew it ${there}`} bare />
          </div>
        </>
      )}
    </>
  );
}

function Bars({ of, learned }: { of: Strip[]; learned?: boolean }): JSX.Element {
  if (of.length === 0) return <span class="soft">–</span>;
  return (
    <>
      {of.map((one) => (
        <p key={one.id}>
          <Words of={one.bar.label} /> <span class="soft">{one.event ? "" : one.bar.when}</span>{" "}
          {learned && <span class="tag known">learned on {dayOf(one.shownFrom)}</span>}
        </p>
      ))}
    </>
  );
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

/** Changed is what one moment changed. */
export interface Changed {
  at: number;
  lanes: {
    track: Track;
    /** What was learned; of what was believed before, that it ended or how it was put right. */
    after: { strip: Strip; how: "learned" | "ended" | "corrected" }[];
    /** What is not believed any more. */
    gone: Strip[];
  }[];
  /** The episodes behind it. */
  causes: string[];
}

/** changesOf are the latest changes of what is believed, the last first. */
export function changesOf(tracks: Track[], most: number): Changed[] {
  const moments = new Set(tracks.flatMap((track) => track.strips.flatMap((one) => [one.shownFrom, one.shownUntil])).filter(Number.isFinite));
  const found: Changed[] = [];
  for (const at of [...moments].sort((a, b) => b - a)) {
    if (found.length >= most) break;
    const lanes = tracks.flatMap((track): Changed["lanes"] => {
      const gone = track.strips.filter((one) => one.ghost && one.shownFrom === at);
      const had = new Set(standing(track, at - 0.001).map((one) => one.bar.fact_id));
      const corrected = new Set(gone.map((one) => one.bar.by?.fact_id));
      const after = differences([track], at - 0.001, at).flatMap((one) => one.after).map((strip) => {
        const id = strip.bar.fact_id;
        return { strip, how: corrected.has(id) ? ("corrected" as const) : had.has(id) ? ("ended" as const) : ("learned" as const) };
      });
      return after.length + gone.length > 0 ? [{ track, after, gone }] : [];
    });
    const causes = lanes.flatMap((lane) => [...lane.after.map((one) => one.strip), ...lane.gone].flatMap((one) => one.bar.caused_by));
    if (lanes.length > 0) found.push({ at, lanes, causes });
  }
  return found;
}
