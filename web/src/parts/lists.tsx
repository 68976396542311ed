// Rows that stand for facts, entities and episodes wherever they are listed.
import type { JSX } from "preact";
import { href } from "../core/address";
import type { Edit, Entity, Episode, Fact, Marks } from "../core/answers";
import { now } from "../core/clock";
import { Words, clipped, shown } from "../core/words";
import { instant, parsed, plural } from "../time/moment";

/** hasEnded tells whether a state was over at a time. An event never ends. */
export function hasEnded(fact: Fact, at: number): boolean {
  return fact.kind === "state" && parsed(fact.invalid_at, Infinity) <= at;
}

export function FactRow({ fact, group, at, note }: { fact: Fact; group: string; at?: number | null; note?: JSX.Element | string }): JSX.Element {
  const past = hasEnded(fact, at ?? now());
  return (
    <li class={past ? "past" : undefined}>
      <a class="said" href={href(group, "facts", fact.id)}>
        <Words of={fact.told} />
      </a>
      <div class="meta">
        <span>{fact.when}</span>
        {fact.kind === "event" && <span class="tag">event</span>}
        {past && <span class="tag">ended</span>}
        <Believed fact={fact} />
        <Noted marks={fact.marks} />
        {note}
      </div>
    </li>
  );
}

/** Believed tells of a fact that it waits to be confirmed; that one is disputed stands in its when. */
export function Believed({ fact }: { fact: Fact }): JSX.Element | null {
  return fact.trust === "candidate" ? <span class="tag warn">waits to be confirmed</span> : null;
}

const doings: Record<string, string> = {
  confirm: "approved",
  unconfirm: "left: its approval was taken back",
  withdraw: "rejected",
  restore: "restored",
  add: "added",
  edit: "put right",
  merge: "merged",
  split: "split",
  rename: "renamed",
  remove: "removed",
  release: "released from quarantine",
  hold: "held again",
  policy: "another policy was set",
  sweep: "expired, and cleared away",
  readmit: "admitted again",
  insert: "inserted",
  update: "updated",
  delete: "deleted",
};

/** ByHand tells what somebody did by hand, who, and by which way. */
export function ByHand({ of }: { of: Edit }): JSX.Element {
  return (
    <span>
      {doings[of.action] ?? shown(of.action)} by hand, with the word of {of.authority}, by way of {shown(of.door)}
      {of.written_by && <> ({shown(of.written_by)})</>}
    </span>
  );
}

/** Noted tells what is noted about a thing. */
export function Noted({ marks }: { marks?: Marks | null }): JSX.Element | null {
  if (!marks) return null;
  const found = [
    [marks.useful, "useful"],
    [marks.wrong, "wrong"],
    [marks.outdated, "outdated"],
  ] as const;
  return (
    <>
      {marks.pinned && <span class="tag">pinned</span>}
      {marks.expires_at && <span class="tag warn">expires {instant(Date.parse(marks.expires_at))}</span>}
      {found.map(([by, how]) => by && <span class="tag" key={how}>found {how}{by > 1 ? ` by ${by}` : ""}</span>)}
    </>
  );
}

/** endsOf tells facts apart that have the same sentence, as it says something of several: by what each is between. */
export function endsOf(fact: Fact, among: Fact[]): JSX.Element | undefined {
  if (among.every((other) => other.told !== fact.told || other.id === fact.id)) return undefined;
  return (
    <span>
      of <Words of={fact.source} /> and <Words of={fact.target} />
    </span>
  );
}

export function EntityRow({ entity, group, note }: { entity: Entity; group: string; note?: JSX.Element | string }): JSX.Element {
  return (
    <li>
      <a class="said" href={href(group, "entities", entity.id)}>
        <Words of={entity.name} />
      </a>
      <div class="meta">
        <Labels of={entity.labels} />
        {entity.mentions !== undefined && <span>{plural(entity.mentions, "mention")}</span>}
        {note}
      </div>
      {entity.summary && (
        <p class="soft">
          <Words of={clipped(entity.summary, 220)} />
        </p>
      )}
    </li>
  );
}

export function Labels({ of }: { of: string[] | null | undefined }): JSX.Element {
  return (
    <>
      {(of ?? []).map((label) => (
        <span class="tag" key={label}>
          {shown(label)}
        </span>
      ))}
    </>
  );
}

/** Marked shows a text with one sentence of it marked. */
export function Marked({ text, sentence }: { text: string; sentence: string }): JSX.Element {
  const at = sentence ? text.indexOf(sentence) : -1;
  if (at < 0) return <Words of={text} />;
  return (
    <bdi class="words" dir="auto">
      {shown(text.slice(0, at))}
      <mark>{shown(sentence)}</mark>
      {shown(text.slice(at + sentence.length))}
    </bdi>
  );
}

export function EpisodeRow(props: { episode: Episode; group: string; sentence?: string; note?: JSX.Element | string }): JSX.Element {
  const { episode, group } = props;
  return (
    <li>
      <div class="meta">
        <a href={href(group, "episodes", episode.id)}>
          <time dateTime={episode.occurred_at}>{instant(Date.parse(episode.occurred_at))}</time>
        </a>
        {episode.actor && <b><Words of={episode.actor} /></b>}
        <StateTag of={episode.state} />
        {episode.withdrawn && <span class="tag warn">taken back later</span>}
        <Noted marks={episode.marks} />
        {props.note}
      </div>
      <p class="said">
        <Marked text={clipped(episode.content, 1200)} sentence={props.sentence ?? ""} />
      </p>
    </li>
  );
}

export function StateTag({ of }: { of: string }): JSX.Element | null {
  if (of === "done") return null;
  return <span class={of === "failed" ? "tag bad" : "tag warn"}>{of === "processing" ? "being read" : of === "pending" ? "waiting" : of}</span>;
}
