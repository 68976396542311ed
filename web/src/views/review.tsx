// What waits for a decision, and what something brought, each with the message that says it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { href, setQuery, type Address } from "../core/address";
import type { Bringer, Episode, Fact, Reviewed } from "../core/answers";
import { get, useLoaded, type Query } from "../core/service";
import { mayWrite } from "../core/session";
import { sql } from "../core/sql";
import { Words, clipped, relationNamed, shown } from "../core/words";
import { FactDifference } from "../parts/differences";
import { EpisodeRow } from "../parts/lists";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head, Shown } from "../parts/state";
import { ago, parsed, plural } from "../time/moment";
import { EditFact } from "./fact-edits";
import { Decide, TakeBack, type Decision } from "./review-edits";

const kinds: [string, string, string][] = [
  ["", "All that waits", "What somebody should look at, with the message that says it."],
  ["candidate", "To be confirmed", "Not believed yet: only those say it whom this memory does not believe until somebody confirms it."],
  ["disputed", "Disputed", "Somebody whose word counts for more says otherwise."],
  ["low_trust", "Low trust", "Believed, though only assistants or documents say it."],
  ["second_hand", "Second hand", "Believed, though only others say it than those whom it is about."],
  ["added", "What something brought", "The difference to the memory before it: what was added, has ended, was corrected or withdrawn."],
];

const ways: Record<string, string> = { source: "Source", thread: "Conversation", day: "Day", run_id: "Run" };

/** Review shows what waits for a decision, or what a source, a conversation, a day or a run of an agent brought. */
export function Review({ address }: { address: Address }): JSX.Element {
  const { group, query } = address;
  const show = query.get("show") ?? "";
  const by = query.get("by") ?? "source";
  const of = (query.get("of") ?? "").trim();
  const brought = broughtBy(by, of);
  return (
    <>
      <Head title="Review" tools={<SqlButton query={show === "added" && of ? sql.brought(group, brought) : sql.review(group)} />}>
        {kinds.find(([name]) => name === show)?.[2]}
      </Head>
      <div class="tabs" role="group" aria-label="Which">
        {kinds.map(([name, title]) => (
          <button key={name} type="button" aria-pressed={name === show} onClick={() => setQuery({ show: name }, true)}>
            {title}
          </button>
        ))}
      </div>
      {show !== "added" ? (
        <List
          key={show}
          group={group}
          parts={["review"]}
          query={{ kind: show }}
          nothing={
            <>
              Nothing waits here. All that is said is believed as it comes, unless you say whose word waits: <code class="mono">annals trust set --assistants --documents --group {shown(group)}</code>
            </>
          }
        />
      ) : (
        <>
          <Choose key={by + "\n" + of} by={by} of={of} />
          {of === "" ? (
            <Bringers group={group} />
          ) : (
            <>
              {mayWrite() && <TakeBackButton group={group} by={by} of={of} query={brought} />}
              <List key={by + "\n" + of} group={group} parts={["review", "added"]} query={brought} nothing="Nothing that is known came from it, or it was taken back. A source is named exactly as it was when it was added." added />
            </>
          )}
        </>
      )}
    </>
  );
}

// broughtBy is what the service is asked for; a day is one of UTC.
function broughtBy(by: string, of: string): Record<string, string> {
  if (by === "thread") return { thread_id: of };
  if (by === "run_id") return { run_id: of };
  if (by !== "day") return { source: of };
  const began = Date.parse(of);
  return Number.isNaN(began) ? { since: of } : { since: of, until: new Date(began + 86_400_000).toISOString().slice(0, 10) };
}

