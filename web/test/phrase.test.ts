/// <reference types="vite/client" />
import { expect, test } from "vitest";
import { endNamed, phrase, phraseOfEvent, type Known } from "../src/time/phrase";

// What the service says of the same times: go test ./internal/server/explorer -run TestPagesOwnTests writes it, and runs these.
interface Case {
  from: string | null;
  until: string | null;
  from_known: Known;
  until_known: Known;
  reading: string;
  state: string;
  event: string;
}

const told = Object.values(import.meta.glob<Case[]>("./phrases.json", { eager: true, import: "default" }));

test.skipIf(told.length === 0)("The page says times as the service does", () => {
  const [cases] = told;
  expect(cases.length).toBeGreaterThan(300);
  for (const one of cases) {
    const of = {
      from: one.from ? Date.parse(one.from) : -Infinity,
      until: one.until ? Date.parse(one.until) : Infinity,
      fromKnown: one.from_known,
      untilKnown: one.until_known,
    };
    const reading = Date.parse(one.reading);
    expect([phrase(of, reading), phraseOfEvent(of, reading)], JSON.stringify(one)).toEqual([one.state, one.event]);
  }
});

test("The end of a month is that month, and not the next one", () => {
  const june = Date.parse("2024-06-01");
  expect(endNamed(june, { basis: "stated", precision: "month" })).toBe("May 2024");
  expect(endNamed(june, { basis: "said", precision: "instant" })).toBe("some time before 1 June 2024");
});
