import type { JSX } from "preact";
import { href, setQuery, type Address } from "../core/address";
import type { Change } from "../core/answers";
import { get } from "../core/service";
import { sql } from "../core/sql";
import { Words } from "../core/words";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head } from "../parts/state";
import { asked, instant, parsed, shortDay } from "../time/moment";
import { named } from "../time/phrase";
import { timesNow, useTimes } from "../time/times";

/** Timeline tells what began, happened and ended when, as it was known then. */
export function Timeline({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  const first = address.query.get("order") === "first";
  const { known } = timesNow();
  const { valid } = useTimes();
  return (
    <>
      <Head title="Timeline" tools={<SqlButton query={sql.timeline(group, known)} />}>
        What began, happened and ended{known === null ? "" : `, as we knew it on ${instant(known)}`}. What lies after the time in the world is pale.
      </Head>
      <div class="tabs" role="group" aria-label="Order">
        <button type="button" aria-pressed={!first} onClick={() => setQuery({ order: undefined })}>
          Latest first
        </button>
        <button type="button" aria-pressed={first} onClick={() => setQuery({ order: "first" })}>
          From the beginning
        </button>
      </div>
      <Pages
        depends={[group, known, first]}
        nothing="Nothing of which the time is known."
        load={async (cursor, signal) => {
          const query = { known_at: asked(known), latest_first: !first, limit: 200, cursor };
          const page = await get<{ changes: Change[]; next_cursor?: string }>(group, ["timeline"], query, signal);
          return { items: page.changes, next: page.next_cursor };
        }}
      >
        {(changes) => <Years group={group} of={changes} valid={valid} />}
      </Pages>
    </>
  );
}

// roughly is a time within its year, no more exact than it is known. Beside it stands in full what is known.
function roughly(at: number, precision: string): string {
  const date = shortDay(at).replace(/ -?\d+$/, "");
  if (precision === "week") return named(at, { basis: "", precision }).replace(/^the (.*) -?\d+$/, "$1");
  if (precision === "month") return date.replace(/^\d+ /, "");
  return /^(season|year|decade)$/.test(precision) ? "" : date;
}

function Years({ group, of, valid }: { group: string; of: Change[]; valid: number | null }): JSX.Element {
  let year = 0;
  let day = "";
  return (
    <ol class="timeline rows-plain">
      {of.map((change, i) => {
        const at = parsed(change.at, 0);
        const nowYear = new Date(at).getUTCFullYear();
        const nowDay = roughly(at, change.precision);
        const newYear = nowYear !== year;
        const newDay = nowDay !== day;
        year = nowYear;
        day = nowDay;
        return (
          <li key={change.fact_id + change.event + i} class={valid !== null && at > valid ? "ahead" : undefined}>
            {newYear && <h2>{nowYear}</h2>}
            <div class={"entry " + change.event + (change.basis === "said" ? " said-only" : "")}>
              <time dateTime={change.at}>{newDay ? nowDay : ""}</time>
              <span class="dot" aria-hidden="true" />
              <div>
                <span class="unseen">{change.event}: </span>
                <a class="said" href={href(group, "facts", change.fact_id)}>
                  <Words of={change.words} />
                </a>
                <div class="meta">
                  <span>{change.when}</span>
                </div>
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
