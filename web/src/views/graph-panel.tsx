// What is known of the entity that was chosen in the graph, at the times of the sliders.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { href, setQuery } from "../core/address";
import { now } from "../core/clock";
import { Words, shown } from "../core/words";
import { nameAt, type Model } from "../graph/model";
import type { Scene } from "../graph/scene";
import { Labels } from "../parts/lists";
import { Standing } from "../time/intervals";
import { phrase, phraseOfEvent } from "../time/phrase";
import { latest, onTimes, timesNow } from "../time/times";

interface Props {
  group: string;
  model: Model;
  scene: Scene;
  place: number;
  /** Another one, of which is told what both are tied to; -1: none. */
  beside: number;
  expand: (id: string) => void;
  /** What is near it was asked for already. */
  expanded: boolean;
}

const most = 60;

export function GraphPanel({ group, model, scene, place, beside, expand, expanded }: Props): JSX.Element {
  useTick();
  const { entities } = model;
  const id = entities.id[place];
  const lines = model.around[place].filter((line) => scene.standing[line] !== Standing.unknown);
  const current = lines.filter((line) => scene.standing[line] === Standing.holds || scene.standing[line] === Standing.happens);
  const past = lines.filter((line) => scene.standing[line] >= Standing.ended);
  const ahead = lines.filter((line) => scene.standing[line] === Standing.ahead);
  return (
    <aside class="panel" aria-label="What is chosen">
      <button type="button" class="plain close" aria-label="Close" onClick={() => setQuery({ sel: undefined, with: undefined })}>
        ×
      </button>
      <h2>
        <a href={href(group, "entities", id)}>
          <Words of={nameAt(entities, place, timesNow().known ?? latest)} />
        </a>
      </h2>
      <p class="meta">
        <Labels of={entities.labels[place]} />
        {entities.community[place] >= 0 && (
          <span>
            in <Words of={model.communities[entities.community[place]].name} />
          </span>
        )}
      </p>
      <p class="panel-tools">
        {model.partial && (
          <button type="button" class="button small" disabled={expanded} onClick={() => expand(id)}>
            {expanded ? "Expanded" : "Expand"}
          </button>
        )}
        <button type="button" class="button small" onClick={() => setQuery({ around: id, more: undefined }, true)}>
          Only around it
        </button>
        <a class="button small" href={href(group, "timeline", "", { entity: id })}>
          In time
        </a>
      </p>
      <Shared model={model} scene={scene} place={place} beside={beside} />
      <Facts group={group} model={model} scene={scene} lines={current} title="Holds" />
      <Facts group={group} model={model} scene={scene} lines={past} title="Past" past />
      <Facts group={group} model={model} scene={scene} lines={ahead} title="Planned" />
      {lines.length === 0 && <p class="soft">Nothing was known of it then.</p>}
    </aside>
  );
}

// Shared is what the chosen entity and another one are both tied to.
function Shared({ model, scene, place, beside }: { model: Model; scene: Scene; place: number; beside: number }): JSX.Element | null {
  const known = timesNow().known ?? latest;
  const name = (one: number) => nameAt(model.entities, one, known);
  const own = scene.neighbours(place);
  const shared = new Map<number, number[]>();
  for (const near of own) for (const other of scene.neighbours(near)) if (other !== place) shared.set(other, [...(shared.get(other) ?? []), near]);
  if (shared.size === 0) return null;
  const others = [...shared.keys()].sort((a, b) => shared.get(b)!.length - shared.get(a)!.length || (name(a) < name(b) ? -1 : 1)).slice(0, most);
  return (
    <>
      <p class="panel-tools">
        <label>
          What it shares with{" "}
          <select value={beside >= 0 ? model.entities.id[beside] : ""} onChange={(event) => setQuery({ with: event.currentTarget.value })}>
            <option value="">nobody</option>
            {others.map((one) => (
              <option key={one} value={model.entities.id[one]}>
                {shown(name(one))} ({shared.get(one)!.length})
              </option>
            ))}
          </select>
        </label>
      </p>
      {beside >= 0 && <p class="shared">Both: {(shared.get(beside) ?? []).map((one) => shown(name(one))).join(", ") || "nothing"}</p>}
    </>
  );
}

// useTick follows the sliders some ten times a second: a list need not move on every frame.
function useTick(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    let waiting = 0;
    const stop = onTimes(() => {
      waiting ||= window.setTimeout(() => {
        waiting = 0;
        tick((n) => n + 1);
      }, 90);
    });
    return () => {
      stop();
      clearTimeout(waiting);
    };
  }, []);
}

function Facts(props: { group: string; model: Model; scene: Scene; lines: number[]; title: string; past?: boolean }): JSX.Element | null {
  const { group, model, scene, lines } = props;
  if (lines.length === 0) return null;
  return (
    <>
      <h3>
        {props.title} <span class="number">{lines.length.toLocaleString("en-GB")}</span>
      </h3>
      <ul class={props.past ? "rows past" : "rows"}>
        {lines.slice(0, most).map((line) => {
          const version = scene.version[line];
          return (
            <li key={line}>
              <a href={href(group, "facts", model.lines.id[line])}>
                <Words of={model.says.told[version]} />
              </a>
              <div class="meta">
                {when(model, version)}
                {model.versions.event[version] === 1 && <span class="tag">event</span>}
                {model.says.disputed[version] && <span class="tag warn">disputed</span>}
              </div>
            </li>
          );
        })}
      </ul>
      {lines.length > most && <p class="soft">and {(lines.length - most).toLocaleString("en-GB")} more on its page.</p>}
    </>
  );
}

// when is the time of a version, no more exact than it is known.
function when(model: Model, version: number): string {
  const { validFrom, validUntil, event } = model.versions;
  const fromKnown = model.says.from[version];
  // An event that began nobody knows when is drawn at its end.
  const from = event[version] && fromKnown.basis === "unknown" ? -Infinity : validFrom[version];
  const of = { from, until: validUntil[version], fromKnown, untilKnown: model.says.until[version] };
  return (event[version] ? phraseOfEvent : phrase)(of, now());
}
