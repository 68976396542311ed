// What is noted about a fact, an episode or an entity: that it comes first, that it expires, how it was found.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Marks } from "../core/answers";
import { ask, path } from "../core/service";
import { Confirm } from "../parts/dialog";
import { Field } from "./fact-edits";

type Mark = "pinned" | "unpinned" | "useful" | "wrong" | "outdated" | "unjudged" | "expires" | "keeps";

interface Props {
  group: string;
  id: string;
  marks?: Marks | null;
  /** Entities can only be pinned. */
  entity?: boolean;
  onClose: () => void;
}

/** choices are the marks that can be set on a thing, and what each means. */
function choices({ marks, entity }: Props): [Mark, string][] {
  const pin: [Mark, string] = marks?.pinned ? ["unpinned", "Unpin"] : ["pinned", "Pin: it comes first in every context"];
  if (entity) return [pin];
  const judged = (marks?.useful ?? 0) + (marks?.wrong ?? 0) + (marks?.outdated ?? 0) > 0;
  return [
    pin,
    ["useful", "Useful: it ranks a little higher"],
    ["wrong", "Wrong: it ranks a little lower, and stays believed"],
    ["outdated", "Outdated: it ranks a little lower, but not for questions about the past"],
    ...(judged ? [["unjudged", "Take back what I found"] as [Mark, string]] : []),
    ["expires", marks?.expires_at ? "Expires at another time" : "Expires: it is hidden then, and taken out soon after"],
    ...(marks?.expires_at ? [["keeps", "Does not expire after all"] as [Mark, string]] : []),
  ];
}

function back({ marks }: Props, done: Mark): { mark: Mark; expires_at?: string } | undefined {
  if (done === "pinned") return { mark: "unpinned" };
  if (done === "unpinned") return { mark: "pinned" };
  // What the same one had found before is not known here: only where nobody had found anything can it be put back.
  if (done === "useful" || done === "wrong" || done === "outdated") return marks?.useful || marks?.wrong || marks?.outdated ? undefined : { mark: "unjudged" };
  if (done === "unjudged") return undefined;
  return marks?.expires_at ? { mark: "expires", expires_at: marks.expires_at } : { mark: "keeps" };
}

export function MarkIt(props: Props): JSX.Element {
  const all = choices(props);
  const [mark, setMark] = useState(all[0][0]);
  const [at, setAt] = useState("");
  const note = (body: { mark: Mark; expires_at?: string }) => ask("POST", path(props.group, "marks"), { body: { ids: [props.id], ...body } });
  const undo = back(props, mark);
  const doing = {
    verb: "Mark it",
    ready: mark !== "expires" || at.trim() !== "",
    act: () => note({ mark, expires_at: mark === "expires" ? at.trim() : undefined }),
    done: "It was noted.",
    undo: undo && (() => note(undo)),
  };
  return (
    <Confirm title="What is to be noted?" doing={doing} onClose={props.onClose}>
      <fieldset class="choices">
        <legend class="unseen">Mark</legend>
        {all.map(([name, says]) => (
          <label key={name}>
            <input type="radio" name="mark" value={name} checked={name === mark} onChange={() => setMark(name)} /> {says}
          </label>
        ))}
      </fieldset>
      {mark === "expires" && (
        <Field label="From when on is it hidden?" help="2030-03-15, or 2030-03-15T18:30:00Z. What only it supports goes with it.">
          <input type="text" value={at} onInput={(event) => setAt(event.currentTarget.value)} />
        </Field>
      )}
    </Confirm>
  );
}
