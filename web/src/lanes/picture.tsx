// The lanes on the page: they follow the sliders, are moved and walked through by keys, and tell of the bar that is chosen.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { href } from "../core/address";
import { now } from "../core/clock";
import { Words } from "../core/words";
import { dayOf, instant, parsed } from "../time/moment";
import { latest, useTimes } from "../time/times";
import { AxisLine, Drawing, axisHeight } from "./drawing";
import { savePNG, saveSVG, type Sheet } from "./export";
import { arrange, headHeight, nameColumn, whole, type Row, type Strip, type Track } from "./layout";

interface Props {
  group: string;
  tracks: Track[];
  name: string;
  /** As it was known then; left out: where the slider stands. */
  known?: number;
  title?: string;
  different?: ReadonlySet<string>;
  stretch?: [number, number];
  onStretch?: (to: [number, number] | undefined) => void;
  bare?: boolean;
}

/** How far out of sight lanes are still drawn. */
const margin = 500;

export function LanePicture(props: Props): JSX.Element {
  const { group, tracks, different, bare } = props;
  const times = useTimes();
  const box = useRef<HTMLElement>(null);
  const [width, sight] = useSight(box);
  const [chosen, choose] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [own, setOwn] = useState<[number, number]>();
  const all = useMemo(() => whole(tracks, now()), [tracks]);
  const [first, last] = props.stretch ?? own ?? all;
  const move = props.onStretch ?? setOwn;
  const known = props.known ?? times.known ?? latest;
  const valid = times.valid ?? now();
  const names = width < 560;
  const column = useMemo(() => nameColumn(tracks), [tracks]);
  const on = { first, last, left: names ? 4 : column, right: width - 2 };
  const { rows, height } = useMemo(() => arrange(tracks, known, on, names, open), [tracks, known, first, last, width, open]);
  const shownKnown = known === latest ? undefined : known;
  const seen = rows.filter((row) => row.y + row.height > sight[0] - margin && row.y - headHeight < sight[1] + margin);
  const picked = rows.flatMap((row) => row.placed).find((one) => one.strip.id === chosen)?.strip;
  const sheet = (): Sheet => ({ rows, height, on, names, valid, known: shownKnown });
  const zoom = (by: number, to = 0) => {
    const [middle, half] = [(first + last) / 2 + to * (last - first), ((last - first) / 2) * by];
    move(half >= (all[1] - all[0]) / 2 ? undefined : [middle - half, middle + half]);
  };
  const keyed = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      "+": () => zoom(1 / 1.5),
      "=": () => zoom(1 / 1.5),
      "-": () => zoom(1.5),
      "0": () => move(undefined),
      Escape: () => choose(""),
      ArrowRight: () => (event.shiftKey ? zoom(1, 0.25) : walk(1)),
      ArrowLeft: () => (event.shiftKey ? zoom(1, -0.25) : walk(-1)),
      ArrowDown: () => jump(1),
      ArrowUp: () => jump(-1),
    };
    if (!keys[event.key] || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  };
  const line = rows.flatMap((row) => [...row.placed].sort((a, b) => a.x0 - b.x0).map((one) => ({ id: one.strip.id, row })));
  const take = (to: { id: string; row: Row } | undefined) => {
    if (!to) return;
    choose(to.id);
    const top = box.current!.getBoundingClientRect().top + axisHeight + to.row.y;
    if (top < 120 || top + to.row.height > innerHeight - 220) scrollBy({ top: top - innerHeight / 3 });
  };
  const place = line.findIndex((one) => one.id === chosen);
  const walk = (by: number) => take(line[place < 0 ? 0 : Math.min(Math.max(place + by, 0), line.length - 1)]);
  const jump = (by: number) => {
    if (place < 0) return take(line[0]);
    const row = rows[rows.indexOf(line[place].row) + by];
    take(row && line.find((one) => one.row === row));
  };
  return (
    <figure class="lanes" ref={box}>
      {props.title && <figcaption>{props.title}</figcaption>}
      {!bare && (
        <div class="lane-tools" role="group" aria-label="The picture">
          <button type="button" class="button small" aria-label="Closer" title="Closer (+)" onClick={() => zoom(1 / 1.5)}>
            +
          </button>
          <button type="button" class="button small" aria-label="Farther" title="Farther (−)" onClick={() => zoom(1.5)} disabled={first === all[0] && last === all[1]}>
            −
          </button>
          <button type="button" class="button small" aria-label="Earlier" title="Earlier (Shift ←)" onClick={() => zoom(1, -0.25)} disabled={first <= all[0]}>
            ←
          </button>
          <button type="button" class="button small" aria-label="Later" title="Later (Shift →)" onClick={() => zoom(1, 0.25)} disabled={last >= all[1]}>
            →
          </button>
          <span class="apart" />
          <button type="button" class="button small" onClick={() => saveSVG(sheet(), props.name)}>
            SVG
          </button>
          <button type="button" class="button small" onClick={() => void savePNG(sheet(), props.name)}>
            PNG
          </button>
        </div>
      )}
      <svg class="lane-axis" width={width} height={axisHeight} aria-hidden="true">
        <AxisLine on={on} known={shownKnown} />
      </svg>
      {rows.length === 0 && <p class="nothing">Nothing of it was known then.</p>}
      <svg
        class="lane-bars"
        width={width}
        height={Math.max(height, 1)}
        role="listbox"
        tabindex={0}
        aria-label={`${props.title ?? "What can change"}: arrows walk through it`}
        aria-activedescendant={chosen || undefined}
        onKeyDown={keyed}
        onClick={(event) => choose((event.target as Element).closest<SVGElement>("[data-bar]")?.dataset.bar ?? "")}
      >
        <Drawing
          rows={seen}
          {...{ on, names, height, valid, chosen, different }}
          known={shownKnown}
          onOpen={(id) => setOpen((was) => (was.has(id) ? new Set([...was].filter((one) => one !== id)) : new Set([...was, id])))}
        />
      </svg>
      {picked && <Chosen group={group} of={picked} onClose={() => choose("")} />}
    </figure>
  );
}

