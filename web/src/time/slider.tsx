// One axis of time to drag along, with marks where something changed.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { density, place, timeAt, type Axis } from "./axis";
import { nextMark } from "./intervals";
import { instant, plural, shortDay } from "./moment";

interface Props {
  label: string;
  kind: "valid" | "known";
  axis: Axis;
  /** null: now. */
  value: number | null;
  onMove: (to: number | null) => void;
  onSettle: () => void;
  onEven: (even: boolean) => void;
}

const stretches = 240;
const playedIn = 14_000;

export function TimeSlider(props: Props): JSX.Element {
  const { axis, value, kind } = props;
  const bars = useMemo(() => barsOf(axis), [axis]);
  const [playing, setPlaying] = useState(false);
  const latest = useRef(props);
  latest.current = props;
  const halt = useRef(() => {});
  useEffect(() => {
    if (!playing) return;
    halt.current = play(latest, () => setPlaying(false));
    return () => {
      halt.current();
      latest.current.onSettle();
    };
  }, [playing]);
  // A hand on the slider ends the play at once, before its next frame.
  const stop = () => {
    halt.current();
    setPlaying(false);
  };
  const toggle = () => (playing ? stop() : setPlaying(true));
  const at = value === null ? 1 : place(axis, value);
  const text = value === null ? "now" : inWords(value, axis);
  const settle = useRef(0);
  const move = (to: number | null) => {
    stop();
    props.onMove(to);
    clearTimeout(settle.current);
    settle.current = window.setTimeout(props.onSettle, 300);
  };
  return (
    <div class={"axis " + kind}>
      <span class="axis-name" id={"axis-" + kind}>
        {props.label}
      </span>
      <button
        type="button"
        class="plain play"
        aria-label={playing ? `Stop: ${props.label}` : `Play: ${props.label}`}
        title={playing ? "Stop" : "Play what happened"}
        onClick={toggle}
      >
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          {playing ? <path d="M3 2h3v10H3zM8 2h3v10H8z" fill="currentColor" /> : <path d="M3.5 1.8v10.4L12 7z" fill="currentColor" />}
        </svg>
      </button>
      <div class="axis-body">
        <div
          class="slider"
          role="slider"
          tabIndex={0}
          data-axis={kind}
          aria-labelledby={"axis-" + kind}
          aria-valuemin={0}
          aria-valuemax={1000}
          aria-valuenow={Math.round(at * 1000)}
          aria-valuetext={text}
          onKeyDown={(event) => keyed(event, props, move, toggle)}
          onPointerDown={(event) => drag(event, latest, stop)}
        >
          <svg class="bars" viewBox={`0 0 ${stretches} 10`} preserveAspectRatio="none" aria-hidden="true">
            <path d={bars} />
          </svg>
          <div class="done" style={{ width: at * 100 + "%" }} />
          <div class="thumb" style={{ left: at * 100 + "%" }} />
        </div>
        <div class="ends">
          <span aria-hidden="true">{axis.marks.length ? shortDay(axis.marks[0]) : ""}</span>
          <span class="scale" role="group" aria-label={`${props.label}: ${plural(axis.changes, "change")}`}>
            {plural(axis.changes, "change")}
            <button type="button" class="switch" aria-pressed={!axis.even} title="Draw to scale" onClick={() => props.onEven(false)}>
              to scale
            </button>
            <button type="button" class="switch" aria-pressed={axis.even} title="Give each change the same room" onClick={() => props.onEven(true)}>
              evenly
            </button>
          </span>
          <span aria-hidden="true">now</span>
        </div>
      </div>
      <output class="axis-value" aria-hidden="true">
        {text}
      </output>
      <button type="button" class="plain to-now" disabled={value === null} onClick={() => move(null)} aria-label={`${props.label}: back to now`}>
        Now
      </button>
    </div>
  );
}

// inWords tells parts of a second where a memory was filled within minutes.
function inWords(at: number, { first, last }: Axis): string {
  const text = instant(at);
  if (last - first > 600_000) return text;
  return text.split(",")[0] + ", " + new Date(at).toISOString().slice(11, 23);
}

function barsOf(axis: Axis): string {
  const heights = density(axis, stretches);
  let path = "";
  for (let i = 0; i < stretches; i++) {
    if (heights[i] > 0) path += `M${i + 0.5} 10V${(10 - 2.5 - heights[i] * 7).toFixed(1)}`;
  }
  return path;
}

/** atPlace is the time under the hand; the last part of an axis is now. */
function atPlace(axis: Axis, where: number): number | null {
  return where >= 0.994 ? null : timeAt(axis, where);
}

function drag(event: PointerEvent, latest: { current: Props }, stop: () => void): void {
  if (event.button !== 0) return;
  stop();
  const slider = event.currentTarget as HTMLElement;
  slider.focus({ preventScroll: true });
  slider.setPointerCapture(event.pointerId);
  event.preventDefault();
  let frame = 0;
  let to: number | null = null;
  const show = () => {
    frame = 0;
    latest.current.onMove(to);
  };
  // A mouse may report many times a frame; each frame shows the last one.
  const move = (moved: PointerEvent) => {
    const box = slider.getBoundingClientRect();
    to = atPlace(latest.current.axis, (moved.clientX - box.left) / box.width);
    if (!frame) frame = requestAnimationFrame(show);
  };
  const end = () => {
    cancelAnimationFrame(frame);
    show();
    slider.removeEventListener("pointermove", move);
    slider.removeEventListener("pointerup", end);
    slider.removeEventListener("pointercancel", end);
    latest.current.onSettle();
  };
  slider.addEventListener("pointermove", move);
  slider.addEventListener("pointerup", end);
  slider.addEventListener("pointercancel", end);
  move(event);
}

function keyed(event: KeyboardEvent, props: Props, move: (to: number | null) => void, toggle: () => void): void {
  const { axis, value } = props;
  const now = value ?? axis.last;
  const by = (step: number) => atPlace(axis, (value === null ? 1 : place(axis, value)) + step);
  const actions: Record<string, () => number | null> = {
    ArrowRight: () => (event.shiftKey ? by(0.01) : (nextMark(axis.marks, now, true) ?? null)),
    ArrowLeft: () => (event.shiftKey ? by(-0.01) : (nextMark(axis.marks, now, false) ?? axis.first)),
    PageUp: () => by(0.1),
    PageDown: () => by(-0.1),
    Home: () => axis.first,
    End: () => null,
  };
  actions.ArrowUp = actions.ArrowRight;
  actions.ArrowDown = actions.ArrowLeft;
  if (event.key === " ") toggle();
  else if (actions[event.key]) move(actions[event.key]());
  else return;
  event.preventDefault();
}

/** play runs an axis from where it stands, or from its beginning, to now; in steps for those who want no motion. */
function play(latest: { current: Props }, done: () => void): () => void {
  const start = latest.current.value;
  const { axis } = latest.current;
  let where = start === null ? 0 : place(axis, start);
  let before = performance.now();
  let shown = before;
  let frame = 0;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const step = (time: number) => {
    where += (time - before) / playedIn;
    before = time;
    if (where >= 0.994) {
      latest.current.onMove(null);
      latest.current.onSettle();
      done();
      return;
    }
    if (!calm || time - shown > 900) {
      latest.current.onMove(atPlace(axis, where));
      shown = time;
    }
    frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}
