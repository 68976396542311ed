import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { href, type Address } from "../core/address";
import type { Entity as EntityAnswer, EntityTrace, EntityVersion, Lanes, Marks } from "../core/answers";
import { now } from "../core/clock";
import { get, useLoaded } from "../core/service";
import { mayErase, mayWrite } from "../core/session";
import { sql } from "../core/sql";
import { Words, shown } from "../core/words";
import { linesOf, type Line, type Standing } from "../lanes/beliefs";
import { tracksOf } from "../lanes/layout";
import { Lines } from "../lanes/lines";
import { Labels, Noted } from "../parts/lists";
import { Menu } from "../parts/menu";
import { SqlButton } from "../parts/sql";
import { Head, Section, Shown } from "../parts/state";
import { instant, parsed } from "../time/moment";
import { latest, timesNow, useTimes } from "../time/times";
import { EraseEntity, MergeEntity, RenameEntity, SplitEntity } from "./entity-edits";
import { Decisions } from "./fact";
import { AddFact } from "./fact-edits";
import { inWords } from "./facts";
import { MarkIt } from "./mark";
import { LanesShown } from "./timeline";

interface Loaded {
  trace: EntityTrace;
  versions: EntityVersion[];
}

/** Entity is all there is of somebody or something: what is known of it, its neighbours, its versions, the decisions. */
export function Entity({ address }: { address: Address }): JSX.Element {
  const { group, id } = address;
  const answer = useLoaded(
    async (signal): Promise<Loaded> => {
      const [trace, history] = await Promise.all([
        get<EntityTrace>(group, ["entities", id, "trace"], {}, signal),
        get<{ versions: EntityVersion[] }>(group, ["entities", id, "history"], {}, signal),
      ]);
      return { trace, versions: history.versions };
    },
    [group, id],
  );
  return <Shown of={answer}>{(found) => <Page group={group} of={found} address={address} />}</Shown>;
}

function Page({ group, of, address }: { group: string; of: Loaded; address: Address }): JSX.Element {
  const { known } = useTimes();
  const at = known ?? Infinity;
  const version = of.versions.find((v) => parsed(v.known_from, -Infinity) <= at && (at < parsed(v.known_until, Infinity) || (known === null && !v.known_until)));
  const latest = of.versions[of.versions.length - 1];
  const entity: EntityAnswer = version ?? latest;
  const current = latest.known_until === null;
  return (
    <article>
      <Head title={<Words of={entity.name} />} tools={<Tools group={group} entity={latest} marks={of.trace.marks} current={current} />} />
      <div class="meta under-title">
        <Labels of={entity.labels} />
        {known === null && <Noted marks={of.trace.marks} />}
        {!version && <span class="tag bad">{current ? "not known then" : "no longer there"}</span>}
        {(entity.aliases ?? []).length > 0 && <span>also {entity.aliases.map(shown).join(", ")}</span>}
        <a href={href(group, "graph", "", { sel: entity.id })}>in the graph</a>
      </div>
      <Known group={group} of={entity} address={address} />
      <Attributes of={entity.attributes} />
      <Section title="As it was known, version by version">
        <ol class="rows versions">
          {of.versions.map((v) => (
            <li key={v.known_from} aria-current={v === version ? "true" : undefined}>
              <div class="meta">
                <span class="tag known">
                  {instant(parsed(v.known_from, 0))} – {v.known_until ? instant(parsed(v.known_until, 0)) : "now"}
                </span>
                {(v.caused_by ?? []).map((episode) => (
                  <a key={episode} href={href(group, "episodes", episode)}>
                    caused by an episode
                  </a>
                ))}
                {!(v.caused_by ?? []).length && <span>made by hand</span>}
              </div>
              <b>
                <Words of={v.name} />
              </b>{" "}
              <Words of={v.summary} class="soft" />
            </li>
          ))}
        </ol>
      </Section>
      {(of.trace.edits ?? []).length > 0 && (
        <Section title="Edits by hand">
          <ul class="rows">
            {of.trace.edits.map((edit, i) => (
              <li key={i} class="meta">
                <span>{edit.edited_at ? instant(parsed(edit.edited_at, 0)) : ""}</span>
                <span class="tag">{shown(edit.action)}</span>
                <span>
                  by way of {shown(edit.door)}, with the word of {edit.authority}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Decisions">
        <Decisions group={group} of={of.trace.decisions} />
      </Section>
    </article>
  );
}

function Attributes({ of }: { of: unknown }): JSX.Element | null {
  const entries = Object.entries((of as Record<string, unknown> | null) ?? {});
  if (entries.length === 0) return null;
  return (
    <dl class="attributes">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{shown(name)}</dt>
          <dd>
            <Words of={typeof value === "string" ? value : JSON.stringify(value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

// Known tells what holds at the two times, a line a relation; then in a picture how it came to be, what happened, and what
// held before.
function Known({ group, of, address }: { group: string; of: EntityAnswer; address: Address }): JSX.Element {
  const { id, name, summary } = of;
  const times = useTimes();
  const answer = useLoaded((signal) => get<Lanes>(group, ["lanes"], { entity: [id] }, signal), [group, id]);
  const tracks = useMemo(() => tracksOf(answer.data?.lanes ?? []), [answer.data]);
  const lines = (as: Standing) => linesOf(tracks, times.known ?? latest, times.valid ?? now(), as);
  const [holds, happened, before, ahead] = [lines("holds"), lines("happened"), lines("before"), lines("ahead")];
  const section = (title: string, of: Line[]) =>
    of.length > 0 && (
      <Section title={title}>
        <Lines group={group} of={of} />
      </Section>
    );
  return (
    <>
      <Section title={`What holds ${inWords(times)}`} tools={mayWrite() ? <AddFact group={group} source={name} key={name} /> : undefined}>
        <Shown of={answer}>{() => (holds.length ? <Lines group={group} of={holds} /> : <p class="nothing">Nothing that is known.</p>)}</Shown>
      </Section>
      {summary && (
        <p class="said summary">
          <Words of={summary} />
        </p>
      )}
      {section("Planned", ahead)}
      {section("What happened", happened)}
      {section("What held before", before)}
      <Section title="All of it in time">
        {answer.data && <LanesShown group={group} of={answer.data} entities={[id]} address={address} />}
      </Section>
    </>
  );
}

function Tools({ group, entity, marks, current }: { group: string; entity: EntityAnswer; marks?: Marks | null; current: boolean }): JSX.Element {
  const [open, setOpen] = useState("");
  const { valid, known } = timesNow();
  const props = { group, entity, onClose: () => setOpen("") };
  const choice = (name: string, title: string, bad = false) => ({ name: title, bad, act: () => setOpen(name) });
  return (
    <>
      <SqlButton query={sql.entity(group, entity.id, valid, known)} />
      <Menu
        of={[
          ...(mayWrite() && current ? [choice("rename", "Rename"), choice("merge", "Merge"), choice("split", "Split"), choice("mark", marks?.pinned ? "Unpin" : "Pin")] : []),
          ...(mayErase() && current ? [choice("erase", "Erase", true)] : []),
        ]}
      />
      {open === "rename" && <RenameEntity {...props} />}
      {open === "merge" && <MergeEntity {...props} />}
      {open === "split" && <SplitEntity {...props} />}
      {open === "mark" && <MarkIt group={group} id={entity.id} marks={marks} entity onClose={props.onClose} />}
      {open === "erase" && <EraseEntity {...props} />}
    </>
  );
}
