// A fact in its two times: to the right what held in the world, upwards what was believed. Each version is a surface, so that
// one sees at once what was thought of which time, and when. The lines are where the sliders stand.
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { axis, place, type Axis } from "./axis";
import { instant, shortDay } from "./moment";
import { useTimes } from "./times";

export interface Version {
  validFrom: number;
  validUntil: number;
  knownFrom: number;
  knownUntil: number;
  current: boolean;
  when: string;
  /** The ends that are known, as exactly as they are. */
  bounds: { at: number; named: string }[];
}

const height = 220;
const left = 122;
const bottom = 34;
/** How many of the latest versions are read out; all are listed below the picture. */
const told = 12;
/** About how wide a letter is. */
const letter = 6.4;

export function TimePicture({ versions }: { versions: Version[] }): JSX.Element | null {
  const times = useTimes();
  const [figure, width] = useWidth();
  if (versions.length === 0) return null;
  const world = spaced(versions.flatMap((v) => [v.validFrom, v.validUntil]));
  const known = spaced(versions.flatMap((v) => [v.knownFrom, v.knownUntil]));
  const x = (at: number) => left + 8 + place(world, at) * (width - left - 20);
  const y = (at: number) => height - bottom - 4 - place(known, at) * (height - bottom - 16);
  const names = new Map(versions.flatMap((v) => v.bounds.map((bound) => [bound.at, bound.named] as const)));
  const said = versions.slice(-told).map((v) => `From ${instant(v.knownFrom)}${Number.isFinite(v.knownUntil) ? " until " + instant(v.knownUntil) : ""} it was believed: ${v.when}.`);
  return (
    <figure class="picture" ref={figure}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said.join(" ")}>
        <line class="frame" x1={left} y1={height - bottom} x2={width - 4} y2={height - bottom} />
        <line class="frame" x1={left} y1={8} x2={left} y2={height - bottom} />
        {versions.map((v, i) => (
          <rect
            key={i}
            class={v.current ? "version current" : "version"}
            x={x(v.validFrom)}
            y={y(v.knownUntil)}
            width={Math.max(3, x(v.validUntil) - x(v.validFrom))}
            height={Math.max(3, y(v.knownFrom) - y(v.knownUntil))}
          >
            <title>{v.when}</title>
          </rect>
        ))}
        <WorldTicks of={world} at={x} width={width} names={names} />
        <KnownTicks of={known} at={y} />
        <line class="here valid" x1={x(times.valid ?? world.last)} x2={x(times.valid ?? world.last)} y1={8} y2={height - bottom} />
        <line class="here known" x1={left} x2={width - 4} y1={y(times.known ?? known.last)} y2={y(times.known ?? known.last)} />
        <text class="axis-title valid" x={width - 4} y={height - 3} text-anchor="end">
          in the world →
        </text>
        <text class="axis-title known" x={4} y={14}>
          ↑ as we knew it
        </text>
      </svg>
    </figure>
  );
}

// useWidth follows the width that there is, so that letters keep their size on a phone.
function useWidth(): [{ current: HTMLElement | null }, number] {
  const figure = useRef<HTMLElement>(null);
  const [width, set] = useState(720);
  useLayoutEffect(() => {
    const size = new ResizeObserver(([entry]) => set(Math.max(260, Math.round(entry.contentRect.width))));
    size.observe(figure.current!);
    return () => size.disconnect();
  }, []);
  return [figure, width];
}

// spaced gives each bound the same room: what matters here is what came before what.
function spaced(bounds: number[]): Axis {
  return axis(Float64Array.from(new Set(bounds.filter(Number.isFinite))).sort(), true);
}

// Labels that would lie on each other are left out; versions are listed below.
function WorldTicks({ of, at, width, names }: { of: Axis; at: (time: number) => number; width: number; names: Map<number, string> }): JSX.Element {
  let taken = 0;
  return (
    <>
      {[...of.marks].map((mark) => {
        const where = at(mark);
        const name = (names.get(mark) ?? shortDay(mark)).replace(/^the /, "");
        const half = (name.length * letter) / 2;
        const free = where - half >= taken + 8 && where + half < width - 90;
        if (free) taken = where + half;
        return (
          <g key={mark}>
            <line class="tick" x1={where} x2={where} y1={height - bottom} y2={height - bottom + 5} />
            {free && (
              <text x={where} y={height - bottom + 18} text-anchor="middle">
                {name}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

function KnownTicks({ of, at }: { of: Axis; at: (time: number) => number }): JSX.Element {
  let last = Infinity;
  return (
    <>
      {[...of.marks].map((mark) => {
        const where = at(mark);
        const free = last - where >= 16;
        if (free) last = where;
        return (
          <g key={mark}>
            <line class="tick" x1={left - 5} x2={left} y1={where} y2={where} />
            {free && (
              <text x={left - 9} y={where + 4} text-anchor="end">
                {label(of, mark)}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

// label tells the clock where all marks lie within a day or two, and else the day.
function label(of: Axis, mark: number): string {
  const span = of.marks[of.marks.length - 1] - of.marks[0];
  if (of.marks.length < 2 || span > 2 * 86_400_000) return shortDay(mark);
  return new Date(mark).toISOString().slice(11, span < 2000 ? 23 : 19);
}
