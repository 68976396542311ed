// The lanes as a picture. It has its colours by name, so that one drawing serves the page and what is exported.
import type { JSX } from "preact";
import { shown } from "../core/words";
import { parsed } from "../time/moment";
import { across, headHeight, laneName, nameHeight, rowHeight, ticks, type Placed, type Row, type Scale } from "./layout";

interface Props {
  rows: Row[];
  on: Scale;
  /** Names of lanes stand above their bars. */
  names: boolean;
  height: number;
  /** Where the sliders stand; undefined: not in the picture. */
  valid: number;
  known?: number;
  chosen?: string;
  /** The ids of bars that the other picture does not have. */
  different?: ReadonlySet<string>;
  onOpen?: (track: string) => void;
}

export const axisHeight = 26;
const barHeight = 20;

/** Drawing is what stands in the picture, below its axis. */
export function Drawing(props: Props): JSX.Element {
  const { rows, on, height } = props;
  const placed = new Map(rows.flatMap((row) => row.placed.map((one) => [one.strip.bar.fact_id + one.strip.ghost, { one, row }] as const)));
  return (
    <>
      <Defs />
      {ticks(on).map((tick) => (
        <line key={tick.at} x1={across(on, tick.at)} x2={across(on, tick.at)} y1={0} y2={height} stroke="var(--line)" stroke-width={tick.strong ? 1.5 : 1} aria-hidden="true" />
      ))}
      {inside(on, props.valid) && <line class="here" x1={across(on, props.valid)} x2={across(on, props.valid)} y1={0} y2={height} stroke="var(--world)" stroke-width="1.5" aria-hidden="true" />}
      {props.known !== undefined && inside(on, props.known) && (
        <line class="here" x1={across(on, props.known)} x2={across(on, props.known)} y1={0} y2={height} stroke="var(--known)" stroke-width="1.5" stroke-dasharray="4 3" aria-hidden="true" />
      )}
      {rows.map((row) => (
        <LaneRow key={row.track.id} row={row} {...props} found={placed} />
      ))}
    </>
  );
}

/** AxisLine names the times. */
export function AxisLine({ on, known }: { on: Scale; known?: number }): JSX.Element {
  return (
    <>
      {ticks(on).map((tick) => (
        <text key={tick.at} x={across(on, tick.at) + 4} y={17} font-size="11" fill="var(--soft)" font-weight={tick.strong ? 600 : 400}>
          {across(on, tick.at) < on.right - 30 ? tick.name : ""}
        </text>
      ))}
      {known !== undefined && inside(on, known) && <path d={`M${across(on, known) - 4} 20h8l-4 6z`} fill="var(--known)" />}
    </>
  );
}

function inside(on: Scale, at: number): boolean {
  return at > on.first && at < on.last;
}

function Defs(): JSX.Element {
  return (
    <defs aria-hidden="true">
      {["world", "past"].flatMap((name) => {
        const colour = name === "world" ? "var(--bar)" : "var(--bar-past)";
        return [
          <linearGradient id={name + "-in"} key={name + "-in"}>
            <stop offset="0" stop-color={colour} stop-opacity="0" />
            <stop offset="1" stop-color={colour} />
          </linearGradient>,
          <linearGradient id={name + "-out"} key={name + "-out"}>
            <stop offset="0" stop-color={colour} />
            <stop offset="1" stop-color={colour} stop-opacity="0" />
          </linearGradient>,
        ];
      })}
    </defs>
  );
}

type Found = Map<string, { one: Placed; row: Row }>;

