// What is shown while the service is asked, and where it refused.
import type { ComponentChildren, JSX } from "preact";
import type { Loaded } from "../core/service";

/** Shown shows what was loaded; what was there before stays in sight until the answer comes. */
export function Shown<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }): JSX.Element {
  if (of.error) {
    return (
      <p class="problem" role="alert">
        {of.error.message}{" "}
        <button type="button" class="linkish" onClick={of.again}>
          Try again
        </button>
      </p>
    );
  }
  if (of.data === undefined) return <p class="nothing" aria-busy="true">Loading …</p>;
  return <>{children(of.data)}</>;
}

/** Head is the title of a page with what can be done about all of it. */
export function Head({ title, tools, children }: { title: ComponentChildren; tools?: ComponentChildren; children?: ComponentChildren }): JSX.Element {
  return (
    <header class="page-head">
      <h1>{title}</h1>
      {tools && <div class="tools">{tools}</div>}
      {children && <p>{children}</p>}
    </header>
  );
}

export function Section({ title, tools, children }: { title: string; tools?: ComponentChildren; children: ComponentChildren }): JSX.Element {
  return (
    <section class="section">
      <div class="section-head">
        <h2>{title}</h2>
        {tools}
      </div>
      {children}
    </section>
  );
}
