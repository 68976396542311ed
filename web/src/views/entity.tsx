import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { href, type Address } from "../core/address";
import type { Entity as EntityAnswer, EntityTrace, EntityVersion, Fact, Marks } from "../core/answers";
import { now } from "../core/clock";
import { get, useLoaded } from "../core/service";
import { mayErase, mayWrite } from "../core/session";
import { sql } from "../core/sql";
import { Words, shown } from "../core/words";
import { FactRow, Labels, Noted, hasEnded } from "../parts/lists";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head, Section, Shown } from "../parts/state";
import { asked, instant, parsed } from "../time/moment";
import { timesNow, useTimes } from "../time/times";
import { EraseEntity, MergeEntity, RenameEntity, SplitEntity } from "./entity-edits";
import { Decisions } from "./fact";
import { AddFact } from "./fact-edits";
import { inWords } from "./facts";
import { MarkIt } from "./mark";
import { LanesOf } from "./timeline";

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
  return <Shown of={answer}>{(found) => <Page group={group} of={found} />}</Shown>;
}

function Page({ group, of }: { group: string; of: Loaded }): JSX.Element {
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
      {entity.summary && (
        <p class="said summary">
          <Words of={entity.summary} />
        </p>
      )}
      <Attributes of={entity.attributes} />
      <Known group={group} id={entity.id} />
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

// standing puts what holds before what happened, and that before what has ended.
function standing(fact: Fact, at: number): number {
  if (hasEnded(fact, at) || fact.predicate.startsWith("NO_LONGER_")) return 2;
  return fact.kind === "event" ? 1 : 0;
}

// Known lists the facts at the two times: what holds then, what happened, and in pale what has
// ended by then, of each the latest first.
function Known({ group, id }: { group: string; id: string }): JSX.Element {
  const { valid, known } = timesNow();
  const at = valid ?? now();
  return (
    <Section title={`What is known of it ${inWords({ valid, known })}`} tools={mayWrite() ? <AddFactOf group={group} id={id} /> : undefined}>
      <Pages
        depends={[group, id, valid, known]}
        nothing="Nothing was known of it then."
        load={async (cursor, signal) => {
          const page = await get<{ facts: Fact[]; next_cursor?: string }>(group, ["facts"], { entity: id, known_at: asked(known), limit: 200, cursor }, signal);
          return { items: page.facts, next: page.next_cursor };
        }}
      >
        {(facts) => {
          const begun = facts.filter((fact) => parsed(fact.valid_at, -Infinity) <= at);
          const rows = begun.reverse().sort((one, other) => standing(one, at) - standing(other, at));
          return (
            <>
              <ul class="rows">
                {rows.map((fact) => (
                  <FactRow
                    key={fact.id}
                    fact={fact}
                    group={group}
                    at={valid}
                    note={
                      <a href={href(group, "entities", fact.source_id === id ? fact.target_id : fact.source_id)}>
                        <Words of={fact.source_id === id ? fact.target : fact.source} />
                      </a>
                    }
                  />
                ))}
              </ul>
              {begun.length < facts.length && <p class="soft">{facts.length - begun.length} more had not begun by then.</p>}
            </>
          );
        }}
      </Pages>
    </Section>
  );
}

function AddFactOf({ group, id }: { group: string; id: string }): JSX.Element {
  const { data } = useLoaded((signal) => get<EntityAnswer>(group, ["entities", id], {}, signal), [group, id]);
  return <AddFact group={group} source={data?.name} key={data?.name} />;
}

function Tools({ group, entity, marks, current }: { group: string; entity: EntityAnswer; marks?: Marks | null; current: boolean }): JSX.Element {
  const [open, setOpen] = useState("");
  const { valid, known } = timesNow();
  const props = { group, entity, onClose: () => setOpen("") };
  const button = (name: string, title: string, bad = false) => (
    <button type="button" class={bad ? "button small bad" : "button small"} onClick={() => setOpen(name)}>
      {title}
    </button>
  );
  return (
    <>
      {mayWrite() && current && (
        <>
          {button("rename", "Rename")}
          {button("merge", "Merge")}
          {button("split", "Split")}
          {button("mark", marks?.pinned ? "Unpin" : "Pin")}
        </>
      )}
      {mayErase() && current && button("erase", "Erase", true)}
      <SqlButton query={sql.entity(group, entity.id, valid, known)} />
      {open === "rename" && <RenameEntity {...props} />}
      {open === "merge" && <MergeEntity {...props} />}
      {open === "split" && <SplitEntity {...props} />}
      {open === "mark" && <MarkIt group={group} id={entity.id} marks={marks} entity onClose={props.onClose} />}
      {open === "erase" && <EraseEntity {...props} />}
    </>
  );
}
