// Deciding of what waits, and taking back what something brought.
import type { JSX } from "preact";
import type { Fact } from "../core/answers";
import { ask, path, type Query } from "../core/service";
import { Words, clipped } from "../core/words";
import { Confirm, type Doing } from "../parts/dialog";
import { plural } from "../time/moment";
import { ErasePreview } from "./removal";

export type Decision = "approve" | "reject" | "leave";

const decisions: Record<Decision, { verb: string; did: string; means: string }> = {
  approve: { verb: "Approve", did: "approved", means: "What is approved is believed, as your word, and waits no longer. What it contradicts ends." },
  reject: { verb: "Reject", did: "rejected", means: "What is rejected counts as never true. Its history stays, and what says it again makes no fact. It does not wait again: restoring it, under Facts, makes it believed." },
  leave: { verb: "Leave", did: "left", means: "An approval is taken back, so that it waits again if it did before. What was not approved stays as it is." },
};

// most is how many facts are written out before they are only counted.
const most = 5;

/** Decide approves or rejects facts, or takes an approval back: those that are named, or all that a query chooses. */
export function Decide(props: { group: string; decision: Decision; facts: Fact[]; tag?: string; all?: Query; waiting?: boolean; onClose: () => void }): JSX.Element {
  const { group, decision, facts, all } = props;
  const { verb, did, means } = decisions[decision];
  const ids = facts.map((fact) => fact.id);
  const doing: Doing<{ decided: number }> = {
    verb,
    bad: decision === "reject",
    act: () => decide(group, all ? { decision, all: true } : { decision, facts: ids }, all, props.tag),
    done: ({ decided }) => `${plural(decided, "fact")} ${did}.`,
    // Only an approval of what waited is taken back to what was: a fact that a person restores is believed, and waits no more.
    undo: props.waiting && decision === "approve" && !all ? () => decide(group, { decision: "leave", facts: ids }) : undefined,
  };
  return (
    <Confirm title={all ? `${verb} all of this kind?` : `${verb} ${ids.length === 1 ? "this fact" : plural(ids.length, "fact")}?`} doing={doing} onClose={props.onClose}>
      {facts.slice(0, most).map((fact) => (
        <p class="said" key={fact.id}>
          <Words of={clipped(fact.told, 300)} />
        </p>
      ))}
      {facts.length > most && <p class="soft">and {(facts.length - most).toLocaleString("en-GB")} more.</p>}
      <p class="field">
        {means}
        {all && " That is all that waits of this kind, also what is not shown here; there is no undo for all of it at once."}
      </p>
    </Confirm>
  );
}

function decide(group: string, body: { decision: Decision; facts?: string[]; all?: boolean }, query?: Query, tag?: string): Promise<{ decided: number }> {
  return ask("POST", path(group, "review"), { body, query, tag });
}

/** TakeBack undoes all that a source, a conversation or a day brought, after it showed what that would do. */
export function TakeBack(props: { group: string; way: string; of: string; query: Query; onClose: () => void }): JSX.Element {
  const doing = {
    verb: "Take it back",
    bad: true,
    act: () => ask("DELETE", path(props.group, "episodes"), { query: props.query }),
    done: "It is taken back. The history keeps what was believed.",
  };
  return (
    <ErasePreview title={`Take back everything that this ${props.way} brought?`} group={props.group} parts={["episodes"]} query={props.query} doing={doing} onClose={props.onClose}>
      <p class="said">
        <Words of={clipped(props.of, 240)} />
      </p>
      <p>
        The memory then believes what it would without it. What was believed stays in the history; the texts go, so this cannot be taken back but by adding them
        again. What was changed by hand stays.
      </p>
    </ErasePreview>
  );
}
