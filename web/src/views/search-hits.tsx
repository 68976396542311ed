// What one search found: each hit with its place in every method, and the context that would be built of it.
import type { JSX } from "preact";
import { href } from "../core/address";
import type { Placed, SearchResult } from "../core/answers";
import { ask, path, useLoaded } from "../core/service";
import { Words, clipped } from "../core/words";
import { Section, Shown } from "../parts/state";
import { instant, parsed, plural } from "../time/moment";

interface Hit {
  kind: string;
  id: string;
  text: string;
  note: string;
  to: string;
  score: number;
  places: Record<string, Placed>;
}

const titles: Record<string, string> = { fact: "Facts", entity: "Entities", episode: "Episodes", community: "Communities" };

/** hitsOf brings what was found and its explanation together. */
function hitsOf(group: string, found: SearchResult): Map<string, Hit[]> {
  const explained = new Map((found.explanation?.hits ?? []).map((hit) => [hit.id, hit]));
  const hit = (kind: string, view: string, one: { id: string; score?: number }, text: string, note = ""): Hit => ({
    kind,
    id: one.id,
    text,
    note,
    to: view ? href(group, view, one.id) : "",
    score: one.score ?? explained.get(one.id)?.score ?? 0,
    places: explained.get(one.id)?.places ?? {},
  });
  const all = new Map<string, Hit[]>();
  all.set("fact", found.facts.map((one) => hit("fact", "facts", one, one.told, one.when)));
  all.set("entity", found.entities.map((one) => hit("entity", "entities", one, one.name, clipped(one.summary, 140))));
  all.set("episode", found.episodes.map((one) => hit("episode", "episodes", one, clipped(one.content, 320), [one.actor, instant(parsed(one.occurred_at, 0))].filter(Boolean).join(", "))));
  all.set("community", found.communities.map((one) => hit("community", "", one, one.name, clipped(one.summary, 200))));
  return all;
}

export function Hits({ group, body, beside }: { group: string; body: Record<string, unknown>; beside?: ReadonlySet<string> }): JSX.Element {
  const answer = useLoaded((signal) => ask<SearchResult>("POST", path(group, "search"), { body: { ...body, explain: true }, signal }), [group, body]);
  return (
    <Shown of={answer}>
      {(found) => {
        const kinds = [...hitsOf(group, found)].filter(([, hits]) => hits.length > 0);
        const seconds = (found.explanation?.steps ?? []).reduce((sum, step) => sum + step.seconds, 0);
        return (
          <>
            <p class="soft">
              {plural(kinds.reduce((n, [, hits]) => n + hits.length, 0), "hit")}
              {seconds > 0 && <> in {(seconds * 1000).toFixed(0)} ms</>}
            </p>
            {kinds.map(([kind, hits]) => (
              <Section key={kind} title={titles[kind] ?? kind}>
                <ol class="rows hits">
                  {hits.map((hit, i) => (
                    <Row key={hit.id} hit={hit} rank={i + 1} alone={beside !== undefined && !beside.has(hit.id)} />
                  ))}
                </ol>
              </Section>
            ))}
            {kinds.length === 0 && <p class="nothing">Nothing fits.</p>}
          </>
        );
      }}
    </Shown>
  );
}

function Row({ hit, rank, alone }: { hit: Hit; rank: number; alone: boolean }): JSX.Element {
  return (
    <li>
      <span class="rank number">{rank}</span>
      <div>
        {hit.to ? (
          <a class="said" href={hit.to}>
            <Words of={hit.text} />
          </a>
        ) : (
          <Words of={hit.text} class="said" />
        )}
        <div class="meta">
          {hit.note && <Words of={hit.note} />}
          {alone && <span class="tag warn">only here</span>}
        </div>
        <Places of={hit.places} score={hit.score} />
      </div>
    </li>
  );
}

/** Places shows where each method ranked something, and how well it scored there. */
export function Places({ of, score }: { of: Record<string, Placed> | null; score?: number }): JSX.Element {
  return (
    <dl class="places number">
      {score !== undefined && score !== 0 && (
        <div>
          <dt>score</dt>
          <dd>{score.toPrecision(3)}</dd>
        </div>
      )}
      {Object.entries(of ?? {}).map(([method, place]) => (
        <div key={method}>
          <dt>{method}</dt>
          <dd>
            {place.rank}. <span class="soft">{place.score.toPrecision(3)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Context is what a model would be given, with its length. */
export function Context({ group, body }: { group: string; body: Record<string, unknown> }): JSX.Element {
  const answer = useLoaded((signal) => ask<{ context: string; tokens?: number }>("POST", path(group, "context"), { body, signal }), [group, body]);
  return (
    <Section title="The context that a model would get" tools={answer.data?.tokens !== undefined ? <span class="soft number">{plural(answer.data.tokens, "token")}</span> : undefined}>
      <Shown of={answer}>
        {({ context }) => (
          <pre tabIndex={0}>
            <Words of={context} />
          </pre>
        )}
      </Shown>
    </Section>
  );
}