function LaneRow(props: Props & { row: Row; found: Found }): JSX.Element {
  const { row, names, on } = props;
  const { lane } = row.track;
  const name = laneName(lane);
  const top = row.y + (names ? nameHeight : 0);
  return (
    <>
      <g aria-hidden="true">
        {row.heads && (
          <text x={4} y={row.y - headHeight + 25} font-size="15" font-weight="600" fill="var(--ink)">
            {shown(lane.entity)}
          </text>
        )}
        <line x1={0} x2={on.right} y1={row.y} y2={row.y} stroke="var(--line)" />
        <text x={4} y={names ? row.y + 16 : row.y + 22} font-size="12.5" fill="var(--soft)">
          {name}
        </text>
      </g>
      {row.placed.map((one) => (
        <BarOf key={one.strip.id} {...props} of={one} y={top + 5 + one.row * rowHeight} lane={name} />
      ))}
      {(row.hidden > 0 || row.rows > 8) && props.onOpen && (
        <text class="more" x={on.left} y={row.y + row.height - 8} font-size="12" fill="var(--world)" text-decoration="underline" aria-hidden="true" onClick={() => props.onOpen!(row.track.id)}>
          {row.hidden > 0 ? `and ${row.hidden.toLocaleString("en-GB")} more rows` : "fewer"}
        </text>
      )}
    </>
  );
}

function BarOf(props: Props & { of: Placed; y: number; lane: string; found: Found; row: Row }): JSX.Element {
  const { of, y, valid, chosen, different } = props;
  const { strip } = of;
  const { bar } = strip;
  const text = strip.ghost ? "var(--known)" : strip.until <= valid && !strip.event ? "var(--soft)" : "var(--ink)";
  const anchor = of.beside === "left" ? "end" : "start";
  const x = of.beside === "right" ? of.x1 + (strip.event ? 10 : 5) : of.beside === "left" ? of.x0 - (strip.event ? 10 : 5) : of.x0 + 7;
  return (
    <g id={strip.id} role="option" aria-selected={chosen === strip.id} aria-label={`${props.lane}: ${shown(bar.label)}, ${bar.when}${strip.ghost ? ", " + bar.state : bar.state === "planned" ? ", planned" : ""}`} data-bar={strip.id}>
      <title>{shown(bar.told) + "\n" + bar.when}</title>
      {(chosen === strip.id || different?.has(strip.id)) && (
        <rect x={of.x0 - 4} y={y - 3} width={Math.max(of.x1 - of.x0, 4) + 8} height={barHeight + 6} rx="5" fill="none" stroke={chosen === strip.id ? "var(--focus)" : "var(--known)"} stroke-width="2" />
      )}
      {strip.event ? <Mark of={of} y={y} valid={valid} /> : <Body of={of} y={y} on={props.on} valid={valid} />}
      <text x={x} y={y + 14.5} font-size="12.5" fill={text} text-anchor={anchor} text-decoration={strip.wrong ? "line-through" : undefined}>
        {shown(of.label)}
      </text>
      {of.when && (
        <text x={x + of.wide + 6} y={y + 14} font-size="11" fill={strip.ghost ? "var(--known)" : "var(--soft)"}>
          {of.when}
        </text>
      )}
      <Learned {...props} />
    </g>
  );
}

