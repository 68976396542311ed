import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { href, type Address } from "../core/address";
import type { Episode, Lanes, Overview } from "../core/answers";
import { now } from "../core/clock";
import { get, useLoaded } from "../core/service";
import { mayErase } from "../core/session";
import { sql } from "../core/sql";
import { Words, clipped, shown } from "../core/words";
import { changesOf, linesOf, type Changed } from "../lanes/beliefs";
import { tracksOf, type Track } from "../lanes/layout";
import { Lines, Said } from "../lanes/lines";
import { ByHand, EpisodeRow } from "../parts/lists";
import { Menu } from "../parts/menu";
import { SqlButton } from "../parts/sql";
import { Head, Section, Shown } from "../parts/state";
import { dayOf, parsed, plural, shortDay } from "../time/moment";
import { latest } from "../time/times";
import { EraseGroup } from "./removal";

/** How many people, relations of each, and changes the page begins with. */
const most = { people: 4, lines: 8, changes: 8 };

/** Memory tells what holds now of those that are spoken of most, what changed lately, and who speaks. */
export function Memory({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  const overview = useLoaded((signal) => get<Overview>(group, ["overview"], {}, signal), [group]);
  const lanes = useLoaded((signal) => get<Lanes>(group, ["lanes"], {}, signal), [group]);
  const newest = useLoaded((signal) => get<{ episodes: Episode[] }>(group, ["episodes"], { limit: 60 }, signal), [group]);
  const tracks = useMemo(() => tracksOf(lanes.data?.lanes ?? []), [lanes.data]);
  if (overview.error) return <Shown of={overview}>{() => null}</Shown>;
  return (
    <>
      <Head title={shown(group)} tools={<Tools group={group} />}>
        {overview.data && <Figures group={group} of={overview.data} />}
      </Head>
      <Section title="What holds now" tools={tracks.length > 0 ? <a href={href(group, "timeline")}>In time</a> : undefined}>
        <Shown of={lanes}>{() => <Holding group={group} tracks={tracks} />}</Shown>
      </Section>
      {tracks.length > 0 && (
        <Section title="What changed lately">
          <Changes group={group} of={changesOf(tracks, lanes.data?.edits ?? [], most.changes)} episodes={newest.data?.episodes ?? []} />
        </Section>
      )}
      <Section title="Newest messages" tools={<a href={href(group, "episodes")}>All</a>}>
        <Shown of={newest}>
          {(found) =>
            found.episodes.length ? (
              <ul class="rows">
                {found.episodes.slice(0, 5).map((episode) => (
                  <EpisodeRow key={episode.id} episode={episode} group={group} />
                ))}
              </ul>
            ) : (
              <p class="nothing">
                Nothing was said yet. <code>annals add --group {shown(group)} "I live in Paris."</code> tells it something.
              </p>
            )
          }
        </Shown>
      </Section>
      <Section title="Who speaks">
        <Shown of={overview}>
          {(found) => (
            <ol class="weights">
              {(found.speakers ?? []).map((speaker) => (
                <li key={speaker.actor + "\n" + speaker.role}>
                  <span>
                    <Words of={speaker.actor || "nobody named"} />
                    {speaker.role && <span class="soft"> · {shown(speaker.role)}</span>}
                  </span>
                  <span class="soft number">{plural(speaker.episodes, "message")}</span>
                  <Weight of={speaker.episodes} most={Math.max(...found.speakers.map((one) => one.episodes))} />
                </li>
              ))}
            </ol>
          )}
        </Shown>
      </Section>
    </>
  );
}

function Holding({ group, tracks }: { group: string; tracks: Track[] }): JSX.Element {
  const lines = linesOf(tracks, latest, now(), "holds");
  const people = [...new Map(lines.map(({ track }) => [track.lane.entity_id, track.lane.entity]))].slice(0, most.people);
  if (people.length === 0) return <p class="nothing">Nothing that is known. What is said comes here once it is read: see the queue.</p>;
  return (
    <div class="columns">
      {people.map(([id, name]) => {
        const of = lines.filter(({ track }) => track.lane.entity_id === id);
        return (
          <div key={id} class="holding">
            <h3>
              <a href={href(group, "entities", id)}>
                <Words of={name} />
              </a>
            </h3>
            <Lines group={group} of={of} most={most.lines} />
            {of.length > most.lines && (
              <a class="soft" href={href(group, "entities", id)}>
                and {of.length - most.lines} more
              </a>
            )}
          </div>
        );
      })}
    </div>
  );
}

function Changes({ group, of, episodes }: { group: string; of: Changed[]; episodes: Episode[] }): JSX.Element {
  return (
    <ul class="rows changes">
      {of.map(({ at, lanes, causes, edits }) => {
        const said = episodes.find((one) => causes.includes(one.id));
        return (
          <li key={at}>
            <p class="meta">
              <span>{dayOf(at)}</span>
              {edits.length > 0 ? (
                edits.map((edit) => <ByHand key={edit.action + "\n" + edit.door + "\n" + edit.written_by} of={edit} />)
              ) : said ? (
                <a href={href(group, "episodes", said.id)}>
                  <Words of={(said.actor ? said.actor + ": " : "") + clipped(said.content, 120)} />
                </a>
              ) : (
                causes.length === 0 && <span>by hand</span>
              )}
            </p>
            <dl class="lines">
              {lanes.map(({ track, after, gone }) => (
                <div key={track.id}>
                  <dt>
                    {shown(track.lane.entity)} · {shown(track.lane.name)}
                  </dt>
                  <dd>
                    {after.map(({ strip, how }) => (
                      <div key={strip.id} class="change">
                        {how !== "learned" && <span class={how === "ended" ? "tag warn" : "tag known"}>{how}</span>}
                        <Said group={group} bar={strip.bar} />
                      </div>
                    ))}
                    {gone.map((one) => (
                      <p key={one.id} class="gone">
                        {one.wrong ? (
                          <s>
                            <Words of={one.bar.label} /> {one.bar.when}
                          </s>
                        ) : (
                          <>
                            <span class="tag known">{one.bar.state}</span> <Words of={one.bar.label} /> {one.bar.when}
                          </>
                        )}
                      </p>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}

function Tools({ group }: { group: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      <SqlButton query={sql.memory(group)} />
      {mayErase() && <Menu of={[{ name: "Erase", bad: true, act: () => setOpen(true) }]} />}
      {open && <EraseGroup group={group} onClose={() => setOpen(false)} />}
    </>
  );
}

function Weight({ of, most }: { of: number; most: number }): JSX.Element {
  return <span class="weight" aria-hidden="true" style={{ width: (most > 0 ? (100 * of) / most : 0) + "%" }} />;
}

function Figures({ group, of }: { group: string; of: Overview }): JSX.Element {
  const figures: [number, string, string | undefined, (string | undefined)?][] = [
    [of.episodes, "message", href(group, "episodes")],
    [of.facts, "fact", href(group, "facts")],
    [of.entities, "entity", href(group, "entities"), "entities"],
    [of.threads, "conversation", href(group, "conversations")],
    [of.communities, "community", href(group, "graph", "", { colour: "community" }), "communities"],
  ];
  const [first, last] = [of.first_said, of.last_said].map((at) => (at ? shortDay(parsed(at, 0)) : ""));
  return (
    <span class="figures">
      {figures
        .filter(([n]) => n > 0)
        .map(([n, noun, to, many]) => (
          <a key={noun} href={to}>
            {plural(n, noun, many)}
          </a>
        ))}
      {of.rejections > 0 && <a href={href(group, "facts", "", { show: "rejected" })}>{of.rejections} taken back</a>}
      {of.waiting > 0 && <a href={href(group, "queue")}>{of.waiting} waiting</a>}
      {of.failed > 0 && (
        <a class="bad" href={href(group, "episodes", "", { state: "failed" })}>
          {of.failed} failed
        </a>
      )}
      {first && <span>{first === last ? `said on ${first}` : `said from ${first} to ${last}`}</span>}
    </span>
  );
}
