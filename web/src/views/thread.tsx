import type { JSX } from "preact";
import { href, type Address } from "../core/address";
import type { Episode, Learned, Thread as ThreadAnswer } from "../core/answers";
import { now } from "../core/clock";
import { get, useLoaded } from "../core/service";
import { sql } from "../core/sql";
import { Words, shown } from "../core/words";
import { endsOf, hasEnded, StateTag } from "../parts/lists";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head } from "../parts/state";
import { dayOf, parsed } from "../time/moment";

interface Said {
  episode: Episode;
  learned?: Learned["learned"][number];
}

/** Thread is a conversation as it was said, with what was learned beside each message. */
export function Thread({ address }: { address: Address }): JSX.Element {
  const { group, id } = address;
  const thread = useLoaded((signal) => get<ThreadAnswer>(group, ["threads", id], {}, signal), [group, id]);
  return (
    <>
      <Head title={<Words of={id} />} tools={<SqlButton query={sql.thread(group, id)} />}>
        {thread.data?.summary && <Words of={thread.data.summary} />}
      </Head>
      <Pages
        depends={[group, id]}
        nothing="Nothing was said in it."
        load={async (cursor, signal) => {
          const page = await get<{ episodes: Episode[]; next_cursor?: string }>(group, ["threads", id, "messages"], { limit: 100, cursor }, signal);
          return { items: await withLearned(group, page.episodes, signal), next: page.next_cursor };
        }}
      >
        {(said) => <Messages group={group} of={[...said].reverse()} />}
      </Pages>
    </>
  );
}

async function withLearned(group: string, episodes: Episode[], signal?: AbortSignal): Promise<Said[]> {
  if (episodes.length === 0) return [];
  const { learned } = await get<Learned>(group, ["learned"], { episode: episodes.map((one) => one.id) }, signal);
  const of = new Map(learned.map((one) => [one.episode_id, one]));
  return episodes.map((episode) => ({ episode, learned: of.get(episode.id) }));
}

function Messages({ group, of }: { group: string; of: Said[] }): JSX.Element {
  let day = "";
  return (
    <ol class="talk">
      {of.map(({ episode, learned }) => {
        const at = parsed(episode.occurred_at, 0);
        const newDay = dayOf(at) !== day;
        day = dayOf(at);
        return (
          <li key={episode.id} class={episode.role === "assistant" ? "assistant" : undefined}>
            {newDay && <h2 class="day">{day}</h2>}
            <div class="message">
              <div class="meta">
                <b>
                  <Words of={episode.actor || episode.role || "somebody"} />
                </b>
                <a href={href(group, "episodes", episode.id)}>
                  <time dateTime={episode.occurred_at}>{new Date(at).toISOString().slice(11, 16)}</time>
                </a>
                <StateTag of={episode.state} />
                {episode.withdrawn && <span class="tag warn">taken back later</span>}
              </div>
              <p class="said">
                <Words of={episode.content} />
              </p>
            </div>
            <ul class="learned" aria-label="Learned from it">
              {(learned?.facts ?? []).map((fact) => (
                <li key={fact.id + fact.role} class={fact.role === "ends" || !fact.current || hasEnded(fact, now()) ? "past" : undefined}>
                  <a href={href(group, "facts", fact.id)}>
                    <Words of={fact.told} />
                  </a>
                  <div class="meta">
                    <span>{shown(fact.when)}</span>
                    {endsOf(fact, learned!.facts)}
                    {fact.role === "ends" && <span class="tag warn">ended by this</span>}
                    {!fact.current && <span class="tag bad">no longer believed</span>}
                  </div>
                </li>
              ))}
            </ul>
          </li>
        );
      })}
    </ol>
  );
}
