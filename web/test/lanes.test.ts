import { expect, test } from "vitest";
import type { Bar, Lane } from "../src/core/answers";
import { changesOf, differences, linesOf } from "../src/lanes/beliefs";
import { arrange, standing, ticks, tracksOf, whole } from "../src/lanes/layout";

const now = Date.parse("2024-08-01");

function bar(label: string, valid: [string, string | null], shown: [string, string | null], more: Partial<Bar> = {}): Bar {
  return {
    fact_id: label + valid[0], label, told: label, when: valid.join(" to "), kind: "state", state: "holds", disputed: false, valid_at: valid[0], invalid_at: valid[1],
    valid_from: { basis: "stated", precision: "day" }, valid_until: { basis: "stated", precision: "day" }, begun: null, lasts: null, shown_from: shown[0], shown_until: shown[1],
    believed: { from: shown[0], until: shown[1] }, said_at: null, also: [], caused_by: [label], ...more,
  };
}

const lane = (name: string, ...bars: Bar[]): Lane => ({ entity_id: "n", entity: "Nora", name, relations: [], inverse: false, events: false, bars });

// On 15 March it is learned that she moved on the 8th, and on 22 April that it was on the 11th.
const tracks = tracksOf([
  lane(
    "home",
    bar("Bergen", ["2023-01-01", null], ["2024-01-08", "2024-03-15"]),
    bar("Bergen", ["2023-01-01", "2024-03-08"], ["2024-03-15", null]),
    bar("Porto", ["2024-03-08", null], ["2024-03-15", "2024-04-22"]),
    bar("Porto", ["2024-03-08", null], ["2024-04-22", null], { state: "corrected", by: { fact_id: "Porto2024-03-11", told: "", when: "" } }),
    bar("Porto", ["2024-03-11", null], ["2024-04-22", null]),
  ),
  lane("phone", bar("555", ["2024-01-08", null], ["2024-01-08", null])),
]);

const at = (day: string) => Date.parse(day);
const scale = { first: at("2023-01-01"), last: at("2024-08-01"), left: 100, right: 1100 };
const names = new Set<string>();

test("A lane shows what was believed at a time", () => {
  expect(standing(tracks[0], at("2024-02-01")).map((one) => one.bar.when)).toEqual(["2023-01-01 to "]);
  expect(standing(tracks[0], at("2024-05-01")).map((one) => one.bar.label + " " + one.bar.state)).toEqual(["Bergen holds", "Porto corrected", "Porto holds"]);
});

test("What is withheld is not struck through, and is told as believed again once it is", () => {
  const tea = (state: Bar["state"], shown: [string, string | null]) =>
    bar("tea", ["2024-01-01", null], shown, { state, ...(state === "withheld" && { believed: { from: "2024-02-01", until: "2024-02-03" } }) });
  const kept = tracksOf([lane("likes", tea("holds", ["2024-02-01", "2024-02-03"]), tea("withheld", ["2024-02-03", "2024-02-07"]), tea("holds", ["2024-02-07", null]))]);
  expect(standing(kept[0], at("2024-02-05")).map((one) => [one.ghost, one.wrong, one.since])).toEqual([[true, false, at("2024-02-03")]]);
  expect(changesOf(kept, [], 9).flatMap((one) => one.lanes.flatMap((all) => [...all.after.map((of) => of.how), ...all.gone.map((of) => of.bar.state)]))).toEqual(["believed again", "withheld", "learned"]);
});

test("What follows each other is in one row, and what never held below it", () => {
  const { rows, height } = arrange(tracks, at("2024-05-01"), scale, false, names);
  expect(rows[0].placed.map((one) => [one.strip.bar.label, one.strip.ghost, one.row])).toEqual([["Bergen", false, 0], ["Porto", false, 0], ["Porto", true, 1]]);
  expect(rows[1].y).toBeGreaterThanOrEqual(rows[0].y + rows[0].height);
  expect(height).toBe(rows[1].y + rows[1].height);
  expect(arrange(tracks, at("2020-01-01"), scale, false, names).rows).toEqual([]);
});

test("What has no date at all stands where it was learned", () => {
  const undated = { valid_at: null, invalid_at: null };
  const [tea] = tracksOf([lane("likes", bar("tea", ["2024-01-01", null], ["2024-02-01", null], undated))]);
  expect(whole([tea], now)[0]).toBeGreaterThan(at("2024-01-01"));
  const { rows } = arrange([tea], now, scale, false, names);
  expect(rows[0].placed.map((one) => [one.x0 < one.x1, one.x1])).toEqual([[true, scale.right]]);
});

test("No two bars of a row lie on each other", () => {
  const many = Array.from({ length: 400 }, (_, i) => {
    const from = new Date(at("2023-01-01") + ((i * 7919) % 500) * 86_400_000);
    const until = i % 3 ? new Date(from.getTime() + ((i * 31) % 200) * 86_400_000).toISOString() : null;
    return bar("b" + i, [from.toISOString(), until], ["2024-01-01", null]);
  });
  const [row] = arrange(tracksOf([lane("likes", ...many)]), now, scale, false, new Set(["lane-0"])).rows;
  expect(row.placed.length).toBe(400);
  for (let at = 0; at < row.rows; at++) {
    const sorted = row.placed.filter((one) => one.row === at).sort((a, b) => a.x0 - b.x0);
    for (let i = 1; i < sorted.length; i++) expect(sorted[i].x0).toBeGreaterThanOrEqual(sorted[i - 1].x1 - 7);
  }
});

test("Two moments differ in what was learned between them", () => {
  const found = differences(tracks, at("2024-02-01"), at("2024-05-01"));
  expect(found.map((one) => one.track.lane.name)).toEqual(["home"]);
  expect(found[0].before.map((one) => one.bar.when)).toEqual(["2023-01-01 to "]);
  expect(found[0].after.map((one) => one.bar.when)).toEqual(["2023-01-01 to 2024-03-08", "2024-03-11 to "]);
});

test("The latest change comes first, with what was corrected", () => {
  const edit = { edited_at: "2024-04-22", action: "unconfirm", door: "cli", authority: "person" };
  const [first, second] = changesOf(tracks, [edit], 5);
  expect([first.edits, second.edits]).toEqual([[edit], []]);
  expect(first.lanes[0].after.map(({ strip, how }) => strip.bar.when + " " + how)).toEqual(["2024-03-11 to  corrected"]);
  expect(first.lanes[0].gone.map((one) => one.bar.when)).toEqual(["2024-03-08 to "]);
  expect(second.lanes[0].after.map(({ how }) => how)).toEqual(["ended", "learned"]);
});

test("Lines tell what holds, and what held before", () => {
  const told = (as: "holds" | "before") => linesOf(tracks, Number.MAX_VALUE, now, as).flatMap((line) => line.strips.map((one) => line.track.lane.name + " " + one.bar.label));
  expect(told("holds")).toEqual(["home Porto", "phone 555"]);
  expect(told("before")).toEqual(["home Bergen"]);
});

test("An axis names months, years or days, as many as there is room for", () => {
  const [first, last] = whole(tracks, now);
  expect(first).toBeLessThan(at("2023-01-01"));
  for (const days of [5, 60, 600, 6000, 60000]) {
    const named = ticks({ first, last: first + days * 86_400_000, left: 0, right: 1000 });
    expect(named.length).toBeGreaterThan(1);
    expect(named.length).toBeLessThan(15);
  }
  expect(last).toBeGreaterThan(at("2024-03-11"));
});
