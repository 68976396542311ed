import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { href, type Address } from "../core/address";
import type { Episode as EpisodeAnswer, Learned, Trace } from "../core/answers";
import { get, useLoaded } from "../core/service";
import { mayErase, mayWrite } from "../core/session";
import { sql } from "../core/sql";
import { Words, shown } from "../core/words";
import { FactRow, Noted, StateTag, endsOf } from "../parts/lists";
import { SqlButton } from "../parts/sql";
import { Head, Section, Shown } from "../parts/state";
import { instant, parsed, plural } from "../time/moment";
import { Decisions } from "./fact";
import { MarkIt } from "./mark";
import { EraseEpisode, UndoEpisode, episodeOf } from "./removal";

/** Episode is one thing that was said, what the memory learned from it, and why. */
export function Episode({ address }: { address: Address }): JSX.Element {
  const { group, id } = address;
  const answer = useLoaded((signal) => episodeOf(group, id, signal), [group, id]);
  const learned = useLoaded((signal) => get<Learned>(group, ["learned"], { episode: [id] }, signal), [group, id]);
  const trace = useLoaded((signal) => get<{ trace: Trace[] }>(group, ["episodes", id, "trace"], {}, signal), [group, id]);
  return (
    <Shown of={answer}>
      {(episode) => (
        <article>
          <Head title={episode.name ? <Words of={episode.name} /> : "Episode"} tools={<Tools group={group} episode={episode} />} />
          <div class="meta under-title">
            <time dateTime={episode.occurred_at}>{instant(parsed(episode.occurred_at, 0))}</time>
            {episode.actor && <Words of={episode.actor} />}
            {episode.role && <span class="tag">{shown(episode.role)}</span>}
            <span class="tag">{episode.source}</span>
            <StateTag of={episode.state} />
            {episode.withdrawn && <span class="tag warn">taken back later</span>}
            <Noted marks={episode.marks} />
            {episode.thread_id && (
              <a href={href(group, "conversations", episode.thread_id)}>
                in <Words of={episode.thread_id} />
              </a>
            )}
          </div>
          <blockquote class="said whole">
            <Words of={episode.content} />
          </blockquote>
          <p class="meta">
            <span>
              came {instant(parsed(episode.created_at, 0))} by way of {shown(episode.door ?? "?")}
            </span>
            {episode.authority && <span>counts as the word of {shown(episode.authority)}</span>}
            {episode.external_id && <span class="mono">{shown(episode.external_id)}</span>}
            {episode.attempts > 0 && <span>{plural(episode.attempts, "attempt")}</span>}
          </p>
          {episode.error && (
            <p class="problem field">
              <Words of={episode.error} />
            </p>
          )}
          <Section title="What was learned from it">
            <Shown of={learned}>{(found) => <LearnedList group={group} of={found.learned[0]} />}</Shown>
          </Section>
          <Section title="Decisions">
            <Shown of={trace}>{(found) => <Decisions group={group} of={found.trace} />}</Shown>
          </Section>
        </article>
      )}
    </Shown>
  );
}

export function LearnedList({ group, of }: { group: string; of: Learned["learned"][number] | undefined }): JSX.Element {
  if (!of || ((of.facts ?? []).length === 0 && (of.entities ?? []).length === 0)) return <p class="nothing">Nothing.</p>;
  return (
    <>
      <ul class="rows">
        {(of.facts ?? []).map((fact) => (
          <FactRow
            key={fact.id + fact.role}
            fact={fact}
            group={group}
            note={
              <>
                {endsOf(fact, of.facts)}
                {fact.role === "ends" && <span class="tag warn">ended by this</span>}
                {!fact.current && <span class="tag bad">no longer believed</span>}
              </>
            }
          />
        ))}
      </ul>
      {(of.entities ?? []).length > 0 && (
        <p class="meta">
          <span>names</span>
          {of.entities.map((entity) => (
            <a key={entity.id} href={href(group, "entities", entity.id)}>
              <Words of={entity.name} />
            </a>
          ))}
        </p>
      )}
    </>
  );
}

function Tools({ group, episode }: { group: string; episode: EpisodeAnswer }): JSX.Element {
  const [open, setOpen] = useState("");
  const props = { group, episode, onClose: () => setOpen("") };
  return (
    <>
      {mayWrite() && (
        <>
          <button type="button" class="button small" onClick={() => setOpen("mark")}>
            Mark
          </button>
          <button type="button" class="button small" onClick={() => setOpen("undo")}>
            Undo
          </button>
        </>
      )}
      {mayErase() && (
        <button type="button" class="button small bad" onClick={() => setOpen("erase")}>
          Erase
        </button>
      )}
      <SqlButton query={sql.episode(group, episode.id)} />
      {open === "mark" && <MarkIt group={group} id={episode.id} marks={episode.marks} onClose={props.onClose} />}
      {open === "undo" && <UndoEpisode {...props} />}
      {open === "erase" && <EraseEpisode {...props} />}
    </>
  );
}
