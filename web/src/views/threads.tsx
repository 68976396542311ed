import type { JSX } from "preact";
import { href, type Address } from "../core/address";
import type { Thread } from "../core/answers";
import { get } from "../core/service";
import { sql } from "../core/sql";
import { Words } from "../core/words";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head } from "../parts/state";
import { instant, parsed, plural } from "../time/moment";

/** Threads lists the conversations with their summaries. */
export function Threads({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  return (
    <>
      <Head title="Conversations" tools={<SqlButton query={sql.threads(group)} />} />
      <Pages
        depends={[group]}
        nothing="No message names a conversation. One that is added with a thread_id belongs to one."
        load={async (cursor, signal) => {
          const page = await get<{ threads: Thread[]; next_cursor?: string }>(group, ["threads"], { limit: 100, cursor }, signal);
          return { items: page.threads, next: page.next_cursor };
        }}
      >
        {(threads) => (
          <ul class="rows">
            {threads.map((thread) => (
              <li key={thread.id}>
                <a class="said" href={href(group, "conversations", thread.id)}>
                  <Words of={thread.id} />
                </a>
                <div class="meta">
                  <span>{plural(thread.messages, "message")}</span>
                  <span>last {instant(parsed(thread.last_at, 0))}</span>
                </div>
                {thread.summary && (
                  <p class="soft">
                    <Words of={thread.summary} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </Pages>
    </>
  );
}
