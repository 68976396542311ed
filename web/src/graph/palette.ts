// Colours of entities, by their label or their community. Grey is who has none.
import { colour, isDark } from "../core/theme";
import type { Model } from "./model";

export type By = "label" | "community";

const light = ["#2f6fab", "#b4532a", "#3c7d4b", "#8a4f9e", "#a67a10", "#b03a62", "#2b8288", "#6a6f2a", "#5a58b0", "#8c5a3c"];
const dark = ["#7fb2e6", "#e8935f", "#86c793", "#c99adb", "#dcb65a", "#ee8bab", "#73c8cd", "#bcc06f", "#a5a3ee", "#cfa084"];

export interface Palette {
  of: (entity: number) => string;
  legend: { name: string; colour: string; count: number }[];
  /** The communities with their members, where entities are coloured by them. */
  hulls: { name: string; colour: string; members: number[] }[];
}

/** paletteOf gives the most frequent kinds a colour each; further ones share grey. */
export function paletteOf(model: Model, by: By): Palette {
  const colours = isDark() ? dark : light;
  const rest = colour("--firm");
  const { labels, community, id } = model.entities;
  const kind = (entity: number) => (by === "label" ? (labels[entity].find((label) => label !== "Entity") ?? labels[entity][0] ?? "") : (model.communities[community[entity]]?.name ?? ""));
  const counts = new Map<string, number>();
  for (let i = 0; i < id.length; i++) counts.set(kind(i), (counts.get(kind(i)) ?? 0) + 1);
  const named = [...counts].filter(([name]) => name !== "").sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const chosen = new Map(named.slice(0, colours.length).map(([name], i) => [name, colours[i]]));
  const legend = [...chosen].map(([name, of]) => ({ name, colour: of, count: counts.get(name)! }));
  const others = id.length - legend.reduce((sum, one) => sum + one.count, 0);
  if (others > 0) legend.push({ name: by === "label" ? "others" : "in no community", colour: rest, count: others });
  const members = new Map<string, number[]>();
  if (by === "community") for (let i = 0; i < id.length; i++) if (chosen.has(kind(i))) members.set(kind(i), [...(members.get(kind(i)) ?? []), i]);
  const hulls = [...members].map(([name, of]) => ({ name, colour: chosen.get(name)!, members: of }));
  return { of: (entity) => chosen.get(kind(entity)) ?? rest, legend, hulls };
}
