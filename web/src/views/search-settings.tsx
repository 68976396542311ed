// How a search is done, as it stands in the address: once, or twice side by side.
import type { JSX } from "preact";
import { setQuery } from "../core/address";
import { asked } from "../time/moment";
import type { Times } from "../time/times";

export interface Settings {
  recipe: string;
  scopes: string[];
  methods: string[];
  rerank: string[];
  limit: number;
  ended: boolean;
  minFit: string;
  predicates: string;
  labels: string;
  actors: string;
  threads: string;
}

export const scopes = ["fact", "entity", "episode", "community"];
const methods = ["bm25", "cosine", "bfs"];
const rerankers = ["mmr", "mentions", "salience", "node_distance", "cross_encoder"];
const recipes = [
  "combined_hybrid_rrf",
  "combined_hybrid_mmr",
  "combined_cross_encoder",
  "combined_graph_rrf",
  ...["facts", "entities"].flatMap((of) => ["hybrid_rrf", "hybrid_mmr", "hybrid_node_distance", "hybrid_episode_mentions", "hybrid_cross_encoder", "graph_rrf"].map((how) => `${of}_${how}`)),
  ...["episodes", "communities"].flatMap((of) => ["hybrid_rrf", "hybrid_mmr", "hybrid_cross_encoder"].map((how) => `${of}_${how}`)),
];

/** settingsOf reads one of the two settings out of an address; its names begin with prefix. */
export function settingsOf(query: URLSearchParams, prefix: string): Settings {
  const text = (name: string) => query.get(prefix + name) ?? "";
  const list = (name: string) => text(name).split(",").filter(Boolean);
  const limit = Number(text("limit"));
  return {
    recipe: text("recipe"),
    scopes: list("scopes"),
    methods: list("methods"),
    rerank: list("rerank"),
    limit: Number.isInteger(limit) && limit >= 1 && limit <= 100 ? limit : 10,
    ended: text("ended") === "1",
    minFit: text("min_fit"),
    predicates: text("predicates"),
    labels: text("labels"),
    actors: text("actors"),
    threads: text("threads"),
  };
}

/** bodyOf is a search as the service takes it. */
export function bodyOf(query: string, of: Settings, times: Times): Record<string, unknown> {
  const words = (text: string) => text.split(",").map((one) => one.trim()).filter(Boolean);
  const filter = Object.fromEntries(
    Object.entries({ predicates: words(of.predicates), labels: words(of.labels), actors: words(of.actors), threads: words(of.threads) }).filter(([, list]) => list.length > 0),
  );
  return {
    query,
    limit: of.limit,
    recipe: of.recipe || undefined,
    scopes: of.scopes.length ? of.scopes : undefined,
    methods: of.methods.length ? of.methods : undefined,
    rerank: of.rerank.length ? of.rerank : undefined,
    include_ended: of.ended || undefined,
    min_fit: of.minFit !== "" && Number.isFinite(Number(of.minFit)) ? Number(of.minFit) : undefined,
    filter: Object.keys(filter).length ? filter : undefined,
    as_of: asked(times.valid),
    known_at: asked(times.known),
  };
}

/** inShort names what differs from a plain search. */
export function inShort(of: Settings): string {
  const parts = [
    of.recipe,
    of.scopes.length ? of.scopes.join(", ") : "",
    of.methods.length ? "by " + of.methods.join(", ") : "",
    of.rerank.length ? "reranked by " + of.rerank.join(", ") : "",
    of.limit === 10 ? "" : "the best " + of.limit,
    of.ended ? "ended ones too" : "",
    of.minFit ? "fit at least " + of.minFit : "",
    of.predicates,
    of.labels,
    of.actors ? "said by " + of.actors : "",
    of.threads ? "in " + of.threads : "",
  ].filter(Boolean);
  return parts.join(" · ") || "as usual: words and vectors";
}

export function SettingsForm({ of, prefix }: { of: Settings; prefix: string }): JSX.Element {
  const set = (name: string, value: string) => setQuery({ [prefix + name]: value });
  const toggle = (name: "scopes" | "methods" | "rerank", value: string) => {
    const list = of[name].includes(value) ? of[name].filter((one) => one !== value) : [...of[name], value];
    set(name, list.join(","));
  };
  const checks = (name: "scopes" | "methods" | "rerank", legend: string, all: string[]) => (
    <fieldset class="checks">
      <legend>{legend}</legend>
      {all.map((one) => (
        <label key={one}>
          <input type="checkbox" checked={of[name].includes(one)} onChange={() => toggle(name, one)} /> {one.replace("_", " ")}
        </label>
      ))}
    </fieldset>
  );
  const input = (name: "predicates" | "labels" | "actors" | "threads", label: string, example: string) => (
    <label class="inline">
      <span>{label}</span>
      <input type="text" placeholder={example} value={of[name]} onChange={(event) => set(name, event.currentTarget.value)} />
    </label>
  );
  return (
    <details class="settings">
      <summary>
        <span>{inShort(of)}</span>
      </summary>
      <div class="settings-body">
        <label class="inline">
          <span>Recipe</span>
          <select value={of.recipe} onChange={(event) => set("recipe", event.currentTarget.value)}>
            <option value="">none</option>
            {recipes.map((recipe) => (
              <option key={recipe}>{recipe}</option>
            ))}
          </select>
        </label>
        {checks("scopes", "Look for", scopes)}
        {checks("methods", "Find by", methods)}
        {checks("rerank", "Rerank by", rerankers)}
        <label class="inline">
          <span>Hits of each kind</span>
          <input type="number" min={1} max={100} value={of.limit} onChange={(event) => set("limit", event.currentTarget.value === "10" ? "" : event.currentTarget.value)} />
        </label>
        <label class="inline">
          <span>Fit at least</span>
          <input type="number" step={0.01} placeholder="any" value={of.minFit} onChange={(event) => set("min_fit", event.currentTarget.value)} />
        </label>
        <label class="checks">
          <input type="checkbox" checked={of.ended} onChange={() => set("ended", of.ended ? "" : "1")} /> What has ended, too
        </label>
        {input("predicates", "Only relations", "LIVES_IN, WORKS_AT")}
        {input("labels", "Only entities that are", "Person, Place")}
        {input("actors", "Only said by", "Nora")}
        {input("threads", "Only in conversations", "t1, t2")}
      </div>
    </details>
  );
}
