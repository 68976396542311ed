import { expect, test } from "vitest";
import { instant, parsed, written } from "../src/time/moment";

test("Times keep their microseconds there and back", () => {
  for (const text of ["2026-11-23T07:46:06.046268Z", "2024-03-04T00:00:00Z", "2024-03-04T12:30:00.5Z", "1969-12-31T23:59:59.999999Z"]) {
    expect(parsed(written(parsed(text, NaN)), NaN)).toBe(parsed(text, NaN));
  }
  expect(written(parsed("2026-11-23T07:46:06.046268Z", NaN))).toBe("2026-11-23T07:46:06.046268Z");
});

test("What is not there is open", () => {
  expect(parsed(null, Infinity)).toBe(Infinity);
  expect(parsed("soon", -1)).toBe(-1);
});

test("Midnight is the day", () => {
  expect(instant(Date.parse("2024-02-05"))).toBe("5 Feb 2024");
});
