// Putting a fact right: each act is confirmed, says what it means, and is taken back where that can be.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { go, href } from "../core/address";
import type { Fact } from "../core/answers";
import { ask, path } from "../core/service";
import { Words } from "../core/words";
import { Confirm } from "../parts/dialog";

type Change = Partial<{ fact: string; predicate: string; valid_at: string; invalid_at: string; as_known_at: string }>;

function patch(group: string, id: string, change: Change): Promise<Fact> {
  return ask("PATCH", path(group, "facts", id), { body: change });
}

// putBack makes a fact what it was in this version, with how its times are known.
function putBack(group: string, fact: Fact): Promise<Fact> {
  return patch(group, fact.id, { as_known_at: fact.known_from ?? "" });
}

export function Field(props: { label: string; help?: string; children: ComponentChildren }): JSX.Element {
  return (
    <label class="field">
      <span>{props.label}</span>
      {props.children}
      {props.help && <small>{props.help}</small>}
    </label>
  );
}

const timeHelp = "2024-03-15, or 2024-03-15T18:30:00Z; empty: not known.";

interface Props {
  group: string;
  fact: Fact;
  onClose: () => void;
}

/** EditFact puts right what a fact says, or when it holds. The history keeps what was believed. */
export function EditFact({ group, fact, onClose }: Props): JSX.Element {
  const was = { fact: fact.fact, predicate: fact.predicate, valid_at: fact.valid_at ?? "", invalid_at: fact.invalid_at ?? "" };
  const [now, set] = useState(was);
  const change: Change = {};
  for (const name of Object.keys(was) as (keyof typeof was)[]) {
    if (now[name].trim() !== was[name]) change[name] = now[name].trim();
  }
  const input = (name: keyof typeof was) => ({ value: now[name], onInput: (event: { currentTarget: { value: string } }) => set({ ...now, [name]: event.currentTarget.value }) });
  const doing = {
    verb: "Put right",
    ready: Object.keys(change).length > 0,
    act: () => patch(group, fact.id, change),
    done: "It was put right. Summaries follow.",
    undo: () => putBack(group, fact),
  };
  return (
    <Confirm title="Put this fact right" doing={doing} onClose={onClose}>
      <p class="soft">For what was never so. What was so, and is no longer, is ended instead.</p>
      <Field label="The fact, as one sentence">
        <textarea rows={3} dir="auto" {...input("fact")} />
      </Field>
      <Field label="Relation">
        <input type="text" {...input("predicate")} />
      </Field>
      <Field label={fact.kind === "event" ? "Happened from" : "Held from"} help={timeHelp}>
        <input type="text" {...input("valid_at")} />
      </Field>
      <Field label="Until" help={timeHelp}>
        <input type="text" {...input("invalid_at")} />
      </Field>
    </Confirm>
  );
}

/** EndFact says that a state holds no longer. */
export function EndFact({ group, fact, onClose }: Props): JSX.Element {
  const [at, set] = useState(new Date().toISOString().slice(0, 10));
  const doing = {
    verb: "End it",
    ready: at.trim() !== "",
    act: () => patch(group, fact.id, { invalid_at: at.trim() }),
    done: "It has ended. It held before.",
    undo: () => putBack(group, fact),
  };
  return (
    <Confirm title="End this fact?" doing={doing} onClose={onClose}>
      <p class="said">
        <Words of={fact.fact} />
      </p>
      <Field label="Until when did it hold?" help="2024-03-15, or 2024-03-15T18:30:00Z. From then on it holds no longer.">
        <input type="text" value={at} onInput={(event) => set(event.currentTarget.value)} />
      </Field>
    </Confirm>
  );
}

/** WithdrawFact takes out what never was true. */
export function WithdrawFact({ group, fact, onClose }: Props): JSX.Element {
  const doing = {
    verb: "Withdraw",
    bad: true,
    act: () => ask("DELETE", path(group, "facts", fact.id)),
    done: "It was withdrawn.",
    undo: () => ask("POST", path(group, "facts", fact.id, "restore")),
  };
  return (
    <Confirm title="Withdraw this fact?" doing={doing} onClose={onClose}>
      <p class="said">
        <Words of={fact.fact} />
      </p>
      <p class="field">It counts as never true. Its history stays, summaries and answers lose it, and what says it again makes no fact. Restoring it brings it back.</p>
    </Confirm>
  );
}

export function RestoreFact(props: { group: string; id: string; fact: string; onClose: () => void }): JSX.Element {
  const doing = {
    verb: "Restore",
    act: () => ask("POST", path(props.group, "facts", props.id, "restore")),
    done: "It is believed again.",
    undo: () => ask("DELETE", path(props.group, "facts", props.id)),
  };
  return (
    <Confirm title="Restore this fact?" doing={doing} onClose={props.onClose}>
      <p class="said">
        <Words of={props.fact} />
      </p>
      <p class="field">It is believed again, as it was before it was taken back. Both are on record.</p>
    </Confirm>
  );
}

/** AddFact tells a fact by hand, which counts as the word of a person. */
export function AddFact({ group, source = "" }: { group: string; source?: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button small" onClick={() => setOpen(true)}>
        Add a fact
      </button>
      {open && <AddFactDialog group={group} source={source} onClose={() => setOpen(false)} />}
    </>
  );
}

function AddFactDialog({ group, source, onClose }: { group: string; source: string; onClose: () => void }): JSX.Element {
  const [now, set] = useState({ source, predicate: "", target: "", fact: "", valid_at: "" });
  const input = (name: keyof typeof now) => ({ value: now[name], onInput: (event: { currentTarget: { value: string } }) => set({ ...now, [name]: event.currentTarget.value }) });
  const doing = {
    verb: "Add",
    ready: Boolean(now.source.trim() && now.predicate.trim() && now.target.trim() && now.fact.trim()),
    act: () =>
      ask<{ fact_id: string; episode_id: string; repeated: boolean }>("POST", path(group, "facts"), {
        body: { ...now, valid_at: now.valid_at.trim() || undefined },
      }),
    done: (made: { repeated: boolean }) => (made.repeated ? "The memory knew that already." : "The fact was added."),
    undo: (made: { episode_id: string }) => ask("DELETE", path(group, "episodes", made.episode_id)),
    then: (made: { fact_id: string }) => go(href(group, "facts", made.fact_id)),
  };
  return (
    <Confirm title="Add a fact" doing={doing} onClose={onClose}>
      <Field label="Who or what" help="The name of an entity; a new one is made where nobody goes by it.">
        <input type="text" dir="auto" {...input("source")} />
      </Field>
      <Field label="Relation" help="In capitals, as in LIVES_IN.">
        <input type="text" {...input("predicate")} />
      </Field>
      <Field label="To whom or what">
        <input type="text" dir="auto" {...input("target")} />
      </Field>
      <Field label="As one sentence">
        <textarea rows={2} dir="auto" {...input("fact")} />
      </Field>
      <Field label="Holds from" help={timeHelp}>
        <input type="text" {...input("valid_at")} />
      </Field>
    </Confirm>
  );
}
