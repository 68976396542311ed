// Putting an entity right: another name, two that are one, one that is two, and no trace of it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { go, href } from "../core/address";
import type { Entity, Fact, SearchResult } from "../core/answers";
import { ask, askTagged, get, path, useLoaded, type Tagged } from "../core/service";
import { Words, shown } from "../core/words";
import { Confirm } from "../parts/dialog";
import { Shown } from "../parts/state";
import { ErasePreview } from "./removal";
import { Field } from "./fact-edits";

interface Props {
  group: string;
  entity: Entity;
  onClose: () => void;
}

export function RenameEntity({ group, entity, onClose }: Props): JSX.Element {
  const one = path(group, "entities", entity.id);
  const read = useLoaded((signal) => askTagged<Entity>("GET", one, { signal }), [one]);
  const [typed, set] = useState<string | null>(null);
  const before = read.data?.data.name ?? entity.name;
  const name = typed ?? before;
  // Only the version that was read is renamed, and only the one that was made is named back.
  const rename = (to: string, tag?: string) => askTagged<Entity>("PATCH", one, { body: { name: to }, tag });
  const doing = {
    verb: "Rename",
    ready: read.data !== undefined && name.trim() !== "" && name.trim() !== before,
    act: () => rename(name.trim(), read.data?.tag),
    done: `It is called ${shown(name.trim())} now.`,
    undo: (made: Tagged<Entity>) => rename(before, made.tag),
  };
  return (
    <Confirm title="What is it called?" doing={doing} onClose={onClose}>
      {read.error && <p class="problem">{read.error.message}</p>}
      <Field label="Name" help="The old name stays as an alias. What was known under it at past times still has it.">
        <input type="text" dir="auto" value={name} onInput={(event) => set(event.currentTarget.value)} />
      </Field>
    </Confirm>
  );
}

export function MergeEntity({ group, entity, onClose }: Props): JSX.Element {
  const [query, setQuery] = useState("");
  const [into, setInto] = useState<Entity | null>(null);
  const answer = useLoaded(
    (signal) =>
      query.trim()
        ? ask<SearchResult>("POST", path(group, "search"), { body: { query, scopes: ["entity"], limit: 8 }, signal })
        : Promise.resolve(undefined),
    [query],
  );
  const doing = {
    verb: into ? "Merge into " + shown(into.name) : "Merge",
    ready: into !== null,
    act: () => ask("POST", path(group, "entities", entity.id, "merge"), { body: { into: into!.id } }),
    done: "Both are one now. Split divides them again.",
    then: () => go(href(group, "entities", into!.id)),
  };
  return (
    <Confirm title="Which one is the same?" doing={doing} onClose={onClose}>
      <p>
        All that is known of <Words of={entity.name} /> becomes known of the other, which stays. There is no undo; Split makes two of one, fact by fact.
      </p>
      <Field label="The one that stays">
        <input type="search" dir="auto" placeholder="Its name" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
      </Field>
      <div class="choices" role="radiogroup" aria-label="Found">
        {(answer.data?.entities ?? [])
          .filter((one) => one.id !== entity.id)
          .map((one) => (
            <label key={one.id}>
              <input type="radio" name="into" checked={into?.id === one.id} onChange={() => setInto(one)} />
              <Words of={one.name} /> <span class="soft">{(one.labels ?? []).map(shown).join(", ")}</span>
            </label>
          ))}
      </div>
    </Confirm>
  );
}

export function SplitEntity({ group, entity, onClose }: Props): JSX.Element {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const answer = useLoaded((signal) => get<{ facts: Fact[] }>(group, ["facts"], { entity: entity.id, limit: 200 }, signal), [group, entity.id]);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const doing = {
    verb: "Split",
    ready: name.trim() !== "" && chosen.size > 0,
    act: () => ask<Entity>("POST", path(group, "entities", entity.id, "split"), { body: { name: name.trim(), facts: [...chosen] } }),
    done: "They are two now.",
    undo: async (made: Entity) => {
      await ask("POST", path(group, "entities", made.id, "merge"), { body: { into: entity.id } });
      go(href(group, "entities", entity.id));
    },
    then: (made: Entity) => go(href(group, "entities", made.id)),
  };
  return (
    <Confirm title="Make two of one" doing={doing} onClose={onClose}>
      <Field label="What the other one is called">
        <input type="text" dir="auto" value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </Field>
      <fieldset class="choices field">
        <legend>Which facts are about the other one?</legend>
        <Shown of={answer}>
          {({ facts }) =>
            facts.map((fact) => (
              <label key={fact.id}>
                <input type="checkbox" checked={chosen.has(fact.id)} onChange={() => toggle(fact.id)} />
                <Words of={fact.told} />
              </label>
            ))
          }
        </Shown>
      </fieldset>
    </Confirm>
  );
}

export function EraseEntity({ group, entity, onClose }: Props): JSX.Element {
  const doing = {
    verb: "Erase for good",
    bad: true,
    act: () => ask("DELETE", path(group, "entities", entity.id)),
    done: "Every trace of it is gone.",
    then: () => go(href(group, "entities")),
  };
  return (
    <ErasePreview
      title="Erase this entity for good?"
      parts={["entities", entity.id]}
      group={group}
      query={{}}
      doing={doing}
      typed={entity.name}
      onClose={onClose}
    >
      <p>
        Every episode that names <Words of={entity.name} /> goes with it, out of the history too. Nothing can bring it back, and the same texts are refused when they
        come again.
      </p>
    </ErasePreview>
  );
}
