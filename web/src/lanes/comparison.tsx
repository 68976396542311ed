// Two moments of belief side by side: the lanes in which something is believed otherwise, and what that is.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { setQuery } from "../core/address";
import { Words, shown } from "../core/words";
import { asked, dayOf, parsed } from "../time/moment";
import { latest, useTimes } from "../time/times";
import { differences } from "./beliefs";
import type { Strip, Track } from "./layout";
import { LanePicture } from "./picture";

interface Props {
  group: string;
  tracks: Track[];
  then: number;
  stretch: [number, number] | undefined;
  onStretch: (to: [number, number] | undefined) => void;
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
