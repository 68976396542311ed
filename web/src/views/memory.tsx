import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { href, type Address } from "../core/address";
import type { Diff, Episode, Overview } from "../core/answers";
import { now } from "../core/clock";
import { get, useLoaded } from "../core/service";
import { mayErase } from "../core/session";
import { sql } from "../core/sql";
import { Words, shown } from "../core/words";
import { Differences } from "../parts/differences";
import { EpisodeRow } from "../parts/lists";
import { SqlButton } from "../parts/sql";
import { Head, Section, Shown } from "../parts/state";
import { parsed, plural, shortDay, written } from "../time/moment";
import { Figure } from "./queue";
import { EraseGroup } from "./removal";

const week = 7 * 86_400_000;

/** Memory tells what one memory holds, who speaks in it, and what changed this week. */
export function Memory({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  const overview = useLoaded((signal) => get<Overview>(group, ["overview"], {}, signal), [group]);
  const newest = useLoaded((signal) => get<{ episodes: Episode[] }>(group, ["episodes"], { limit: 5 }, signal), [group]);
  const diff = useLoaded((signal) => get<Diff>(group, ["diff"], { from: written(now() - week), limit: 60 }, signal), [group]);
  if (overview.error) return <Shown of={overview}>{() => null}</Shown>;
  return (
    <>
      <Head title={shown(group)} tools={<Tools group={group} />}>
        {overview.data && <Span of={overview.data} />}
      </Head>
      <Shown of={overview}>{(found) => <Figures group={group} of={found} />}</Shown>
      <div class="columns">
        <Section title="Spoken of most lately">
          <Shown of={overview}>
            {(found) => (
              <ol class="weights">
                {(found.salient ?? []).slice(0, 10).map((entity) => (
                  <li key={entity.id}>
                    <a href={href(group, "entities", entity.id)}>
                      <Words of={entity.name} />
                    </a>
                    <span class="soft number">{plural(entity.mentions, "mention")}</span>
                    <Weight of={entity.salience} most={Math.max(...found.salient.map((one) => one.salience))} />
                  </li>
                ))}
              </ol>
            )}
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
                    <span class="soft number">{plural(speaker.episodes, "episode")}</span>
                    <Weight of={speaker.episodes} most={Math.max(...found.speakers.map((one) => one.episodes))} />
                  </li>
                ))}
              </ol>
            )}
          </Shown>
        </Section>
      </div>
      <Section title="Newest episodes" tools={<a href={href(group, "episodes")}>All</a>}>
        <Shown of={newest}>
          {(found) =>
            found.episodes.length ? (
              <ul class="rows">
                {found.episodes.map((episode) => (
                  <EpisodeRow key={episode.id} episode={episode} group={group} />
                ))}
              </ul>
            ) : (
              <p class="nothing">Nothing was said yet.</p>
            )
          }
        </Shown>
      </Section>
      <Section title="What changed this week, in what is believed">
        <Shown of={diff}>{(found) => <Differences group={group} of={found} most={60} />}</Shown>
      </Section>
    </>
  );
}

function Tools({ group }: { group: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      {mayErase() && (
        <button type="button" class="button small bad" onClick={() => setOpen(true)}>
          Erase
        </button>
      )}
      <SqlButton query={sql.memory(group)} />
      {open && <EraseGroup group={group} onClose={() => setOpen(false)} />}
    </>
  );
}

function Weight({ of, most }: { of: number; most: number }): JSX.Element {
  return <span class="weight" aria-hidden="true" style={{ width: (most > 0 ? (100 * of) / most : 0) + "%" }} />;
}

function Span({ of }: { of: Overview }): JSX.Element | null {
  if (!of.first_said || !of.last_said) return null;
  const first = shortDay(parsed(of.first_said, 0));
  const last = shortDay(parsed(of.last_said, 0));
  return <>{first === last ? `Said on ${first}.` : `Said from ${first} to ${last}.`}</>;
}

function Figures({ group, of }: { group: string; of: Overview }): JSX.Element {
  return (
    <dl class="figures">
      <Figure name="episodes" n={of.episodes} to={href(group, "episodes")} />
      <Figure name="facts" n={of.facts} to={href(group, "facts")} />
      <Figure name="of them ended" n={of.facts_ended} />
      <Figure name="entities" n={of.entities} to={href(group, "entities")} />
      <Figure name="communities" n={of.communities} to={href(group, "graph", "", { colour: "community" })} />
      <Figure name="conversations" n={of.threads} to={href(group, "conversations")} />
      {of.rejections > 0 && <Figure name="taken back" n={of.rejections} to={href(group, "facts", "", { show: "rejected" })} />}
      {of.waiting > 0 && <Figure name="waiting" n={of.waiting} to={href(group, "queue")} />}
      {of.failed > 0 && <Figure name="failed" n={of.failed} to={href(group, "episodes", "", { state: "failed" })} bad />}
    </dl>
  );
}
