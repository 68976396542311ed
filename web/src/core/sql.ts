// The query in psql behind each view, with the functions and views of docs/sql.md. Whatever a text holds, it stays a literal.

import { written } from "../time/moment";

/** literal is a text as SQL writes it. */
export function literal(text: string): string {
  const clean = text.replace(/\0/g, "");
  return clean.includes("\\") ? "E'" + clean.replace(/\\/g, "\\\\").replace(/'/g, "''") + "'" : "'" + clean.replace(/'/g, "''") + "'";
}

const at = (time: number | null) => (time === null ? "now()" : `timestamptz '${written(time)}'`);

/** called is a call of a function whose times are left out where they are now. */
function called(name: string, group: string, times: Record<string, number | null>, ...further: string[]): string {
  const named = Object.entries(times)
    .filter(([, time]) => time !== null)
    .map(([parameter, time]) => `${parameter} => ${at(time)}`);
  return `annals.${name}(${[literal(group), ...named, ...further].join(", ")})`;
}

export const sql = {
  groups: () => "SELECT group_id, kind, name, description, created_at\nFROM annals.groups\nORDER BY group_id;",

  memory: (group: string) =>
    `-- who speaks
SELECT actor, role, count(*) AS episodes, min(occurred_at) AS first, max(occurred_at) AS last
FROM annals.episodes WHERE group_id = ${literal(group)}
GROUP BY actor, role ORDER BY episodes DESC;

-- what is spoken of
SELECT name, labels, mentions, salience, facts_holding
FROM annals.entity_knowledge WHERE group_id = ${literal(group)}
ORDER BY salience DESC LIMIT 12;

-- what changed in the month before the last change
SELECT change, told, valid, told_before, valid_before
FROM annals.fact_changes(${literal(group)}, (SELECT written_at - interval '1 month' FROM annals.groups WHERE group_id = ${literal(group)}));`,

  graph: (group: string, valid: number | null, known: number | null) =>
    `SELECT source, predicate, target, told, kind, valid, valid @> ${at(valid)} AS holds
FROM ${called("facts_known", group, { known_at: known })}
WHERE lower(valid) IS NULL OR lower(valid) <= ${at(valid)}
ORDER BY lower(valid) NULLS FIRST;`,

  facts: (group: string, valid: number | null, known: number | null) =>
    `SELECT id, source, predicate, target, told, valid
FROM ${called("facts_at", group, { valid_at: valid, known_at: known }, "planned => true")}
ORDER BY lower(valid) NULLS FIRST, id;`,

  entities: (group: string, known: number | null) =>
    known === null
      ? `SELECT name, labels, mentions, salience, summary
FROM annals.entity_knowledge WHERE group_id = ${literal(group)}
ORDER BY mentions DESC, name;`
      : `SELECT id, name, labels, summary
FROM ${called("entities_at", group, { known_at: known })}
ORDER BY name;`,

  fact: (group: string, id: string) =>
    `-- every version, and the words that caused it
SELECT h.recorded, h.valid, h.from_basis, h.from_precision, h.until_basis, h.until_precision, h.told, e.actor, e.occurred_at, e.content
FROM annals.fact_history(${literal(group)}, ${literal(id)}) h
LEFT JOIN annals.episodes e ON e.group_id = h.group_id AND e.id = ANY (h.caused_by)
ORDER BY lower(h.recorded);`,

  entity: (group: string, id: string, valid: number | null, known: number | null) =>
    `-- what is known of it
SELECT predicate, source, target, told, valid
FROM ${called("facts_at", group, { valid_at: valid, known_at: known }, "planned => true")}
WHERE ${literal(id)} IN (source_id, target_id)
ORDER BY lower(valid) NULLS FIRST;

-- every version of it
SELECT recorded, name, aliases, labels, summary
FROM annals.entity_history(${literal(group)}, ${literal(id)})
ORDER BY lower(recorded);`,

  timeline: (group: string, known: number | null) =>
    known === null
      ? `SELECT at, event, words FROM annals.timeline\nWHERE group_id = ${literal(group)}\nORDER BY at DESC;`
      : `SELECT at, event, words\nFROM annals.timeline_at(${literal(group)}, ${at(known)})\nORDER BY at DESC;`,

  threads: (group: string) =>
    `SELECT thread_id, count(*) AS messages, min(occurred_at) AS first, max(occurred_at) AS last
FROM annals.episodes WHERE group_id = ${literal(group)} AND thread_id <> ''
GROUP BY thread_id ORDER BY last DESC;`,

  thread: (group: string, thread: string) =>
    `SELECT e.occurred_at, e.actor, e.content, f.told AS learned
FROM annals.episodes e
LEFT JOIN annals.fact_episodes x ON x.group_id = e.group_id AND x.episode_id = e.id
LEFT JOIN annals.facts f ON f.group_id = x.group_id AND f.id = x.fact_id
WHERE e.group_id = ${literal(group)} AND e.thread_id = ${literal(thread)}
ORDER BY e.occurred_at, e.id;`,

  episodes: (group: string, state: string) =>
    `SELECT occurred_at, actor, state, attempts, error, content
FROM annals.episodes
WHERE group_id = ${literal(group)}${state ? ` AND state = ${literal(state)}` : ""}
ORDER BY occurred_at DESC LIMIT 100;`,

  episode: (group: string, id: string) =>
    `SELECT step, decision, subject, reason
FROM annals.traces
WHERE group_id = ${literal(group)} AND episode_id = ${literal(id)}
ORDER BY place;`,

  review: (group: string) =>
    `-- what is not believed, or is disputed
SELECT trust, predicate, told, valid, said_at
FROM annals.facts
WHERE group_id = ${literal(group)} AND trust <> 'believed'
ORDER BY trust, id;`,

  brought: (group: string, by: Record<string, string>) => {
    const chosen = [
      by.source && `e.source_description = ${literal(by.source)}`,
      by.thread_id && `e.thread_id = ${literal(by.thread_id)}`,
      by.run_id && `e.metadata->>'run_id' = ${literal(by.run_id)}`,
      by.since && `e.created_at >= timestamptz ${literal(by.since)}`,
      by.until && `e.created_at < timestamptz ${literal(by.until)}`,
    ].filter(Boolean);
    return `-- what it states and ends
SELECT x.role, f.told, f.valid, e.actor, e.content
FROM annals.episodes e
JOIN annals.fact_episodes x ON x.group_id = e.group_id AND x.episode_id = e.id
JOIN annals.facts f ON f.group_id = x.group_id AND f.id = x.fact_id
WHERE e.group_id = ${literal(group)} AND ${chosen.join(" AND ")}
ORDER BY e.occurred_at, f.id;`;
  },

  search: (group: string, query: string, settings: { kinds: string[]; limit: number; ended: boolean; valid: number | null; known: number | null }) => {
    const named = [
      settings.kinds.length ? `kinds => '{${settings.kinds.join(",")}}'` : "",
      settings.valid === null ? "" : `valid_at => ${at(settings.valid)}`,
      settings.known === null ? "" : `known_at => ${at(settings.known)}`,
      `max_rows => ${settings.limit}`,
      settings.ended ? "include_ended => true" : "",
    ].filter(Boolean);
    return `-- by words; with a vector of the question also by meaning\nSELECT kind, rank, score, name, content\nFROM annals.search(${literal(group)}, ${literal(query)}, ${named.join(", ")});`;
  },

  agents: (group: string) => `SELECT id, name, created_at\nFROM annals.agents WHERE group_id = ${literal(group)}\nORDER BY name;`,

  agent: (group: string, id: string) =>
    `SELECT b.label, b.value, b.version, b.edited_by, lower(b.recorded) AS since
FROM annals.agent_blocks a
JOIN annals.blocks b ON b.group_id = a.group_id AND b.id = a.block_id
WHERE a.group_id = ${literal(group)} AND a.agent_id = ${literal(id)}
ORDER BY b.label;`,

  usage: (group: string) =>
    `SELECT day, prompt, model, calls, input_tokens, output_tokens, cost\nFROM annals.model_usage WHERE group_id = ${literal(group)}\nORDER BY day DESC, cost DESC NULLS LAST;`,

  queue: (group: string) =>
    `SELECT state, count(*), min(created_at) AS oldest\nFROM annals.episodes WHERE group_id = ${literal(group)}\nGROUP BY state ORDER BY state;`,
};
