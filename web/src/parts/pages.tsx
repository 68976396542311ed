// Lists that are read page by page, to their end.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem, useLoaded, type Loaded } from "../core/service";
import { Shown } from "./state";

export interface Page<T> {
  items: T[];
  next?: string;
}

/** Pages shows a list and, as long as there is more, a button that adds the next page. */
export function Pages<T>(props: {
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<T>>;
  depends: readonly unknown[];
  nothing: ComponentChildren;
  children: (items: T[]) => ComponentChildren;
}): JSX.Element {
  const first = useLoaded((signal) => props.load(undefined, signal), props.depends);
  const [more, setMore] = useState<{ of?: Page<T>; items: T[]; next?: string }>({ items: [] });
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => setMore({ of: first.data, items: [], next: first.data?.next }), [first.data]);
  const add = async () => {
    try {
      const page = await props.load(more.next);
      setMore((was) => ({ ...was, items: [...was.items, ...page.items], next: page.next }));
    } catch (error) {
      setProblem(error instanceof Problem ? error : new Problem(0, "internal", String(error)));
    }
  };
  return (
    <Shown of={first as Loaded<Page<T>>}>
      {(page) => {
        const items = more.of === page ? [...page.items, ...more.items] : page.items;
        if (items.length === 0) return <p class="nothing">{props.nothing}</p>;
        return (
          <>
            {props.children(items)}
            {problem && <p class="problem">{problem.message}</p>}
            {more.next && (
              <p class="section">
                <button type="button" class="button" onClick={add}>
                  Show more
                </button>
              </p>
            )}
          </>
        );
      }}
    </Shown>
  );
}