function Choose({ by, of }: { by: string; of: string }): JSX.Element {
  const [way, setWay] = useState(by);
  const [name, setName] = useState(of);
  const submit = (event: Event) => {
    event.preventDefault();
    setQuery({ by: way, of: name.trim() }, true);
  };
  return (
    <form class="review-bar" onSubmit={submit}>
      <select aria-label="Brought by" value={way} onChange={(event) => setWay(event.currentTarget.value)}>
        {Object.entries(ways).map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
      <input type="text" dir="auto" aria-label={way === "day" ? "The day, such as 2024-03-15" : "Its name"} placeholder={way === "day" ? "2024-03-15" : undefined} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      <button type="submit" class="button">
        Show
      </button>
    </form>
  );
}

// Bringers lists what there is to choose from, the latest first.
function Bringers({ group }: { group: string }): JSX.Element {
  const answer = useLoaded((signal) => get<{ brought: Bringer[] }>(group, ["review", "brought"], {}, signal), [group]);
  return (
    <Shown of={answer}>
      {({ brought }) =>
        brought.length === 0 ? (
          <p class="nothing">Nothing came yet.</p>
        ) : (
          <ul class="rows">
            {brought.map(({ by, name, episodes, last_at }) => (
              <li key={by + "\n" + name}>
                <a href={href(group, "review", "", { show: "added", by, of: name })}>
                  <Words of={clipped(name, 120)} />
                </a>
                <p class="meta">
                  <span class="tag">{ways[by]?.toLowerCase()}</span>
                  <span>{plural(episodes, "message")}</span>
                  <span>the last came {ago(parsed(last_at, 0))}</span>
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  );
}

function TakeBackButton(props: { group: string; by: string; of: string; query: Query }): JSX.Element {
  const [asking, setAsking] = useState(false);
  return (
    <p>
      <button type="button" class="button small bad" onClick={() => setAsking(true)}>
        Take back all that it brought
      </button>
      {asking && <TakeBack {...props} way={ways[props.by]?.toLowerCase() ?? "source"} onClose={() => setAsking(false)} />}
    </p>
  );
}

interface Asked {
  decision: Decision | "edit";
  facts: Fact[];
  /** The versions of the facts as they are shown. */
  tag?: string;
  /** All of the kind, also those that are not shown. */
  all?: boolean;
}

interface ListProps {
  group: string;
  parts: string[];
  query: Query;
  nothing: JSX.Element | string;
  added?: boolean;
}

function List({ group, parts, query, nothing, added }: ListProps): JSX.Element {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Asked>();
  const pick = (ids: string[], on: boolean) => setPicked((was) => new Set(on ? [...was, ...ids] : [...was].filter((id) => !ids.includes(id))));
  const close = () => setAsked(undefined);
  return (
    <>
      <Pages
        depends={[group, ...parts, query]}
        nothing={nothing}
        load={async (cursor, signal) => {
          const page = await get<{ review: Reviewed[]; next_cursor?: string }>(group, parts, { ...query, limit: 50, cursor }, signal);
          return { items: page.review, next: page.next_cursor };
        }}
      >
        {(rows) => {
          const open = rows.flatMap((row) => decidable(row, added) ?? []);
          const chosen = open.filter((fact) => picked.has(fact.id));
          const tagOf = (facts: Fact[]) => rows.flatMap((row) => (facts.some((fact) => fact.id === row.fact?.id) ? row.etag ?? [] : [])).join(", ");
          return (
            <>
              {mayWrite() && open.length > 0 && (
                <div class="review-bar stays" role="group" aria-label="Decide of several">
                  <label>
                    <input type="checkbox" checked={chosen.length === open.length} onChange={(event) => pick(open.map((fact) => fact.id), event.currentTarget.checked)} /> All shown
                  </label>
                  <span class="soft" aria-live="polite">
                    {chosen.length} chosen
                  </span>
                  <Buttons names={added ? ["approve", "reject", "leave"] : ["approve", "reject"]} many off={chosen.length === 0} onAsk={(decision) => setAsked({ decision, facts: chosen, tag: tagOf(chosen) })} />
                  {query.kind && <Buttons names={["approve", "reject"]} all onAsk={(decision) => setAsked({ decision, facts: [], all: true })} />}
                </div>
              )}
              <ul class="rows">
                {rows.map((row) => (
                  <Row key={row.kind + (row.fact ?? row.before)!.id} group={group} row={row} fact={mayWrite() ? decidable(row, added) : undefined} added={added} picked={picked} pick={pick} onAsk={(asked) => setAsked({ ...asked, tag: row.etag })} />
                ))}
              </ul>
            </>
          );
        }}
      </Pages>
      {asked?.decision === "edit" && <EditFact group={group} fact={asked.facts[0]} onClose={close} approve tag={asked.tag} />}
      {asked && asked.decision !== "edit" && <Decide group={group} decision={asked.decision} facts={asked.facts} tag={asked.tag} all={asked.all ? query : undefined} waiting={!added} onClose={close} />}
    </>
  );
}

// decidable is the fact that can be decided of: one that was ended or changed was there before, and is not rejected with the change.
function decidable(row: Reviewed, added?: boolean): Fact | undefined {
  return added && row.kind !== "added" ? undefined : (row.fact ?? undefined);
}

interface RowProps {
  group: string;
  row: Reviewed;
  fact: Fact | undefined;
  added?: boolean;
  picked: ReadonlySet<string>;
  pick: (ids: string[], on: boolean) => void;
  onAsk: (asked: Asked) => void;
}

function Row({ group, row, fact, added, picked, pick, onAsk }: RowProps): JSX.Element {
  return (
    <li class="reviewed">
      {fact && <input type="checkbox" aria-label={"Choose: " + clipped(shown(fact.told), 120)} checked={picked.has(fact.id)} onChange={(event) => pick([fact.id], event.currentTarget.checked)} />}
      <div>
        <FactDifference group={group} of={{ change: row.kind, before: row.before, after: row.fact }} />
        <p class="meta">
          <Relates fact={(row.fact ?? row.before)!} />
        </p>
        {row.against.map((other) => (
          <p class="meta" key={other.id}>
            <span>against it</span>
            <a href={href(group, "facts", other.id)}>
              <Words of={other.told} />
            </a>
          </p>
        ))}
        {row.ends.map(({ before }) => (
          <p class="meta" key={before.id}>
            <span>approved, it ends</span>
            <a href={href(group, "facts", before.id)}>
              <Words of={before.told} />
            </a>
          </p>
        ))}
        <ul class="sayings">
          {row.said.map((episode) => (
            <EpisodeRow key={episode.id} group={group} episode={{ ...episode, content: clipped(episode.content, 400) }} note={<Came group={group} by={episode} />} />
          ))}
        </ul>
        {row.said.length === 0 && <p class="meta">No message says it: it was made by hand.</p>}
        {fact && (
          <div class="review-bar" role="group" aria-label={"Decide of: " + clipped(shown(fact.told), 120)}>
            <Buttons names={["approve", "reject", "edit", ...(added ? (["leave"] as const) : [])]} onAsk={(decision) => onAsk({ decision, facts: [fact] })} />
          </div>
        )}
      </div>
    </li>
  );
}

// Relates is what a fact says by its relation, which tells apart those of one sentence.
function Relates({ fact }: { fact: Fact }): JSX.Element {
  return (
    <span>
      <Words of={fact.source} /> {relationNamed(fact.predicate)} <Words of={fact.target} />
    </span>
  );
}

// Came tells how a message came, and leads to all that came with it.
function Came({ group, by }: { group: string; by: Episode }): JSX.Element {
  const to = (way: string, of: string) => href(group, "review", "", { show: "added", by: way, of });
  const day = by.created_at.slice(0, 10);
  return (
    <>
      {by.role && <span class="tag">{shown(by.role)}</span>}
      {by.source_description && <a href={to("source", by.source_description)}>of {shown(clipped(by.source_description, 60))}</a>}
      {by.thread_id && <a href={to("thread", by.thread_id)}>in {shown(clipped(by.thread_id, 60))}</a>}
      <a href={to("day", day)}>came {day}</a>
    </>
  );
}

const verbs: Record<Asked["decision"], string> = { approve: "Approve", reject: "Reject", edit: "Edit", leave: "Leave" };

function Buttons<T extends Asked["decision"]>(props: { names: readonly T[]; many?: boolean; all?: boolean; off?: boolean; onAsk: (decision: T) => void }): JSX.Element {
  return (
    <>
      {props.names.map((name) => (
        <button key={name} type="button" class={name === "reject" ? "button small bad" : "button small"} disabled={props.off} onClick={() => props.onAsk(name)}>
          {verbs[name]}
          {props.many && " chosen"}
          {props.all && " all of this kind"}
        </button>
      ))}
    </>
  );
}
