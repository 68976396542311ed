// Putting a fact right: each act is confirmed, says what it means, and is taken back where that can be.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { go, href } from "../core/address";
import type { Fact } from "../core/answers";
import { now } from "../core/clock";
import { ask, askTagged, path, useLoaded, type Tagged } from "../core/service";
import { Words } from "../core/words";
import { Confirm, Dialog } from "../parts/dialog";
import { Shown } from "../parts/state";

type Change = Partial<{ fact: string; predicate: string; valid_at: string; invalid_at: string; as_known_at: string }>;

// Only the version that was read is changed: what somebody else changed meanwhile stays, and the service says so.
function patch(group: string, of: Tagged<Fact>, change: Change): Promise<Tagged<Fact>> {
  return askTagged("PATCH", path(group, "facts", of.data.id), { body: change, tag: of.tag });
}

// putBack makes a fact what it was in a version, with how its times are known.
function putBack(group: string, was: Fact, made: Tagged<Fact>): Promise<Tagged<Fact>> {
  return patch(group, made, { as_known_at: was.known_from ?? "" });
}

// editReviewed puts right what waits, and approves it.
async function editReviewed(group: string, of: Tagged<Fact>, change: Change, tag?: string): Promise<Tagged<Fact>> {
  await ask("POST", path(group, "review"), { body: { decision: "edit", facts: [of.data.id], edit: change }, tag });
  return askTagged("GET", path(group, "facts", of.data.id));
}

/** Read reads a fact anew before a window changes it: the page may have stood open for hours. */
function Read(props: Props & { title: string; children: (of: Tagged<Fact>) => JSX.Element }): JSX.Element {
  const { group, fact } = props;
  const of = useLoaded((signal) => askTagged<Fact>("GET", path(group, "facts", fact.id), { signal }), [group, fact.id]);
  if (of.data) return props.children(of.data);
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <Shown of={of}>{() => null}</Shown>
      <div class="actions">
        <button type="button" class="button" onClick={props.onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
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

/** EditFact puts right what a fact says, or when it holds, and approves it if it is under review. The history keeps what was believed. */
export function EditFact(props: Props & { approve?: boolean; tag?: string }): JSX.Element {
  return (
    <Read {...props} title="Put this fact right">
      {(of) => <EditForm group={props.group} of={of} approve={props.approve} tag={props.tag} onClose={props.onClose} />}
    </Read>
  );
}

function EditForm({ group, of, approve, tag, onClose }: { group: string; of: Tagged<Fact>; approve?: boolean; tag?: string; onClose: () => void }): JSX.Element {
  const fact = of.data;
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
    act: () => (approve ? editReviewed(group, of, change, tag) : patch(group, of, change)),
    done: approve ? "It was put right and approved. Summaries follow." : "It was put right. Summaries follow.",
    // What a person put right is that person's word, and would not wait again.
    undo: approve ? undefined : (made: Tagged<Fact>) => putBack(group, fact, made),
  };
  return (
    <Confirm title="Put this fact right" doing={doing} onClose={onClose}>
      <p class="soft">
        For what was never so. What was so, and is no longer, is ended instead.
        {approve && " It is approved with this and counts as your word, so that it does not wait again; its own page can withdraw it."}
      </p>
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

/** ConfirmFact makes what waits believed, as the word of who confirms it. */
export function ConfirmFact({ group, fact, onClose }: Props): JSX.Element {
  const one = path(group, "facts", fact.id, "confirm");
  const doing = {
    verb: "Confirm",
    act: () => ask("POST", one),
    done: "It is believed.",
    undo: () => ask("DELETE", one),
  };
  return (
    <Confirm title="Confirm this fact?" doing={doing} onClose={onClose}>
      <p class="said">
        <Words of={fact.told} />
      </p>
      <p class="field">All that states it is withheld. Confirmed, it is believed, and counts as your word.</p>
    </Confirm>
  );
}

/** EndFact says that a state holds no longer. */
export function EndFact(props: Props): JSX.Element {
  return (
    <Read {...props} title="End this fact?">
      {(of) => <EndForm group={props.group} of={of} onClose={props.onClose} />}
    </Read>
  );
}

function EndForm({ group, of, onClose }: { group: string; of: Tagged<Fact>; onClose: () => void }): JSX.Element {
  const [at, set] = useState(new Date(now()).toISOString().slice(0, 10));
  const doing = {
    verb: "End it",
    ready: at.trim() !== "",
    act: () => patch(group, of, { invalid_at: at.trim() }),
    done: "It has ended. It held before.",
    undo: (made: Tagged<Fact>) => putBack(group, of.data, made),
  };
  return (
    <Confirm title="End this fact?" doing={doing} onClose={onClose}>
      <p class="said">
        <Words of={of.data.told} />
      </p>
      <Field label="Until when did it hold?" help="2024-03-15, or 2024-03-15T18:30:00Z. From then on it holds no longer.">
        <input type="text" value={at} onInput={(event) => set(event.currentTarget.value)} />
      </Field>
    </Confirm>
  );
}

/** WithdrawFact takes out what never was true. */
export function WithdrawFact(props: Props): JSX.Element {
  return (
    <Read {...props} title="Withdraw this fact?">
      {(of) => <WithdrawForm group={props.group} of={of} onClose={props.onClose} />}
    </Read>
  );
}

function WithdrawForm({ group, of, onClose }: { group: string; of: Tagged<Fact>; onClose: () => void }): JSX.Element {
  const one = path(group, "facts", of.data.id);
  const doing = {
    verb: "Withdraw",
    bad: true,
    act: () => ask("DELETE", one, { tag: of.tag }),
    done: "It was withdrawn.",
    undo: () => ask("POST", one + "/restore"),
  };
  return (
    <Confirm title="Withdraw this fact?" doing={doing} onClose={onClose}>
      <p class="said">
        <Words of={of.data.told} />
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
    undo: async (made: { episode_id: string }) => {
      await ask("DELETE", path(group, "episodes", made.episode_id));
      go(href(group, "facts"));
    },
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
