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
          <div class="lane-pair">
            <LanePicture {...picture} known={then} title={`As we knew it on ${dayOf(then)}`} bare />
            <LanePicture {...picture} known={other} title={`As we knew it ${there}`} bare />
          </div>
          <ul class="rows lane-differences" aria-label="What is believed otherwise">
            {found.map(({ track, before, after }) => (
              <li key={track.id}>
                <h3>
                  {shown(track.lane.entity)} · {shown(track.lane.name)}
                </h3>
                {before.map((one) => (
                  <Line key={one.id} of={one} sign="−" />
                ))}
                {after.map((one) => (
                  <Line key={one.id} of={one} sign="+" />
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Line({ of, sign }: { of: Strip; sign: "+" | "−" }): JSX.Element {
  const words = (
    <>
      <Words of={of.bar.label} /> <span class="soft">{of.event ? "" : of.bar.when}</span>
    </>
  );
  return (
    <p class={sign === "+" ? "believed" : "believed before"}>
      <span class="sign" aria-label={sign === "+" ? "later" : "before"}>
        {sign}
      </span>{" "}
      {words} {sign === "+" && <span class="tag known">learned on {dayOf(of.shownFrom)}</span>}
    </p>
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
