// What the lanes hold at two times, in words: a line a relation.
import type { JSX } from "preact";
import { href } from "../core/address";
import type { Bar } from "../core/answers";
import { Words, shown } from "../core/words";
import { plural } from "../time/moment";
import type { Line } from "./beliefs";

/** Lines shows lanes with what is in them, each with when, and what says the same behind a line that opens. */
export function Lines({ group, of, most = Infinity }: { group: string; of: Line[]; most?: number }): JSX.Element {
  return (
    <dl class="lines">
      {of.slice(0, most).map(({ track, strips }) => (
        <div key={track.id}>
          <dt>{(track.lane.inverse ? "← " : "") + shown(track.lane.name)}</dt>
          <dd>
            {strips.map((strip) => (
              <Said key={strip.id} group={group} bar={strip.bar} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Said({ group, bar }: { group: string; bar: Bar }): JSX.Element {
  const line = (
    <>
      <a href={href(group, "facts", bar.fact_id)} title={shown(bar.told)}>
        <Words of={bar.label} />
      </a>{" "}
      <span class="soft">{bar.when}</span>
    </>
  );
  if (bar.also.length === 0) return <p>{line}</p>;
  return (
    <div class="twice">
      <p>{line}</p>
      <details>
        <summary aria-label={`${plural(bar.also.length, "more fact")} that ${bar.also.length === 1 ? "says" : "say"} so`} class="soft">
          +{bar.also.length}
        </summary>
        {[bar, ...bar.also].map((one) => (
          <p key={one.fact_id}>
            <a href={href(group, "facts", one.fact_id)}>
              <Words of={one.told} />
            </a>{" "}
            <span class="soft">{one.when}</span>
          </p>
        ))}
      </details>
    </div>
  );
}
