import { expect, test } from "vitest";
import { Standing, nextMark, standings, type Versions } from "../src/time/intervals";

const day = (text: string) => Date.parse(text);

// Alice lived in Paris; on 10 May one learned that she has lived in Lisbon since 1 March. She visited Oslo in April, and planned to live in Rome from May on.
const told: [number, number, number, number, number, number, number?][] = [
  [0, day("2024-01-01"), Infinity, day("2024-02-01"), day("2024-05-10"), 0],
  [0, day("2024-01-01"), day("2024-03-01"), day("2024-05-10"), Infinity, 0],
  [1, day("2024-03-01"), Infinity, day("2024-05-10"), Infinity, 0],
  [2, day("2024-04-01"), day("2024-05-01"), day("2024-05-10"), Infinity, 1],
  [3, day("2024-05-01"), Infinity, day("2024-05-10"), Infinity, 0, 1],
];

const versions: Versions = {
  facts: 4,
  fact: Int32Array.from(told, (row) => row[0]),
  validFrom: Float64Array.from(told, (row) => row[1]),
  validUntil: Float64Array.from(told, (row) => row[2]),
  knownFrom: Float64Array.from(told, (row) => row[3]),
  knownUntil: Float64Array.from(told, (row) => row[4]),
  event: Uint8Array.from(told, (row) => row[5]),
  planned: Uint8Array.from(told, (row) => row[6] ?? 0),
};

function at(valid: string, known: string): { standing: number[]; version: number[] } {
  const standing = new Uint8Array(4);
  const version = new Int32Array(4);
  standings(versions, day(valid), known === "now" ? Number.MAX_VALUE : day(known), standing, version);
  return { standing: [...standing], version: [...version] };
}

test("A fact stands as it was believed at the time of knowing", () => {
  expect(at("2024-06-01", "2024-05-09")).toEqual({ standing: [Standing.holds, Standing.unknown, Standing.unknown, Standing.unknown], version: [0, -1, -1, -1] });
  expect(at("2024-06-01", "now")).toEqual({ standing: [Standing.ended, Standing.holds, Standing.happened, Standing.ahead], version: [1, 2, 3, 4] });
});

test("Nothing is known before the first was learned", () => {
  expect(at("2024-06-01", "2024-01-15").standing).toEqual([0, 0, 0, 0]);
});

test("What was planned is ahead until somebody says that it came", () => {
  expect(at("2024-04-01", "now").standing[3]).toBe(Standing.ahead);
  expect(at("2025-04-01", "now").standing[3]).toBe(Standing.ahead);
});

test("The start of a stretch belongs to it, the end does not", () => {
  expect(at("2024-03-01", "2024-05-10").standing.slice(0, 2)).toEqual([Standing.ended, Standing.holds]);
  expect(at("2024-02-29T23:59:59.999Z", "2024-05-10").standing.slice(0, 2)).toEqual([Standing.holds, Standing.ahead]);
});

test("An event happens for as long as its stretch, and is over then", () => {
  expect(at("2024-03-31", "now").standing[2]).toBe(Standing.ahead);
  expect(at("2024-04-15", "now").standing[2]).toBe(Standing.happens);
  expect(at("2024-05-01", "now").standing[2]).toBe(Standing.happened);
});

test("The next mark is strictly before or after", () => {
  const marks = Float64Array.from([10, 20, 30]);
  expect(nextMark(marks, 20, true)).toBe(30);
  expect(nextMark(marks, 20, false)).toBe(10);
  expect(nextMark(marks, 25, true)).toBe(30);
  expect(nextMark(marks, 25, false)).toBe(20);
  expect(nextMark(marks, 30, true)).toBeUndefined();
  expect(nextMark(marks, 10, false)).toBeUndefined();
});

test("A hundred thousand facts are placed within a frame", () => {
  const n = 100_000;
  const many: Versions = {
    facts: n,
    fact: Int32Array.from({ length: n }, (_, i) => i),
    validFrom: Float64Array.from({ length: n }, (_, i) => i),
    validUntil: Float64Array.from({ length: n }, (_, i) => i + 1000),
    knownFrom: new Float64Array(n),
    knownUntil: new Float64Array(n).fill(Infinity),
    event: new Uint8Array(n),
    planned: new Uint8Array(n),
  };
  const standing = new Uint8Array(n);
  const version = new Int32Array(n);
  let best = Infinity;
  for (let i = 0; i < 20; i++) {
    const began = performance.now();
    standings(many, 50_000, 1, standing, version);
    best = Math.min(best, performance.now() - began);
  }
  expect(standing.filter((one) => one === Standing.holds).length).toBe(1000);
  expect(best).toBeLessThan(16);
});