// useSight follows how wide the picture is, and which part of it is in sight.
function useSight(box: { current: HTMLElement | null }): [number, [number, number]] {
  const [width, setWidth] = useState(760);
  const [sight, setSight] = useState<[number, number]>([0, 1200]);
  useLayoutEffect(() => {
    const size = new ResizeObserver(([entry]) => setWidth(Math.max(280, Math.floor(entry.contentRect.width))));
    size.observe(box.current!);
    return () => size.disconnect();
  }, []);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const top = box.current?.getBoundingClientRect().top ?? 0;
      setSight((was) => (Math.abs(was[0] + top) < margin / 2 && was[1] - was[0] === innerHeight ? was : [-top, innerHeight - top]));
    };
    const scrolled = () => (frame ||= requestAnimationFrame(look));
    look();
    addEventListener("scroll", scrolled, { passive: true });
    addEventListener("resize", scrolled);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", scrolled);
      removeEventListener("resize", scrolled);
    };
  }, []);
  return [width, sight];
}

// Chosen tells all of one bar in words.
function Chosen({ group, of, onClose }: { group: string; of: Strip; onClose: () => void }): JSX.Element {
  const { bar, ghost, wrong, since } = of;
  const from = instant(parsed(bar.believed.from, 0));
  return (
    <section class="lane-chosen" aria-live="polite" aria-label="What is chosen">
      <button type="button" class="plain close" aria-label="Close" onClick={onClose}>
        ×
      </button>
      <p class="said">
        <a href={href(group, "facts", bar.fact_id)}>{wrong ? <s><Words of={bar.told} /></s> : <Words of={bar.told} />}</a>
      </p>
      <p class="meta">
        <span class="tag world">{bar.when}</span>
        <span class="tag known">
          {ghost ? `believed from ${from} until ${instant(parsed(bar.believed.until, 0))}, ${bar.state} on ${instant(since)}` : `known like this since ${from}`}
        </span>
        {bar.said_at && <span>said on {dayOf(parsed(bar.said_at, 0))}</span>}
        {bar.state === "planned" && <span class="tag">planned</span>}
      </p>
      {bar.by && (
        <p class="meta">
          {ghost ? "now" : "until"}:{" "}
          <a href={href(group, "facts", bar.by.fact_id)}>
            <Words of={bar.by.told} />
          </a>
        </p>
      )}
      {bar.also.map((one) => (
        <p class="meta" key={one.fact_id}>
          also:{" "}
          <a href={href(group, "facts", one.fact_id)}>
            <Words of={one.told} />
          </a>
          <span>{one.when}</span>
        </p>
      ))}
    </section>
  );
}
