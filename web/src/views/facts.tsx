import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { href, setQuery, type Address } from "../core/address";
import type { Fact, Rejection } from "../core/answers";
import { now } from "../core/clock";
import { get } from "../core/service";
import { mayWrite } from "../core/session";
import { sql } from "../core/sql";
import { Words, shown } from "../core/words";
import { FactRow, endsOf } from "../parts/lists";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head } from "../parts/state";
import { asked, dayOf, instant, written } from "../time/moment";
import { timesNow, type Times } from "../time/times";
import { AddFact, RestoreFact } from "./fact-edits";

/** inWords says at which times a list stands. */
export function inWords({ valid, known }: Times): string {
  if (valid === null && known === null) return "now";
  const world = valid === null ? "now" : "on " + dayOf(valid);
  return known === null ? `${world}, as we know today` : `${world}, as we knew it on ${instant(known)}`;
}

/** Facts lists what held at the two times, or all that was ever believed, or what was taken back. */
export function Facts({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  const show = address.query.get("show") ?? "";
  const times = timesNow();
  return (
    <>
      <Head
        title="Facts"
        tools={
          <>
            {mayWrite() && <AddFact group={group} />}
            <SqlButton query={show === "all" ? sql.graph(group, times.valid, times.known) : sql.facts(group, times.valid, times.known)} />
          </>
        }
      >
        {show === "rejected" ? "What was withdrawn or taken back." : show === "all" ? "Of all times, the latest first." : `What holds ${inWords(times)}; of events, those that happen at that moment.`}
      </Head>
      <div class="tabs" role="group" aria-label="Which">
        {[
          ["", "Holding"],
          ["all", "Of all times"],
          ["rejected", "Taken back"],
        ].map(([name, title]) => (
          <button key={name} type="button" aria-pressed={name === show} onClick={() => setQuery({ show: name }, true)}>
            {title}
          </button>
        ))}
      </div>
      {show === "rejected" ? <Rejected group={group} /> : <Listed group={group} show={show} times={times} />}
    </>
  );
}

function Listed({ group, show, times }: { group: string; show: string; times: Times }): JSX.Element {
  const all = show !== "";
  // A list without as_of is of all times; one of what holds needs the time, also where that is now.
  const asOf = all ? undefined : (asked(times.valid) ?? written(now()));
  return (
    <Pages
      depends={[group, show, times.valid, times.known]}
      nothing={all ? "No fact was known then. Move the slider to a later time." : "Nothing is known to hold then. All that was ever believed stands under All times."}
      load={async (cursor, signal) => {
        const query = { as_of: asOf, known_at: asked(times.known), limit: 100, cursor };
        const page = await get<{ facts: Fact[]; next_cursor?: string }>(group, ["facts"], query, signal);
        return { items: page.facts, next: page.next_cursor };
      }}
    >
      {(facts) => (
        <ul class="rows">
          {facts.map((fact) => (
            <FactRow key={fact.id} fact={fact} group={group} at={times.valid} note={endsOf(fact, facts)} />
          ))}
        </ul>
      )}
    </Pages>
  );
}

function Rejected({ group }: { group: string }): JSX.Element {
  return (
    <Pages
      depends={[group]}
      nothing="Nothing was taken back."
      load={async (cursor, signal) => {
        const page = await get<{ rejections: Rejection[]; next_cursor?: string }>(group, ["rejections"], { limit: 100, cursor }, signal);
        return { items: page.rejections, next: page.next_cursor };
      }}
    >
      {(rejections) => (
        <ul class="rows">
          {rejections.map((rejection) => (
            <RejectedRow key={rejection.id} group={group} of={rejection} />
          ))}
        </ul>
      )}
    </Pages>
  );
}

function RejectedRow({ group, of }: { group: string; of: Rejection }): JSX.Element {
  const [asking, setAsking] = useState(false);
  return (
    <li>
      <s>
        <a class="said" href={href(group, "facts", of.fact_id)}>
          <Words of={of.told} />
        </a>
      </s>
      <div class="meta">
        <span>
          {of.episode_id ? "taken back by an episode" : `withdrawn by ${shown(of.authority)}`} on {instant(Date.parse(of.rejected_at))}
        </span>
        {of.episode_id && <a href={href(group, "episodes", of.episode_id)}>the episode</a>}
        {mayWrite() && (
          <button type="button" class="linkish" onClick={() => setAsking(true)}>
            Restore
          </button>
        )}
      </div>
      {asking && <RestoreFact group={group} id={of.fact_id} fact={of.told} onClose={() => setAsking(false)} />}
    </li>
  );
}
