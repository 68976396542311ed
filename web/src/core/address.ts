// The address says all that a view shows, so that it can be shared: /explore/GROUP/VIEW/ID?valid=…&known=…
import { useEffect, useState } from "preact/hooks";

export interface Address {
  group: string;
  view: string;
  id: string;
  query: URLSearchParams;
}

const listeners = new Set<() => void>();

export function readAddress(location: { pathname: string; search: string } = window.location): Address {
  const parts = location.pathname.split("/").filter(Boolean).map(unescaped);
  const [, group = "", view = "", ...rest] = parts;
  return { group, view, id: rest.join("/"), query: new URLSearchParams(location.search) };
}

// unescaped leaves a part of a path that was typed by hand as it stands where it is no valid escape.
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** href is the path of a view. The two times go along, so that a reader keeps standing where they were. */
export function href(group: string, view = "", id = "", query: Record<string, string | undefined> = {}): string {
  const path = ["/explore", group, view, id].filter(Boolean).map((part, i) => (i === 0 ? part : encodeURIComponent(part)));
  const kept = new URLSearchParams();
  if (group !== "" && group === readAddress().group) {
    for (const name of ["valid", "known"]) {
      const value = new URLSearchParams(window.location.search).get(name);
      if (value) kept.set(name, value);
    }
  }
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "") kept.delete(name);
    else kept.set(name, value);
  }
  const text = kept.toString();
  return path.join("/") + (text ? "?" + text : "");
}

export function go(to: string, replace = false): void {
  if (to === window.location.pathname + window.location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  tell();
  if (!replace) window.scrollTo(0, 0);
}

/** setQuery changes parts of the query in place; undefined or "" takes one away. */
export function setQuery(change: Record<string, string | undefined>, push = false): void {
  const query = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(window.location.pathname + (text ? "?" + text : ""), !push);
}

export function useAddress(): Address {
  const [address, set] = useState(readAddress);
  useEffect(() => {
    const listen = () => set(readAddress());
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
  return address;
}

export function onAddress(listen: () => void): () => void {
  listeners.add(listen);
  return () => void listeners.delete(listen);
}

function tell(): void {
  for (const listen of [...listeners]) listen();
}

/** followLinks keeps clicks on links of the explorer inside the page, as long as no other tab or window is asked for. */
export function followLinks(): void {
  window.addEventListener("popstate", tell);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.origin !== window.location.origin || !link.pathname.startsWith("/explore")) return;
    if (link.hash && link.pathname === window.location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
