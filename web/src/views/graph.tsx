import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { go, href, setQuery, type Address } from "../core/address";
import type { GraphColumns } from "../core/answers";
import { now } from "../core/clock";
import { onFound } from "../core/found";
import { typing } from "../core/keys";
import { get, useLoaded } from "../core/service";
import { sql } from "../core/sql";
import { onTheme } from "../core/theme";
import { shown } from "../core/words";
import { modelOf, type Model } from "../graph/model";
import type { By, Palette } from "../graph/palette";
import { Scene, type Counts } from "../graph/scene";
import { SqlButton } from "../parts/sql";
import { Shown } from "../parts/state";
import { plural } from "../time/moment";
import { latest, onTimes, timesNow, type Times } from "../time/times";
import { GraphList } from "./graph-list";
import { GraphPanel } from "./graph-panel";

const list = (query: URLSearchParams, name: string) => (query.get(name) ?? "").split(",").filter(Boolean);

/** GraphPage is the graph at two times: drag the sliders, and it becomes what held and what was believed. */
export function GraphPage({ address }: { address: Address }): JSX.Element {
  const { group, query } = address;
  const around = list(query, "around");
  const more = list(query, "more");
  const answer = useLoaded(
    async (signal) => {
      const base = get<GraphColumns>(group, ["graph"], { around, hops: around.length ? 2 : undefined }, signal);
      const rest = more.map((id) => get<GraphColumns>(group, ["graph"], { around: [id], hops: 1, max_facts: 500 }, signal));
      return modelOf(await Promise.all([base, ...rest]));
    },
    [group, around, more],
  );
  return (
    <div class="graph-page">
      <Shown of={answer}>{(model) => <Drawn address={address} model={model} />}</Shown>
    </div>
  );
}

function Drawn({ address, model }: { address: Address; model: Model }): JSX.Element {
  const { group, query } = address;
  const by: By = query.get("colour") === "community" ? "community" : "label";
  const selected = model.place.get(query.get("sel") ?? "") ?? -1;
  const beside = model.place.get(query.get("with") ?? "") ?? -1;
  const loose = query.get("loose") === "shown";
  const asList = query.get("show") === "list";
  const scene = useScene(group, model, { by, selected, beside, loose }, query, asList);
  const { valid, known } = timesNow();
  const more = list(query, "more");
  const expand = (id: string) => setQuery({ more: [...more.filter((one) => one !== id), id].slice(-15).join(","), sel: id }, true);
  return (
    <>
      <h1 class="unseen">Graph of {shown(group)}</h1>
      <div class="graph-tools">
        <div class="tabs" role="group" aria-label="Show as">
          <button type="button" aria-pressed={!asList} onClick={() => setQuery({ show: undefined })}>
            Graph
          </button>
          <button type="button" aria-pressed={asList} onClick={() => setQuery({ show: "list" })}>
            List
          </button>
        </div>
        <div class="tabs" role="group" aria-label="Colours">
          <button type="button" aria-pressed={by === "label"} onClick={() => setQuery({ colour: undefined })}>
            by kind
          </button>
          <button type="button" aria-pressed={by === "community"} onClick={() => setQuery({ colour: "community" })}>
            by community
          </button>
        </div>
        <span class="graph-count" role="status" ref={scene.count} />
        {!asList && (
          <button type="button" class="button small switch" aria-pressed={loose} title="Show also what nothing is tied to at these times" onClick={() => setQuery({ loose: loose ? undefined : "shown" })}>
            Loose ones
          </button>
        )}
        {query.get("around") && (
          <button type="button" class="button small" onClick={() => setQuery({ around: undefined, more: undefined }, true)}>
            Show all
          </button>
        )}
        <SqlButton query={sql.graph(group, valid, known)} />
      </div>
      {model.partial && (
        <p class="graph-partial">
          {model.lines.id.length.toLocaleString("en-GB")} of {plural(model.factsTotal, "fact")}, around {query.get("around") ? "what you chose" : "what is spoken of most"}. A double click
          on an entity brings more.
        </p>
      )}
      {asList ? (
        <GraphList group={group} model={model} />
      ) : (
        <div
          class="graph-box"
          ref={scene.box}
          tabIndex={0}
          role="application"
          aria-label={`Graph of ${plural(model.entities.id.length, "entity", "entities")} and ${plural(model.factsTotal, "fact")}. Arrows move it, plus and minus zoom. The list has the same.`}
          onKeyDown={(event) => scene.current && keyed(event, scene.current)}
        />
      )}
      {!asList && model.entities.id.length === 0 && <p class="nothing graph-nothing">Nothing is known in this memory yet. What is said in it becomes entities, and facts between them.</p>}
      {!asList && scene.current && <Legend of={scene.current.palette} />}
      {selected >= 0 && scene.current && <GraphPanel group={group} model={model} scene={scene.current} place={selected} beside={beside} expand={expand} expanded={more.includes(query.get("sel") ?? "")} />}
    </>
  );
}

