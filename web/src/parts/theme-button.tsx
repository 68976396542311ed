import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { setTheme, theme, type Theme } from "../core/theme";

const next: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const said: Record<Theme, string> = { system: "as the system", light: "light", dark: "dark" };

/** ThemeButton goes from the system's colours to light, to dark, and back. */
export function ThemeButton(): JSX.Element {
  const [now, set] = useState(theme);
  const turn = () => {
    setTheme(next[now]);
    set(next[now]);
  };
  return (
    <button type="button" class="plain" onClick={turn} aria-label={`Colours: ${said[now]}. Change to ${said[next[now]]}`} title={`Colours: ${said[now]}`}>
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <circle cx="9" cy="9" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5" />
        {now === "system" && <path d="M9 2.75a6.25 6.25 0 0 1 0 12.5z" fill="currentColor" />}
        {now === "dark" && <circle cx="9" cy="9" r="6.25" fill="currentColor" />}
      </svg>
    </button>
  );
}
