// What is done seldom, or cannot be taken back, behind one button.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface Choice {
  name: string;
  bad?: boolean;
  act: () => void;
}

export function Menu({ of }: { of: Choice[] }): JSX.Element | null {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const element = menu.current;
      if (!element?.open || (event instanceof KeyboardEvent ? event.key !== "Escape" : element.contains(event.target as Node))) return;
      element.open = false;
      if (event instanceof KeyboardEvent) element.querySelector("summary")!.focus();
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  if (of.length === 0) return null;
  return (
    <details class="menu" ref={menu}>
      <summary class="button small">More</summary>
      <div>
        {of.map(({ name, bad, act }) => (
          <button
            key={name}
            type="button"
            class={bad ? "plain bad" : "plain"}
            onClick={() => {
              menu.current!.open = false;
              act();
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </details>
  );
}