// Body is a state: sure where it is known to have held, and soft where it may have.
function Body({ of, y, on, valid }: { of: Placed; y: number; on: Scale; valid: number }): JSX.Element {
  const { strip, x0, x1 } = of;
  const { bar } = strip;
  const clamp = (at: number) => Math.min(Math.max(Number.isFinite(at) ? across(on, at) : at < 0 ? x0 : x1, x0), x1);
  const frame = { y, height: barHeight };
  if (strip.ghost) return <rect x={x0} width={x1 - x0} {...frame} rx="3" fill="none" stroke="var(--known)" stroke-dasharray="2 3" />;
  if (bar.state === "planned") return <rect x={x0 + 0.5} width={Math.max(x1 - x0 - 1, 2)} {...frame} rx="3" fill="none" stroke="var(--world)" stroke-dasharray="5 3" />;
  const past = strip.until <= valid || strip.from > valid;
  const tone = past ? "past" : "world";
  const [fill, edge] = past ? ["var(--bar-past)", "var(--firm)"] : ["var(--bar)", bar.disputed ? "var(--warn)" : "var(--world)"];
  const open = !Number.isFinite(strip.from);
  const sure = !open ? clamp(strip.begun) : Number.isFinite(strip.until) ? x1 - 6 : clamp(strip.anchor);
  const [from, until] = [Math.min(sure, x1), Math.max(clamp(strip.lasts), Math.min(sure, x1))];
  const before = strip.bar.valid_from.basis === "said" && x0 > on.left + 2;
  return (
    <>
      {before && <rect x={x0 - 16} width={16} {...frame} fill={`url(#${tone}-in)`} />}
      {from > x0 && <rect x={x0} width={from - x0} {...frame} fill={`url(#${tone}-in)`} />}
      <rect x={from} width={Math.max(until - from, 1)} {...frame} fill={fill} />
      {x1 > until && <rect x={until} width={x1 - until} {...frame} fill={`url(#${tone}-out)`} />}
      <path d={`M${from} ${y + barHeight}H${Math.max(until, from + 1)}`} stroke={edge} stroke-width="2" />
      {(from > x0 || before) && <path d={`M${before ? x0 - 14 : x0} ${y + barHeight}H${before ? x0 : from}`} stroke={edge} stroke-width="2" stroke-dasharray="1.5 3" />}
      {x1 > until && <path d={`M${until} ${y + barHeight}H${x1}`} stroke={edge} stroke-width="2" stroke-dasharray="1.5 3" />}
      {from === x0 && !before && Number.isFinite(strip.from) && <path d={`M${x0 + 1} ${y}v${barHeight}`} stroke={edge} stroke-width="2" />}
      {until === x1 && Number.isFinite(strip.until) && x1 < on.right && <path d={`M${x1 - 1} ${y}v${barHeight}`} stroke={edge} stroke-width="2" />}
    </>
  );
}

// Mark is an event: a stone where it happened, over the stretch in which it may have.
function Mark({ of, y, valid }: { of: Placed; y: number; valid: number }): JSX.Element {
  const { strip } = of;
  const planned = strip.bar.state === "planned";
  const [x, middle] = [Number.isFinite(strip.from) ? of.x0 : of.x1, y + barHeight / 2];
  const colour = strip.ghost ? "var(--known)" : strip.from > valid ? "var(--firm)" : "var(--edge-event)";
  return (
    <>
      {of.x1 > of.x0 + 3 && <path d={`M${of.x0} ${middle}H${of.x1}`} stroke={colour} stroke-width="3" stroke-dasharray="1.5 3" />}
      <path d={`M${x} ${middle - 6}l6 6l-6 6l-6-6z`} fill={planned || strip.ghost ? "var(--sheet)" : colour} stroke={colour} stroke-width="1.5" />
    </>
  );
}

// Learned is when we learned of it, where that lies within the picture: joined to what it is about, and to what took the place of
// what never held. Beyond the bar it lies lower, so that it is not taken for that of the next one.
function Learned({ of, y, on, found, names }: { of: Placed; y: number; on: Scale; found: Found; names: boolean }): JSX.Element | null {
  const { bar, ghost, event, since } = of.strip;
  const at = ghost ? since : parsed(bar.believed.from, NaN);
  if (!inside(on, at)) return null;
  const x = across(on, at);
  const near = x < of.x0 ? of.x0 : Math.min(x, of.x1);
  if (!ghost && !event && Math.abs(x - of.x0) < 3) return null;
  const beyond = !ghost && !event && Math.abs(near - x) > 3;
  const base = ghost ? y : y + barHeight + (beyond ? 4 : 0);
  const by = ghost && bar.by ? found.get(bar.by.fact_id + "false") : undefined;
  const to = by ? by.row.y + (names ? nameHeight : 0) + 5 + by.one.row * rowHeight + barHeight : y;
  return (
    <>
      {to < y && <path d={`M${x} ${y}V${to}`} stroke="var(--known)" stroke-width="1.5" />}
      {Math.abs(near - x) > 3 && <path d={`M${near} ${beyond ? `${y + barHeight}V` : ""}${base}H${x}`} fill="none" stroke="var(--known)" stroke-width="1" stroke-dasharray={event ? "2 2" : undefined} />}
      <circle cx={x} cy={base} r="3.2" fill="var(--known)" stroke="var(--sheet)" />
    </>
  );
}
