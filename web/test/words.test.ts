import { expect, test } from "vitest";
import { literal } from "../src/core/sql";
import { clipped, shown } from "../src/core/words";

test("What is not seen is made visible", () => {
  expect(shown("a\u202eb")).toBe("a[U+202E]b");
  expect(shown("a\u0000b\u001b[31m")).toBe("a␀b␛[31m");
  expect(shown("a\u{e0041}b\u200bc")).toBe("a[U+E0041]b[U+200B]c");
  expect(shown("line\r\nline\tend")).toBe("line\nline\tend");
});

test("Scripts and emoji stay as they are", () => {
  for (const text of ["שלום", "مرحبا", "नमस्ते", "👩‍👩‍👧", "naïve", "<b>&amp;</b>"]) expect(shown(text)).toBe(text);
});

test("A cut never halves a letter", () => {
  expect(clipped("ab😀😀", 3)).toBe("ab…");
  expect(clipped("one two three", 9)).toBe("one two…");
  expect(clipped("short", 9)).toBe("short");
});

test("A text stays a literal in SQL, whatever it holds", () => {
  expect(literal("O'Brien")).toBe("'O''Brien'");
  expect(literal("a\\'; DROP TABLE x; --")).toBe("E'a\\\\''; DROP TABLE x; --'");
});
