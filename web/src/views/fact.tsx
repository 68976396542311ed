import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { href, type Address } from "../core/address";
import type { Bound, Decision, Fact as FactAnswer, FactTrace, FactVersion } from "../core/answers";
import { now } from "../core/clock";
import { get, useLoaded } from "../core/service";
import { mayWrite } from "../core/session";
import { sql } from "../core/sql";
import { Words, shown } from "../core/words";
import { Believed, ByHand, EpisodeRow, FactRow, Noted, endsOf, hasEnded } from "../parts/lists";
import { SqlButton } from "../parts/sql";
import { Head, Section, Shown } from "../parts/state";
import { instant, parsed } from "../time/moment";
import { endNamed, named } from "../time/phrase";
import { TimePicture, type Version } from "../time/picture";
import { useTimes } from "../time/times";
import { ConfirmFact, EditFact, EndFact, RestoreFact, WithdrawFact } from "./fact-edits";
import { MarkIt } from "./mark";

/** Fact is all there is of one fact: its times and how they are known, its versions, the words it came from, the decisions. */
export function Fact({ address }: { address: Address }): JSX.Element {
  const { group, id } = address;
  const trace = useLoaded((signal) => get<FactTrace>(group, ["facts", id, "trace"], {}, signal), [group, id]);
  return <Shown of={trace}>{(found) => <Page group={group} of={found} />}</Shown>;
}

// rejected tells whether it was withdrawn or taken back: else it has expired, or went with what was merged or removed.
function rejected(of: FactTrace): boolean {
  return (of.rejections ?? []).some((one) => !one.lifted_at);
}

function Page({ group, of }: { group: string; of: FactTrace }): JSX.Element {
  const times = useTimes();
  const version = versionAt(of.versions, times.known);
  const fact = version ?? of.fact;
  const past = hasEnded(fact, times.valid ?? now());
  return (
    <article>
      <Head title={<Words of={fact.told} />} tools={<Tools group={group} of={of} />} />
      <div class="meta under-title">
        <span>{fact.when}</span>
        <span class="tag">{fact.kind}</span>
        {past && <span class="tag">ended</span>}
        {!version && <span class="tag bad">{times.known !== null ? "not believed then" : rejected(of) ? "withdrawn" : "not believed any more"}</span>}
        {version && <Believed fact={version} />}
        {times.known === null && <Noted marks={of.fact.marks} />}
        {of.authority && <span>the word of {of.authority === "assistant" ? "an" : "a"} {of.authority}</span>}
      </div>
      <p class="triple">
        <a href={href(group, "entities", fact.source_id)}>
          <Words of={fact.source} />
        </a>
        <span class="mono soft">{shown(fact.predicate)}</span>
        <a href={href(group, "entities", fact.target_id)}>
          <Words of={fact.target} />
        </a>
        <a class="aside" href={href(group, "graph", "", { sel: fact.source_id })}>
          in the graph
        </a>
      </p>
      <TimePicture versions={of.versions.map(surface)} />
      <Bounds group={group} fact={fact} by={of.bounded_by ?? null} />
      {(of.disputed_by ?? []).length > 0 && (
        <Section title="Disputed by">
          <ul class="rows">
            {of.disputed_by!.map((one) => (
              <FactRow key={one.id} fact={one} group={group} />
            ))}
          </ul>
        </Section>
      )}
      <Section title="Where it came from">
        {(of.episodes ?? []).length === 0 ? (
          <p class="nothing">It was made by hand, and no episode says it.</p>
        ) : (
          <ul class="rows">
            {of.episodes.map((one) => (
              <EpisodeRow key={one.episode.id + one.role} episode={one.episode} group={group} sentence={one.sentence} note={<span class="tag">{role[one.role] ?? one.role}</span>} />
            ))}
          </ul>
        )}
      </Section>
      <Section title="What was believed, version by version">
        <Versions group={group} of={of.versions} shownVersion={version} />
      </Section>
      <Section title="Decisions">
        <Decisions group={group} of={of.decisions} />
      </Section>
      {of.current && <Neighbours group={group} fact={fact} />}
    </article>
  );
}

/** How many versions are listed at first, and how many more on demand. */
const step = 100;

