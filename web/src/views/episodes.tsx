import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { href, type Address } from "../core/address";
import type { Episode } from "../core/answers";
import { ask, get, path } from "../core/service";
import { mayWrite } from "../core/session";
import { sql } from "../core/sql";
import { shown } from "../core/words";
import { Confirm, type Doing } from "../parts/dialog";
import { EpisodeRow } from "../parts/lists";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head } from "../parts/state";
import { plural } from "../time/moment";

const states: [string, string][] = [
  ["", "All"],
  ["done", "Read"],
  ["pending", "Waiting"],
  ["processing", "Being read"],
  ["failed", "Failed"],
];

/** Episodes lists what was said and how far it has come. */
export function Episodes({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  const state = address.query.get("state") ?? "";
  return (
    <>
      <Head
        title="Episodes"
        tools={
          <>
            {(state === "failed" || state === "pending") && <RetryButton group={group} />}
            <SqlButton query={sql.episodes(group, state)} />
          </>
        }
      >
        What was said or written, word for word, the latest first.
      </Head>
      <nav class="tabs" aria-label="State">
        {states.map(([name, title]) => (
          <a key={name} href={href(group, "episodes", "", { state: name })} aria-current={name === state ? "true" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Pages
        depends={[group, state]}
        nothing="There is none. Choose another state, or add one: annals add."
        load={async (cursor, signal) => {
          const page = await get<{ episodes: Episode[]; next_cursor?: string }>(group, ["episodes"], { state, limit: 50, cursor }, signal);
          return { items: page.episodes, next: page.next_cursor };
        }}
      >
        {(episodes) => (
          <ul class="rows">
            {episodes.map((episode) => (
              <EpisodeRow
                key={episode.id}
                episode={episode}
                group={group}
                note={
                  <>
                    {episode.thread_id && <a href={href(group, "conversations", episode.thread_id)}>{shown(episode.thread_id)}</a>}
                    {episode.error && <span class="tag bad">{shown(episode.error)}</span>}
                  </>
                }
              />
            ))}
          </ul>
        )}
      </Pages>
    </>
  );
}

/** RetryButton has failed and deferred episodes read again. */
export function RetryButton({ group }: { group: string }): JSX.Element | null {
  const [asking, setAsking] = useState(false);
  if (!mayWrite()) return null;
  const doing: Doing<{ retried: number }> = {
    verb: "Read again",
    act: () => ask("POST", path(group, "retry")),
    done: ({ retried }) => plural(retried, "episode waits again", "episodes wait again") + ".",
  };
  return (
    <>
      <button type="button" class="button small" onClick={() => setAsking(true)}>
        Read failed ones again
      </button>
      {asking && (
        <Confirm title="Read them again?" doing={doing} onClose={() => setAsking(false)}>
          <p>Failed episodes, and those that were put off, go back into the queue. A worker or this service reads them; with a model that may cost something.</p>
        </Confirm>
      )}
    </>
  );
}
