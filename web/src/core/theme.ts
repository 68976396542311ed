// Light or dark: what the system prefers, unless the reader said otherwise.
const slot = "annals.theme";

export type Theme = "system" | "light" | "dark";

export function theme(): Theme {
  const kept = localStorage.getItem(slot);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function setTheme(to: Theme): void {
  if (to === "system") localStorage.removeItem(slot);
  else localStorage.setItem(slot, to);
  applyTheme();
}

export function applyTheme(): void {
  const chosen = theme();
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  window.dispatchEvent(new Event("annals:theme"));
}

export function isDark(): boolean {
  const chosen = theme();
  return chosen === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
}

let probe: HTMLElement | undefined;

/** colour is a colour of the style sheet as it is in force, for what is painted on a canvas. */
export function colour(name: string): string {
  if (!probe) {
    probe = document.createElement("span");
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

/** mixed is a colour with so much of another in it, from 0 to 1. Both are as #rrggbb or rgb(…). */
export function mixed(one: string, other: string, share: number): string {
  const [a, b] = [channels(one), channels(other)];
  return `rgb(${a.map((channel, i) => Math.round(channel * (1 - share) + b[i] * share)).join(", ")})`;
}

function channels(of: string): number[] {
  const hex = /^#(..)(..)(..)$/.exec(of);
  return hex ? hex.slice(1).map((two) => parseInt(two, 16)) : (of.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}

/** onTheme calls back when the colours change, by the switch or by the system. */
export function onTheme(changed: () => void): () => void {
  const media = matchMedia("(prefers-color-scheme: dark)");
  window.addEventListener("annals:theme", changed);
  media.addEventListener("change", changed);
  return () => {
    window.removeEventListener("annals:theme", changed);
    media.removeEventListener("change", changed);
  };
}
