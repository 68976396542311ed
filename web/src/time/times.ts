// The two times at which the memory is looked at. null is now. Dragging tells "live" listeners on every frame; what asks the
// service waits until the hand rests and the address has changed.
import { useEffect, useState } from "preact/hooks";
import { onAddress, readAddress, setQuery } from "../core/address";
import { asked, parsed } from "./moment";

export interface Times {
  valid: number | null;
  known: number | null;
}

/** What is known now is known at any time from now on. It is finite, as what is still believed has an infinite end. */
export const latest = Number.MAX_VALUE;

const live = new Set<(times: Times) => void>();
let times: Times = fromAddress();

function fromAddress(): Times {
  const { query } = readAddress();
  return { valid: read(query.get("valid")), known: read(query.get("known")) };
}

function read(text: string | null): number | null {
  const at = parsed(text, NaN);
  return Number.isNaN(at) ? null : at;
}

export function timesNow(): Times {
  return times;
}

/** moveTimes shows another time at once, without asking the service or writing the address. */
export function moveTimes(change: Partial<Times>): void {
  times = { ...times, ...change };
  for (const listen of live) listen(times);
}

/** settleTimes writes the times into the address, which makes lists ask anew. */
export function settleTimes(change: Partial<Times> = {}): void {
  moveTimes(change);
  setQuery({
    valid: asked(times.valid),
    known: asked(times.known),
  });
}

export function onTimes(listen: (times: Times) => void): () => void {
  live.add(listen);
  return () => void live.delete(listen);
}

/** followAddress takes the times over from an address that was opened, or gone back to. */
export function followAddress(): void {
  onAddress(() => {
    const found = fromAddress();
    if (found.valid !== times.valid || found.known !== times.known) {
      times = found;
      for (const listen of live) listen(times);
    }
  });
}

/** useTimes gives the times as they move. */
export function useTimes(): Times {
  const [found, set] = useState(times);
  useEffect(() => onTimes(set), []);
  return found;
}
