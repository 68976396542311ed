// The two sliders at the foot of the page: in the world, and as we knew it.
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { AxisTimes, Times as Answer } from "../core/answers";
import { get, useLoaded } from "../core/service";
import { axis, type Axis } from "./axis";
import { parsed } from "./moment";
import { TimeSlider } from "./slider";
import { moveTimes, settleTimes, useTimes } from "./times";

export function TimeBar({ group }: { group: string }): JSX.Element {
  const answer = useLoaded((signal) => get<Answer>(group, ["times"], { marks: 400 }, signal), [group]);
  const times = useTimes();
  const [even, setEven] = useState<{ valid?: boolean; known?: boolean }>({});
  const bar = useRef<HTMLElement>(null);
  // The page keeps room for the bar, however high it is here.
  useLayoutEffect(() => {
    const root = document.documentElement.style;
    const size = new ResizeObserver(() => root.setProperty("--times-height", bar.current!.offsetHeight + "px"));
    size.observe(bar.current!);
    return () => {
      size.disconnect();
      root.setProperty("--times-height", "0px");
    };
  }, []);
  const valid = useMemo(() => answer.data && axisOf(answer.data.valid, even.valid), [answer.data, even.valid]);
  const known = useMemo(() => answer.data && axisOf(answer.data.known, even.known), [answer.data, even.known]);
  return (
    <section class="times" ref={bar} aria-label="Times">
      {valid && known && (
        <>
          <TimeSlider
            label="In the world"
            kind="valid"
            axis={valid}
            value={times.valid}
            onMove={(to) => moveTimes({ valid: to })}
            onSettle={() => settleTimes()}
            onEven={(to) => setEven({ ...even, valid: to })}
          />
          <TimeSlider
            label="As we knew it"
            kind="known"
            axis={known}
            value={times.known}
            onMove={(to) => moveTimes({ known: to })}
            onSettle={() => settleTimes()}
            onEven={(to) => setEven({ ...even, known: to })}
          />
        </>
      )}
    </section>
  );
}

// axisOf takes the marks of the service; of a group with more of them than it names, each stands for those up to the next.
function axisOf(of: AxisTimes, even: boolean | undefined): Axis {
  const changes = (of.marks ?? []).reduce((sum, mark) => sum + mark.facts, 0);
  const all = (of.marks ?? []).map((mark) => parsed(mark.at, NaN));
  const last = parsed(of.last, NaN);
  if (!of.complete) all.push(last);
  return axis(Float64Array.from(new Set(all.filter((at) => !Number.isNaN(at)))).sort(), even, changes);
}
