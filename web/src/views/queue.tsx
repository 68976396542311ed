import type { JSX } from "preact";
import { href, type Address } from "../core/address";
import type { Queues, Waiting } from "../core/answers";
import { ask, get, useLoaded } from "../core/service";
import { useSession } from "../core/session";
import { sql } from "../core/sql";
import { Words } from "../core/words";
import { RetryButton } from "./episodes";
import { SqlButton } from "../parts/sql";
import { Head, Section, Shown } from "../parts/state";
import { ago, parsed, plural } from "../time/moment";

/** Queue tells what waits to be read, here and, for who may know, in all memories. */
export function Queue({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  const { who } = useSession();
  const answer = useLoaded((signal) => get<Waiting>(group, ["queue"], {}, signal), [group]);
  return (
    <>
      <Head
        title="Queue"
        tools={
          <>
            <button type="button" class="button small" onClick={answer.again}>
              Look again
            </button>
            <SqlButton query={sql.queue(group)} />
          </>
        }
      >
        Episodes wait here until they are read into the graph.
      </Head>
      <Shown of={answer}>
        {(queue) => (
          <>
            <dl class="figures">
              <Figure name="waiting" n={queue.pending} to={href(group, "episodes", "", { state: "pending" })} />
              <Figure name="being read" n={queue.processing} to={href(group, "episodes", "", { state: "processing" })} />
              <Figure name="failed" n={queue.failed} to={href(group, "episodes", "", { state: "failed" })} bad={queue.failed > 0} />
              <Figure name="put off" n={queue.deferred} />
            </dl>
            {queue.oldest && <p class="soft">The oldest came {ago(parsed(queue.oldest, 0))}.</p>}
            {queue.failed + queue.deferred > 0 && (
              <p class="section">
                <RetryButton group={group} />
              </p>
            )}
          </>
        )}
      </Shown>
      {who?.allGroups && <All />}
    </>
  );
}

function Figure({ name, n, to, bad }: { name: string; n: number; to?: string; bad?: boolean }): JSX.Element {
  const figure = n.toLocaleString("en-GB");
  return (
    <div class={bad ? "figure bad" : "figure"}>
      <dd>{to ? <a href={to}>{figure}</a> : figure}</dd>
      <dt>{name}</dt>
    </div>
  );
}

function All(): JSX.Element {
  const answer = useLoaded((signal) => ask<Queues>("GET", "/v1/queue", { signal }), []);
  return (
    <Section title="In all memories">
      <Shown of={answer}>
        {(queue) =>
          queue.groups && queue.groups.length > 0 ? (
            <div class="table-wrap">
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">memory</th>
                    <th scope="col" class="number">waiting</th>
                    <th scope="col" class="number">being read</th>
                    <th scope="col" class="number">failed</th>
                  </tr>
                </thead>
                <tbody>
                  {queue.groups.map((one) => (
                    <tr key={one.group_id}>
                      <td>
                        <a href={href(one.group_id, "queue")}>
                          <Words of={one.group_id} />
                        </a>
                      </td>
                      <td class="number">{one.pending}</td>
                      <td class="number">{one.processing}</td>
                      <td class="number">{one.failed}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          ) : (
            <p class="nothing">Nothing waits anywhere.</p>
          )
        }
      </Shown>
    </Section>
  );
}

/** QueueLine is the queue of all memories in a sentence. */
export function QueueLine(): JSX.Element | null {
  const { data } = useLoaded((signal) => ask<Queues>("GET", "/v1/queue", { signal }), []);
  if (!data) return null;
  const count = (of: (one: Waiting) => number) => (data.groups ?? []).reduce((sum, one) => sum + of(one), 0);
  const waiting = count((one) => one.pending + one.processing);
  const failed = count((one) => one.failed);
  if (waiting + failed === 0) return <>All that was said has been read.</>;
  return (
    <>
      {plural(waiting, "episode")} still to be read
      {failed > 0 && <>, {failed.toLocaleString("en-GB")} failed</>}.
    </>
  );
}
