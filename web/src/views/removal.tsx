// Undoing and erasing, with a preview of what would go: the service rehearses it and does nothing.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { go, href } from "../core/address";
import type { Episode, Preview } from "../core/answers";
import { ask, get, path, useLoaded, type Query } from "../core/service";
import { Words, clipped, shown } from "../core/words";
import { Confirm, type Doing } from "../parts/dialog";
import { Differences } from "../parts/differences";
import { Shown } from "../parts/state";
import { plural } from "../time/moment";
import { Field } from "./fact-edits";

/** ErasePreview shows what would go, and asks for the name to be typed before anything that cannot be taken back. */
export function ErasePreview<T>(props: {
  title: string;
  group: string;
  parts: string[];
  query: Query;
  doing: Doing<T>;
  typed?: string;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const [typed, setTyped] = useState("");
  const preview = useLoaded(
    (signal) => ask<Preview>("DELETE", path(props.group, ...props.parts), { query: { ...props.query, dry_run: true }, signal }),
    [props.group, ...props.parts],
  );
  const named = props.typed === undefined || typed.trim() === props.typed.trim();
  return (
    <Confirm title={props.title} doing={{ ...props.doing, ready: preview.data !== undefined && named }} onClose={props.onClose}>
      {props.children}
      <section class="preview">
        <h3>What would go</h3>
        <Shown of={preview}>{(found) => <WouldGo group={props.group} of={found} />}</Shown>
      </section>
      {props.typed !== undefined && (
        <Field label={`Type ${shown(clipped(props.typed, 60))} to go on`}>
          <input type="text" dir="auto" autocomplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </Field>
      )}
    </Confirm>
  );
}

function WouldGo({ group, of }: { group: string; of: Preview }): JSX.Element {
  const rows = (of.preview.removed ?? []).filter((one) => one.rows > 0);
  const told = of.undone;
  return (
    <>
      {told && (
        <p class="soft">
          {[
            told.facts_removed && plural(told.facts_removed, "fact") + " no longer believed",
            told.facts_reopened && plural(told.facts_reopened, "fact") + " that would hold again",
            told.facts_changed && plural(told.facts_changed, "fact") + " changed",
            told.facts_added && plural(told.facts_added, "fact") + " added",
            told.entities_removed && plural(told.entities_removed, "entity", "entities") + " gone",
            told.replayed && plural(told.replayed, "later episode") + " placed again",
          ]
            .filter(Boolean)
            .join(", ") || "Nothing in the graph comes from it alone."}
        </p>
      )}
      {(of.preview.facts ?? []).length + (of.preview.entities ?? []).length > 0 && <Differences group={group} of={of.preview} most={25} rehearsed />}
      {rows.length > 0 && (
        <p class="soft">
          Rows that go: {rows.map((one) => `${one.rows.toLocaleString("en-GB")} of ${shown(one.table)}`).join(", ")}.
        </p>
      )}
    </>
  );
}

export function UndoEpisode({ group, episode, onClose }: { group: string; episode: Episode; onClose: () => void }): JSX.Element {
  const doing = {
    verb: "Undo it",
    bad: true,
    act: () => ask("DELETE", path(group, "episodes", episode.id)),
    done: "It is undone. The history keeps what was believed.",
    then: () => go(href(group, "episodes")),
  };
  return (
    <ErasePreview title="Undo this episode?" group={group} parts={["episodes", episode.id]} query={{}} doing={doing} onClose={onClose}>
      <p>
        The memory then believes what it would without it. What was believed stays in the history; the text goes, so this cannot be taken back but by adding it
        again.
      </p>
      <blockquote class="said">
        <Words of={clipped(episode.content, 240)} />
      </blockquote>
    </ErasePreview>
  );
}

export function EraseEpisode({ group, episode, onClose }: { group: string; episode: Episode; onClose: () => void }): JSX.Element {
  const doing = {
    verb: "Erase for good",
    bad: true,
    act: () => ask("DELETE", path(group, "episodes", episode.id), { query: { erase: true } }),
    done: "Every trace of it is gone.",
    then: () => go(href(group, "episodes")),
  };
  return (
    <ErasePreview title="Erase this episode for good?" group={group} parts={["episodes", episode.id]} query={{ erase: true }} doing={doing} typed="erase" onClose={onClose}>
      <p>Every trace of it goes, out of the history too. Nothing can bring it back, and the same text is refused when it comes again.</p>
      <blockquote class="said">
        <Words of={clipped(episode.content, 240)} />
      </blockquote>
    </ErasePreview>
  );
}

export function EraseGroup({ group, onClose }: { group: string; onClose: () => void }): JSX.Element {
  const doing = {
    verb: "Erase for good",
    bad: true,
    act: () => ask("DELETE", path(group)),
    done: "Every trace of the memory is gone.",
    then: () => go("/explore"),
  };
  return (
    <ErasePreview title="Erase this memory for good?" group={group} parts={[]} query={{}} doing={doing} typed={group} onClose={onClose}>
      <p>
        All of it goes: what was said, what was learned, the history, agents and what they wrote down. Nothing can bring it back, and the group is refused when it
        is made again.
      </p>
    </ErasePreview>
  );
}

/** episodeOf is one episode, for pages that have only its id. */
export function episodeOf(group: string, id: string, signal: AbortSignal): Promise<Episode> {
  return get<Episode>(group, ["episodes", id], {}, signal);
}
