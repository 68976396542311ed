import { expect, test } from "vitest";
import { axis, crowded, density, place, timeAt } from "../src/time/axis";

const marks = Float64Array.from([0, 1, 2, 3, 1000]);

test.each([true, false])("A place leads back to its time (evenly spaced: %s)", (even) => {
  const on = axis(marks, even);
  for (const at of [-10, 0, 0.5, 2, 17, 999, 1000]) expect(timeAt(on, place(on, at))).toBeCloseTo(at, 6);
  for (let where = 0; where <= 1; where += 0.05) expect(place(on, timeAt(on, where))).toBeCloseTo(where, 9);
});

test("Evenly spaced, each change has the same room", () => {
  const on = axis(marks, true);
  expect([...marks].map((mark) => place(on, mark))).toEqual([1, 2, 3, 4, 5].map((i) => i / 6));
});

test("Changes that came in a burst ask for even room", () => {
  expect(crowded(marks)).toBe(true);
  expect(crowded(Float64Array.from([0, 100, 200, 300, 400]))).toBe(false);
});

test("What lies outside stands at the ends", () => {
  const on = axis(marks, false);
  expect(place(on, -1e9)).toBe(0);
  expect(place(on, 1e9)).toBe(1);
});

test("A memory in which nothing has a time has an axis all the same", () => {
  const on = axis(new Float64Array(0), undefined, 0, 1_700_000_000_000);
  expect(place(on, 1_700_000_000_000)).toBeGreaterThan(0.9);
  expect(timeAt(on, 0)).toBeLessThan(1_700_000_000_000);
});

test("Every mark is seen in the density", () => {
  const heights = density(axis(marks, true), 100);
  expect(heights.filter((height) => height > 0).length).toBe(5);
  expect(Math.max(...heights)).toBe(1);
});
