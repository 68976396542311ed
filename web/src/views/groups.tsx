import type { JSX } from "preact";
import { href } from "../core/address";
import type { Group } from "../core/answers";
import { ask } from "../core/service";
import { useSession } from "../core/session";
import { sql } from "../core/sql";
import { Words } from "../core/words";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head } from "../parts/state";
import { shortDay } from "../time/moment";
import { QueueLine } from "./queue";

/** Groups lists the memories that the key opens. */
export function Groups(): JSX.Element {
  const { who } = useSession();
  return (
    <>
      <Head title="Memories" tools={<SqlButton query={sql.groups()} />}>
        {who?.allGroups ? "All groups of this service." : "The groups that your key opens."} {who?.allGroups && <QueueLine />}
      </Head>
      <Pages
        depends={[]}
        nothing={
          <>
            There is no memory yet. <code class="mono">annals demo</code> fills one with a conversation.
          </>
        }
        load={async (cursor, signal) => {
          const page = await ask<{ groups: Group[]; next_cursor?: string }>("GET", "/v1/groups", { query: { limit: 100, cursor }, signal });
          return { items: page.groups, next: page.next_cursor };
        }}
      >
        {(groups) => (
          <ul class="rows">
            {groups.map((group) => (
              <li key={group.id}>
                <a class="said" href={href(group.id)}>
                  <Words of={group.name || group.id} />
                </a>
                <div class="meta">
                  {group.name && <Words of={group.id} />}
                  {group.kind === "user" && <span class="tag">user</span>}
                  <span>since {shortDay(Date.parse(group.created_at))}</span>
                </div>
                {group.description && (
                  <p class="soft">
                    <Words of={group.description} />
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
