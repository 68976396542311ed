// The search field of the head: finds as somebody types, by the same search as everywhere.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { go, href, readAddress, setQuery } from "../core/address";
import type { SearchResult } from "../core/answers";
import { tellFound } from "../core/found";
import { ask, path } from "../core/service";
import { clipped, shown } from "../core/words";
import { asked } from "../time/moment";
import { timesNow } from "../time/times";

interface Option {
  kind: "entity" | "fact" | "episode";
  id: string;
  text: string;
}

const views = { entity: "entities", fact: "facts", episode: "episodes" };

export function Find({ group }: { group: string }): JSX.Element {
  const [text, setText] = useState("");
  const [options, setOptions] = useState<Option[]>([]);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (text.trim() === "") {
      setOptions([]);
      tellFound([]);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      search(group, text, abort.signal).then(
        (found) => {
          setOptions(found);
          setAt(-1);
          tellFound(found.map((one) => one.id));
        },
        () => {},
      );
    }, 140);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, group]);
  const close = () => {
    setOpen(false);
    setText("");
    field.current?.blur();
  };
  const choose = (option: Option) => {
    close();
    // In the graph an entity is shown where it stands; elsewhere it has a page.
    if (readAddress().view === "graph" && option.kind === "entity") setQuery({ sel: option.id }, true);
    else go(href(group, views[option.kind], option.id));
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      setAt(options.length ? (at + step + options.length + (at < 0 && step < 0 ? 1 : 0)) % options.length : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (options[at]) choose(options[at]);
      else if (text.trim()) {
        const query = text.trim();
        close();
        go(href(group, "search", "", { q: query }));
      }
    } else if (event.key === "Escape") close();
  };
  const listed = open && text.trim() !== "";
  return (
    <div class="find" role="search" onFocusOut={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOpen(false)}>
      <input
        ref={field}
        type="text"
        data-find
        role="combobox"
        aria-label="Search this memory"
        aria-expanded={listed}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={listed && at >= 0 ? "found-" + at : undefined}
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={keyed}
      />
      <kbd aria-hidden="true">/</kbd>
      {listed && (
        <ul class="find-list" id="found" role="listbox" aria-label="Found">
          {options.length === 0 && (
            <li class="soft" role="option" aria-selected="false" aria-disabled="true">
              Nothing yet.
            </li>
          )}
          {options.map((option, i) => (
            <li
              key={option.id}
              id={"found-" + i}
              role="option"
              aria-selected={i === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              <span class="kind">{option.kind}</span>
              <bdi dir="auto">{shown(clipped(option.text, 110))}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

async function search(group: string, query: string, signal: AbortSignal): Promise<Option[]> {
  const { valid, known } = timesNow();
  const body = { query, limit: 8, scopes: ["entity", "fact", "episode"], as_of: asked(valid), known_at: asked(known), include_ended: true };
  const found = await ask<SearchResult>("POST", path(group, "search"), { body, signal });
  // Names come first: those that begin like what is typed, then those that have it, then what was found otherwise.
  const typed = query.trim().toLowerCase();
  const rank = ({ text }: Option) => (text.toLowerCase().startsWith(typed) ? 0 : text.toLowerCase().includes(typed) ? 1 : 2);
  const entities = found.entities.map((one): Option => ({ kind: "entity", id: one.id, text: one.name })).sort((a, b) => rank(a) - rank(b));
  return [
    ...entities.slice(0, 6),
    ...found.facts.slice(0, 5).map((one): Option => ({ kind: "fact", id: one.id, text: one.told })),
    ...found.episodes.slice(0, 4).map((one): Option => ({ kind: "episode", id: one.id, text: (one.actor ? one.actor + ": " : "") + one.content })),
  ];
}
