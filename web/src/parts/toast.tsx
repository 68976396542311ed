// A line at the foot of the page that says what was just done, and takes it back where that can be.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem, memoryChanged } from "../core/service";

interface Told {
  text: string;
  undo?: () => Promise<unknown>;
}

let show: ((told: Told | null) => void) | undefined;

export function tell(text: string, undo?: () => Promise<unknown>): void {
  show?.({ text, undo });
}

export function Toast(): JSX.Element {
  const [told, set] = useState<Told | null>(null);
  show = set;
  useEffect(() => {
    if (!told) return;
    const timer = setTimeout(() => set(null), told.undo ? 15_000 : 6_000);
    return () => clearTimeout(timer);
  }, [told]);
  const back = async () => {
    const { undo } = told!;
    set({ text: "One moment …" });
    try {
      await undo!();
      set({ text: "Taken back." });
    } catch (error) {
      set({ text: "That could not be taken back. " + (error instanceof Problem ? error.message : String(error)) });
    }
    memoryChanged();
  };
  return (
    <div role="status" aria-live="polite">
      {told && (
        <div class="toast">
          <span>{told.text}</span>
          {told.undo && (
            <button type="button" class="linkish" onClick={back}>
              Undo
            </button>
          )}
        </div>
      )}
    </div>
  );
}
