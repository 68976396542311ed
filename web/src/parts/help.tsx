import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../core/session";
import { Dialog } from "./dialog";

const keys: [string, string][] = [
  ["/", "Search this memory"],
  ["?", "This list"],
  ["↑ ↓", "From row to row of a list"],
  ["← →", "On a slider: to the change before or after"],
  ["Shift ← →", "On a slider: a small step"],
  ["Home End", "On a slider: to the beginning, to now"],
  ["Space", "On a slider: play what happened"],
  ["+ − arrows", "In the graph: closer, further, to the side"],
  ["Esc", "Close what is open"],
];

/** Help tells the keys and what the two colours of times mean. */
export function Help(): JSX.Element {
  const [open, setOpen] = useState(false);
  const { who } = useSession();
  useEffect(() => {
    const show = () => setOpen(true);
    window.addEventListener("annals:help", show);
    return () => window.removeEventListener("annals:help", show);
  }, []);
  return (
    <>
      <button type="button" class="plain" aria-label="Help and keys" title="Help and keys (?)" onClick={() => setOpen(true)}>
        <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
          <path d="M6.6 6.9a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.8" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
          <circle cx="9" cy="13.7" r="1.05" fill="currentColor" />
        </svg>
      </button>
      {open && (
        <Dialog title="Finding the way" onClose={() => setOpen(false)}>
          <p>
            A fact stands in two times: <span class="tag world">in the world</span>, when it held or happened, and{" "}
            <span class="tag known">as we knew it</span>, when the memory believed that. Two sliders at the foot of the page move both. What has ended by then
            is pale. All times are in UTC.
          </p>
          <dl class="keys field">
            {keys.map(([key, does]) => (
              <>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </>
            ))}
          </dl>
          <p class="soft field">
            Annals {who?.version}. Episodes are read by {who?.model ? "the model " + who.reader : "the offline rules, without a model"}. This key may{" "}
            {who?.rights === "erase" ? "read, write and erase" : who?.rights === "write" ? "read and write" : "only read"}.
          </p>
          <div class="actions">
            <button type="button" class="button main" onClick={() => setOpen(false)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
