// What is believed otherwise than before, as a diff or a preview tells it.
import type { JSX } from "preact";
import { href } from "../core/address";
import type { Entity, Fact } from "../core/answers";
import { Words, clipped } from "../core/words";
import { ago } from "../time/moment";

interface Different<T> {
  change: string;
  before?: T | null;
  after?: T | null;
  changed_at?: string;
}

const tone: Record<string, string> = { added: "world", reopened: "world", withdrawn: "bad", removed: "bad", ended: "warn", candidate: "warn", disputed: "warn" };
const said: Record<string, string> = {
  reopened: "holds again",
  removed: "gone",
  candidate: "waits to be confirmed",
  low_trust: "low trust",
  second_hand: "second hand",
};

export function Differences(props: {
  group: string;
  of: { facts: Different<Fact>[] | null; entities: Different<Entity>[] | null };
  most: number;
  /** Nothing of it has happened yet, so that no time is told. */
  rehearsed?: boolean;
}): JSX.Element {
  const facts = props.of.facts ?? [];
  // A new entity is seen by its facts; what is told of one is that it was renamed, merged, or is gone.
  const entities = (props.of.entities ?? []).filter((one) => one.change !== "summary" && one.change !== "added");
  const hidden = facts.length + entities.length - props.most;
  if (facts.length + entities.length === 0) return <p class="nothing">Nothing.</p>;
  return (
    <>
      <ul class="rows">
        {facts.slice(0, props.most).map((one) => (
          <li key={(one.after ?? one.before)!.id + one.change}>
            <FactDifference group={props.group} of={props.rehearsed ? { ...one, changed_at: undefined } : one} />
          </li>
        ))}
        {entities.slice(0, Math.max(0, props.most - facts.length)).map((one) => (
          <li key={(one.after ?? one.before)!.id + one.change}>
            <Change of={one.change} at={props.rehearsed ? undefined : one.changed_at} />
            {one.before && one.after && one.before.name !== one.after.name && (
              <>
                <s class="soft">
                  <Words of={one.before.name} />
                </s>{" "}
              </>
            )}
            <a href={href(props.group, "entities", (one.after ?? one.before)!.id)}>
              <Words of={(one.after ?? one.before)!.name} />
            </a>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p class="soft">and {hidden.toLocaleString("en-GB")} more.</p>}
    </>
  );
}

/** FactDifference is a fact with what is different of it, or why it waits. */
export function FactDifference({ group, of }: { group: string; of: Different<Fact> }): JSX.Element {
  const fact = (of.after ?? of.before)!;
  const reworded = of.before && of.after && of.before.told !== of.after.told;
  return (
    <>
      <Change of={of.change} at={of.changed_at} />
      <a class="said" href={href(group, "facts", fact.id)}>
        {of.after ? (
          <Words of={clipped(fact.told, 300)} />
        ) : (
          <s>
            <Words of={clipped(fact.told, 300)} />
          </s>
        )}
      </a>
      <div class="meta">
        {of.before && of.after && of.before.when !== of.after.when && <s>{of.before.when}</s>}
        <span>{fact.when}</span>
        {reworded && (
          <span>
            before: <Words of={of.before!.told} />
          </span>
        )}
      </div>
    </>
  );
}

function Change({ of, at }: { of: string; at?: string }): JSX.Element {
  return (
    <div class="meta">
      <span class={"tag " + (tone[of] ?? "")}>{said[of] ?? of}</span>
      {at && <time dateTime={at}>{ago(Date.parse(at))}</time>}
    </div>
  );
}