const role: Record<string, string> = { states: "states it", ends: "ended it", corrected: "stated it, before it was put right", former: "was behind a former version" };

/** versionAt is what was believed at a time; undefined: nothing. */
export function versionAt<T extends FactAnswer>(versions: T[], known: number | null): T | undefined {
  const at = known ?? Infinity;
  return versions.find((v) => parsed(v.known_from, -Infinity) <= at && (at < parsed(v.known_until, Infinity) || (known === null && !v.known_until)));
}

function surface(v: FactVersion): Version {
  return {
    validFrom: parsed(v.valid_at, -Infinity),
    validUntil: parsed(v.invalid_at, Infinity),
    knownFrom: parsed(v.known_from, -Infinity),
    knownUntil: parsed(v.known_until, Infinity),
    current: !v.known_until,
    when: v.when,
    bounds: [
      ...(v.valid_at ? [{ at: parsed(v.valid_at, 0), named: named(parsed(v.valid_at, 0), v.valid_from) }] : []),
      ...(v.invalid_at ? [{ at: parsed(v.invalid_at, 0), named: endNamed(parsed(v.invalid_at, 0), v.valid_until) }] : []),
    ],
  };
}

function Tools({ group, of }: { group: string; of: FactTrace }): JSX.Element {
  const [open, setOpen] = useState("");
  const close = () => setOpen("");
  const props = { group, fact: of.fact, onClose: close };
  return (
    <>
      {mayWrite() && of.current && (
        <>
          {of.fact.trust === "candidate" && (
            <button type="button" class="button small" onClick={() => setOpen("confirm")}>
              Confirm
            </button>
          )}
          <button type="button" class="button small" onClick={() => setOpen("edit")}>
            Put right
          </button>
          {of.fact.kind === "state" && !of.fact.invalid_at && (
            <button type="button" class="button small" onClick={() => setOpen("end")}>
              End
            </button>
          )}
          <button type="button" class="button small" onClick={() => setOpen("mark")}>
            Mark
          </button>
          <button type="button" class="button small bad" onClick={() => setOpen("withdraw")}>
            Withdraw
          </button>
        </>
      )}
      {mayWrite() && rejected(of) && (
        <button type="button" class="button small" onClick={() => setOpen("restore")}>
          Restore
        </button>
      )}
      <SqlButton query={sql.fact(group, of.fact.id)} />
      {open === "confirm" && <ConfirmFact {...props} />}
      {open === "mark" && <MarkIt group={group} id={of.fact.id} marks={of.fact.marks} onClose={close} />}
      {open === "edit" && <EditFact {...props} />}
      {open === "end" && <EndFact {...props} />}
      {open === "withdraw" && <WithdrawFact {...props} />}
      {open === "restore" && <RestoreFact group={group} id={of.fact.id} fact={of.fact.told} onClose={close} />}
    </>
  );
}

const basis: Record<Bound["basis"], string> = {
  stated: "stated: the text says it",
  planned: "planned: it was announced, and nobody has said that it came",
  said: "said: so much was true when it was said",
  inferred: "inferred from another fact",
  unknown: "nobody said when",
};

function Bounds({ group, fact, by }: { group: string; fact: FactAnswer; by: FactAnswer | null }): JSX.Element {
  const row = (name: string, at: string | null, bound: Bound, said: typeof named) => (
    <tr>
      <th scope="row">{name}</th>
      <td>{at ? said(parsed(at, 0), bound) : "open"}</td>
      <td>{at ? basis[bound.basis] : name === "until" && fact.kind === "state" ? "nobody said that it ended" : basis.unknown}</td>
      <td>{bound.precision ? "to the " + bound.precision : ""}</td>
      <td class="mono">{at ? instant(parsed(at, 0)) : ""}</td>
    </tr>
  );
  return (
    <Section title="Its time in the world">
      <div class="table-wrap">
        <table class="table bounds">
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">bound</span>
              </th>
              <th scope="col">when</th>
              <th scope="col">how that is known</th>
              <th scope="col">how exactly</th>
              <th scope="col">kept as</th>
            </tr>
          </thead>
          <tbody>
            {row(fact.kind === "event" ? "from" : "since", fact.valid_at, fact.valid_from, named)}
            {row("until", fact.invalid_at, fact.valid_until, endNamed)}
          </tbody>
        </table>
      </div>
      {by && (
        <p class="note">
          It ended because of{" "}
          <a href={href(group, "facts", by.id)}>
            <Words of={by.told} />
          </a>
        </p>
      )}
    </Section>
  );
}

