import type { JSX } from "preact";
import { href, type Address } from "../core/address";
import type { Agent } from "../core/answers";
import { get } from "../core/service";
import { sql } from "../core/sql";
import { Words, clipped } from "../core/words";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head } from "../parts/state";
import { plural } from "../time/moment";

/** Agents lists those that manage a memory of their own in this group. */
export function Agents({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  return (
    <>
      <Head title="Agents" tools={<SqlButton query={sql.agents(group)} />}>
        They manage a memory of their own.
      </Head>
      <Pages
        depends={[group]}
        nothing={
          <>
            No agent lives here. <code class="mono">annals agent</code> makes one.
          </>
        }
        load={async (cursor, signal) => {
          const page = await get<{ agents: Agent[]; next_cursor?: string }>(group, ["agents"], { limit: 100, cursor }, signal);
          return { items: page.agents, next: page.next_cursor };
        }}
      >
        {(agents) => (
          <ul class="rows">
            {agents.map((agent) => (
              <li key={agent.id}>
                <a class="said" href={href(group, "agents", agent.name)}>
                  <Words of={agent.name} />
                </a>
                <div class="meta">
                  <span>{plural(agent.messages, "message")}</span>
                  <span>{plural(agent.passages, "passage")} in its archive</span>
                  <span>{plural(agent.steps, "step")}</span>
                  {agent.awaiting && <span class="tag warn">in the middle of a turn</span>}
                </div>
                {agent.instructions && (
                  <p class="soft">
                    <Words of={clipped(agent.instructions, 200)} />
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
