// The keys that work everywhere. Those of sliders and of the graph stand beside them.

/** typing tells whether keys go into a text, where letters are no commands. */
export function typing(event: KeyboardEvent): boolean {
  const at = event.target as HTMLElement;
  return at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) || event.ctrlKey || event.metaKey || event.altKey;
}

export function followKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || typing(event) || document.querySelector("dialog[open]")) return;
    if (event.key === "/") {
      const find = document.querySelector<HTMLInputElement>("[data-find]");
      if (find) {
        event.preventDefault();
        find.focus();
        find.select();
      }
    } else if (event.key === "?") {
      event.preventDefault();
      window.dispatchEvent(new Event("annals:help"));
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      walk(event, event.key === "ArrowDown" ? 1 : -1);
    }
  });
}

// walk moves the focus from row to row of the list that has it.
function walk(event: KeyboardEvent, by: number): void {
  const list = (event.target as HTMLElement).closest(".rows");
  if (!list) return;
  const links = [...list.querySelectorAll<HTMLElement>(":scope > li")].flatMap((row) => row.querySelector<HTMLElement>("a, button") ?? []);
  const row = (event.target as HTMLElement).closest(".rows > li");
  const now = links.findIndex((link) => row?.contains(link));
  const next = links[now + by];
  if (now < 0 || !next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