// Versions lists the latest, and on demand those before them; what is believed at the slider's time is among them.
function Versions({ group, of, shownVersion }: { group: string; of: FactVersion[]; shownVersion?: FactVersion }): JSX.Element {
  const [most, setMost] = useState(step);
  const reached = shownVersion ? of.length - of.indexOf(shownVersion) : 0;
  const listed = of.slice(-Math.max(most, reached));
  const earlier = of.length - listed.length;
  return (
    <>
      {earlier > 0 && (
        <p>
          <button type="button" class="button small" onClick={() => setMost(most + step)}>
            Show earlier versions ({earlier.toLocaleString("en-GB")} more)
          </button>
        </p>
      )}
      <VersionList group={group} of={listed} shownVersion={shownVersion} />
    </>
  );
}

function VersionList({ group, of, shownVersion }: { group: string; of: FactVersion[]; shownVersion?: FactVersion }): JSX.Element {
  return (
    <ol class="rows versions">
      {of.map((v, i) => (
        <li key={v.known_from ?? i} aria-current={v === shownVersion ? "true" : undefined}>
          <div class="meta">
            <span class="tag known">
              {v.known_from ? instant(parsed(v.known_from, 0)) : "always"} – {v.known_until ? instant(parsed(v.known_until, 0)) : "now"}
            </span>
            <span class="tag world">{v.when}</span>
          </div>
          <Words of={v.told} class="said" />
          <div class="meta">
            <Cause group={group} of={v} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function Cause({ group, of }: { group: string; of: FactVersion }): JSX.Element {
  const by = of.edit;
  return (
    <>
      {by && <ByHand of={by} />}
      {(of.caused_by ?? []).map((id) => (
        <a key={id} href={href(group, "episodes", id)}>
          caused by an episode
        </a>
      ))}
      {(of.ended_by ?? []).map((id) => (
        <a key={id} href={href(group, "episodes", id)}>
          superseded by an episode
        </a>
      ))}
      {!by && !(of.caused_by ?? []).length && <span>made by hand</span>}
    </>
  );
}

export function Decisions({ group, of }: { group: string; of: Decision[] | null }): JSX.Element {
  if (!of || of.length === 0) return <p class="nothing">No decision is on record.</p>;
  return (
    <ol class="rows decisions">
      {of.map((one, i) => (
        <li key={i}>
          <div class="meta">
            <span>{shown(one.step)}</span>
            <span class="tag">{shown(one.decision)}</span>
            {one.fact_id && <a href={href(group, "facts", one.fact_id)}>the fact</a>}
            {one.entity_id && <a href={href(group, "entities", one.entity_id)}>the entity</a>}
            {one.episode_id && <a href={href(group, "episodes", one.episode_id)}>the episode</a>}
          </div>
          <Words of={one.subject} />
          {one.reason && (
            <p class="soft">
              <Words of={one.reason} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

// Neighbours are what else is known of both ends.
function Neighbours({ group, fact }: { group: string; fact: FactAnswer }): JSX.Element {
  const answer = useLoaded(
    async (signal) => {
      const both = await Promise.all(
        [fact.source_id, fact.target_id].map((entity) => get<{ facts: FactAnswer[] }>(group, ["facts"], { entity, limit: 8 }, signal).catch(() => ({ facts: [] }))),
      );
      const found = new Map(both.flatMap((one) => one.facts).map((one) => [one.id, one]));
      found.delete(fact.id);
      return [...found.values()];
    },
    [group, fact.id, fact.source_id, fact.target_id],
  );
  return (
    <Section title="Around it">
      <Shown of={answer}>
        {(facts) =>
          facts.length ? (
            <ul class="rows">
              {facts.map((one) => (
                <FactRow key={one.id} fact={one} group={group} note={endsOf(one, facts)} />
              ))}
            </ul>
          ) : (
            <p class="nothing">Nothing else is known of both ends.</p>
          )
        }
      </Shown>
    </Section>
  );
}
