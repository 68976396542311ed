import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Address } from "../core/address";
import type { Agent as AgentAnswer, Block, Fill, Message } from "../core/answers";
import { get, useLoaded } from "../core/service";
import { sql } from "../core/sql";
import { Words, shown } from "../core/words";
import { Dialog } from "../parts/dialog";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head, Section, Shown } from "../parts/state";
import { instant, parsed, plural } from "../time/moment";

/** Agent shows what an agent always sees, how full its context is, and what it did, step by step. */
export function Agent({ address }: { address: Address }): JSX.Element {
  const { group, id } = address;
  const agent = useLoaded((signal) => get<AgentAnswer>(group, ["agents", id], {}, signal), [group, id]);
  const blocks = useLoaded((signal) => get<{ blocks: Block[] }>(group, ["agents", id, "blocks"], {}, signal), [group, id]);
  return (
    <Shown of={agent}>
      {(found) => (
        <article>
          <Head title={<Words of={found.name} />} tools={<SqlButton query={sql.agent(group, found.id)} />}>
            {plural(found.messages, "message")}, {plural(found.steps, "step")}, {plural(found.passages, "passage")} in its archive.
          </Head>
          <Filling group={group} of={found} />
          {found.instructions && (
            <Section title="Instructions">
              <p class="said">
                <Words of={found.instructions} />
              </p>
            </Section>
          )}
          <Section title="What it always sees">
            <Shown of={blocks}>
              {(list) => (
                <div class="blocks">
                  {list.blocks.map((block) => (
                    <BlockCard key={block.id} group={group} agent={id} block={block} />
                  ))}
                </div>
              )}
            </Shown>
          </Section>
          {found.summary && (
            <Section title="What was said before its context, in short">
              <p class="said">
                <Words of={found.summary} />
              </p>
            </Section>
          )}
          <Section title="All it remembers, in order">
            <Steps group={group} agent={id} first={found.messages - found.in_context} />
          </Section>
        </article>
      )}
    </Shown>
  );
}

// Filling shows how many tokens of its context are taken: what always stays, and the messages.
function Filling({ group, of }: { group: string; of: AgentAnswer }): JSX.Element {
  const answer = useLoaded((signal) => get<Fill>(group, ["agents", of.id, "fill"], {}, signal), [group, of.id]);
  return (
    <Shown of={answer}>
      {(fill) => {
        const percent = (tokens: number) => Math.min(100, (100 * tokens) / Math.max(1, fill.room)) + "%";
        const count = (n: number) => n.toLocaleString("en-GB");
        return (
          <div class="fill">
            <div class="bar" role="img" aria-label={`${count(fill.tokens)} of ${count(fill.room)} tokens of its context are taken`}>
              <span style={{ width: percent(fill.fixed) }} />
              <span class="more" style={{ width: percent(fill.tokens - fill.fixed) }} />
            </div>
            <p class="soft">
              {count(fill.tokens)} of {plural(fill.room, "token")} of its context are taken: {count(fill.fixed)} by what always stays, and{" "}
              {count(fill.tokens - fill.fixed)} by {of.in_context < of.messages ? `the last ${count(of.in_context)} of ` : ""}
              {plural(of.messages, "message")}.{of.in_context < of.messages && " Earlier ones are found by recall."}
            </p>
          </div>
        );
      }}
    </Shown>
  );
}

function BlockCard({ group, agent, block }: { group: string; agent: string; block: Block }): JSX.Element {
  const [open, setOpen] = useState(false);
  const length = [...block.value].length;
  return (
    <section class="block">
      <div class="section-head">
        <h3>
          <Words of={block.label} />
        </h3>
        <button type="button" class="linkish" onClick={() => setOpen(true)}>
          version {block.version}
        </button>
      </div>
      <p class="said">{block.value ? <Words of={block.value} /> : <span class="soft">empty</span>}</p>
      <p class="meta">
        <span>
          {length.toLocaleString("en-GB")} of {plural(block.limit, "character")}
        </span>
        {block.read_only && <span class="tag">read only</span>}
        {block.edited_by && (
          <span>
            by <Words of={block.edited_by} />
          </span>
        )}
      </p>
      {open && <BlockHistory group={group} agent={agent} block={block} onClose={() => setOpen(false)} />}
    </section>
  );
}

function BlockHistory({ group, agent, block, onClose }: { group: string; agent: string; block: Block; onClose: () => void }): JSX.Element {
  const answer = useLoaded((signal) => get<{ blocks: Block[] }>(group, ["agents", agent, "blocks", block.label, "history"], {}, signal), [group, agent, block.label]);
  return (
    <Dialog title={`What ${shown(block.label)} said`} onClose={onClose}>
      <Shown of={answer}>
        {({ blocks }) => (
          <ol class="rows">
            {blocks.map((one) => (
              <li key={one.version + (one.since ?? "")}>
                <div class="meta">
                  <span class="tag known">
                    {one.since ? instant(parsed(one.since, 0)) : ""} – {one.until ? instant(parsed(one.until, 0)) : "now"}
                  </span>
                  <span>version {one.version}</span>
                  {one.edited_by && <Words of={one.edited_by} />}
                </div>
                <Words of={one.value || "empty"} />
              </li>
            ))}
          </ol>
        )}
      </Shown>
      <div class="actions">
        <button type="button" class="button main" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

// Steps lists what was said to the agent, what it thought, called and said. What has left its context is pale.
function Steps({ group, agent, first }: { group: string; agent: string; first: number }): JSX.Element {
  return (
    <Pages
      depends={[group, agent]}
      nothing="It has done nothing yet."
      load={async (cursor, signal) => {
        const page = await get<{ messages: Message[]; next_cursor?: string }>(group, ["agents", agent, "messages"], { limit: 200, cursor }, signal);
        return { items: page.messages, next: page.next_cursor };
      }}
    >
      {(messages) => (
        <ol class="rows">
          {messages.map((message, i) => (
            <li key={message.id} class={i < first ? "past" : undefined}>
              <div class="meta">
                <b>{shown(message.actor || message.role)}</b>
                <span class="tag">{shown(message.kind)}</span>
                <time dateTime={message.occurred_at}>{instant(parsed(message.occurred_at, 0))}</time>
                {message.step > 0 && <span>step {message.step}</span>}
                {message.failed && <span class="tag bad">failed</span>}
              </div>
              {message.thought && (
                <p class="soft">
                  <i>
                    <Words of={message.thought} />
                  </i>
                </p>
              )}
              {message.function && (
                <p class="mono">
                  <Words of={`${message.function}(${message.arguments ?? ""})`} />
                </p>
              )}
              {message.content && (
                <p class="said">
                  <Words of={message.content} />
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Pages>
  );
}