interface Look {
  by: By;
  selected: number;
  beside: number;
  loose: boolean;
}

interface Stage {
  box: { current: HTMLDivElement | null };
  count: { current: HTMLSpanElement | null };
  current: Scene | null;
}

// useScene keeps the painting and the page together: what is chosen, the colours, the times, and what is being typed.
function useScene(group: string, model: Model, { by, selected, beside, loose }: Look, query: URLSearchParams, asList: boolean): Stage {
  const box = useRef<HTMLDivElement>(null);
  const count = useRef<HTMLSpanElement>(null);
  const kept = useRef<Map<string, [number, number]> | undefined>(undefined);
  const address = useRef({ query, by });
  address.current = { query, by };
  const [scene, setScene] = useState<Scene | null>(null);
  useEffect(() => {
    if (asList || !box.current) return;
    const entity = (place: number) => setQuery({ sel: place < 0 ? undefined : model.entities.id[place], with: undefined });
    const line = (at: number) => go(href(group, "facts", model.lines.id[at]));
    const expand = (place: number) => {
      const id = model.entities.id[place];
      if (!model.partial) setQuery({ around: id }, true);
      else setQuery({ more: [...list(address.current.query, "more").filter((one) => one !== id), id].slice(-15).join(",") }, true);
    };
    const made = new Scene(box.current, model, address.current.by, { entity, line, expand }, kept.current);
    const show = ({ valid, known }: Times) => {
      // Now is whatever time it is: also what was learned a moment ago is known, and a plan has not begun.
      const counts = made.show(valid ?? now(), known ?? latest);
      if (count.current) count.current.textContent = inWords(counts);
    };
    made.paint(address.current.by);
    show(timesNow());
    setScene(made);
    performance.mark("annals:graph-painted");
    const stops = [onTimes(show), onFound((ids) => made.point(ids)), onTheme(() => made.paint(address.current.by))];
    return () => {
      for (const stop of stops) stop();
      kept.current = made.positions();
      made.end();
      setScene(null);
    };
  }, [model, asList]);
  useEffect(() => scene?.paint(by), [scene, by]);
  useEffect(() => scene?.fold(!loose), [scene, loose]);
  useEffect(() => scene?.select(selected, beside), [scene, selected, beside]);
  return useMemo(() => ({ box, count, current: scene }), [scene, by]);
}

function inWords({ holds, ended, entities, loose }: Counts): string {
  return `${plural(entities, "entity", "entities")}${loose ? ` (${loose.toLocaleString("en-GB")} loose)` : ""} · ${plural(holds, "fact")} hold${holds === 1 ? "s" : ""} · ${ended.toLocaleString("en-GB")} past`;
}

function keyed(event: KeyboardEvent, scene: Scene): void {
  if (typing(event)) return;
  const step = 0.12;
  const keys: Record<string, () => void> = {
    ArrowLeft: () => scene.look(-step, 0),
    ArrowRight: () => scene.look(step, 0),
    ArrowUp: () => scene.look(0, -step),
    ArrowDown: () => scene.look(0, step),
    "+": () => scene.look(0, 0, 1.4),
    "=": () => scene.look(0, 0, 1.4),
    "-": () => scene.look(0, 0, 1 / 1.4),
    "0": () => scene.all(),
    Escape: () => setQuery({ sel: undefined, with: undefined }),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

function Legend({ of }: { of: Palette }): JSX.Element {
  return (
    <ul class="legend" aria-label="Colours">
      {of.legend.map((one) => (
        <li key={one.name}>
          <span class="swatch" style={{ background: one.colour }} aria-hidden="true" />
          {shown(one.name)} <span class="soft number">{one.count.toLocaleString("en-GB")}</span>
        </li>
      ))}
    </ul>
  );
}
