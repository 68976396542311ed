import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { href, setQuery, type Address } from "../core/address";
import type { Lanes } from "../core/answers";
import { get, useLoaded } from "../core/service";
import { sql } from "../core/sql";
import { Words, shown } from "../core/words";
import { Comparison } from "../lanes/comparison";
import { tracksOf } from "../lanes/layout";
import { LanePicture } from "../lanes/picture";
import { SqlButton } from "../parts/sql";
import { Head, Shown } from "../parts/state";
import { asked, dayOf, parsed } from "../time/moment";
import { timesNow, useTimes } from "../time/times";

/** Timeline shows what can change of a memory in lanes, as it was known at any time. */
export function Timeline({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  const { known } = useTimes();
  const entity = address.query.get("entity") ?? "";
  return (
    <>
      <Head title="Timeline" tools={<SqlButton query={sql.timeline(group, timesNow().known)} />}>
        What held when{known === null ? "" : `, as we knew it on ${dayOf(known)}`}. Soft ends are not known exactly; <span class="tag known">● when we learned it</span>.
      </Head>
      <LanesOf group={group} entities={entity ? [entity] : []} address={address} />
    </>
  );
}

/** LanesOf shows the lanes of some entities, or of those that are spoken of most. */
function LanesOf({ group, entities, address }: { group: string; entities: string[]; address: Address }): JSX.Element {
  const answer = useLoaded((signal) => get<Lanes>(group, ["lanes"], { entity: entities }, signal), [group, entities]);
  return <Shown of={answer}>{(found) => <LanesShown group={group} of={found} entities={entities} address={address} />}</Shown>;
}

/** LanesShown is the picture with what chooses its part. */
export function LanesShown({ group, of, entities, address }: { group: string; of: Lanes; entities: string[]; address: Address }): JSX.Element {
  const relation = address.query.get("relation") ?? "";
  const then = parsed(address.query.get("compare"), NaN);
  const comparing = !Number.isNaN(then);
  // Where there are more facts than were told, those of one relation are asked for.
  const more = useLoaded(
    async (signal) => ({ relation, lanes: of.partial && relation ? await get<Lanes>(group, ["lanes"], { entity: entities, relation }, signal) : undefined }),
    [group, entities, relation, of.partial],
  );
  const told = (more.data?.relation === relation && more.data.lanes) || of;
  const all = useMemo(() => tracksOf(told.lanes), [told]);
  const tracks = useMemo(() => (relation ? all.filter((one) => one.lane.name === relation) : all), [all, relation]);
  const [stretch, setStretch] = useState<[number, number]>();
  const names = [...new Set(of.lanes.map((lane) => lane.name))].sort();
  const people = [...new Map(of.lanes.map((lane) => [lane.entity_id, lane.entity]))];
  if (of.lanes.length === 0) return <p class="nothing">Nothing is known of which the time is told. What is said in the conversations comes here once it is read.</p>;
  return (
    <>
      <div class="lane-choices">
        {address.view === "timeline" && (entities.length > 0 || people.length > 1) && (
          <label>
            Of{" "}
            <select value={entities[0] ?? ""} onChange={(event) => setQuery({ entity: event.currentTarget.value }, true)}>
              <option value="">those spoken of most</option>
              {people.map(([id, name]) => (
                <option key={id} value={id}>
                  {shown(name)}
                </option>
              ))}
            </select>
          </label>
        )}
        {names.length > 1 && (
          <label>
            Only{" "}
            <select value={relation} onChange={(event) => setQuery({ relation: event.currentTarget.value })}>
              <option value="">everything</option>
              {names.map((name) => (
                <option key={name}>{shown(name)}</option>
              ))}
            </select>
          </label>
        )}
        <button type="button" class="button small switch" aria-pressed={comparing} onClick={() => setQuery({ compare: comparing ? undefined : asked(timesNow().known ?? earlier(tracks)) })}>
          Compare two moments
        </button>
        {address.view !== "timeline" && <a href={href(group, "timeline", "", { entity: entities[0] })}>alone</a>}
      </div>
      {comparing ? (
        <Comparison group={group} tracks={tracks} then={then} stretch={stretch} onStretch={setStretch} />
      ) : (
        <LanePicture group={group} tracks={tracks} name={`${group}-lanes`} stretch={stretch} onStretch={setStretch} />
      )}
      {told.partial && (
        <p class="soft">
          There are more facts: these are the newest. <Words of="Choose one person, or one relation, to see theirs." />
        </p>
      )}
    </>
  );
}

// earlier is a moment to compare with: when half of all had been learned.
function earlier(tracks: { strips: { shownFrom: number }[] }[]): number {
  const learned = tracks.flatMap((track) => track.strips.map((one) => one.shownFrom)).sort((a, b) => a - b);
  return learned[learned.length >> 1];
}
