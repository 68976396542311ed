// Texts of the memory are whatever somebody said once. They are shown as text and never as markup; characters that nobody
// sees, or that turn the direction of what stands beside them, are made visible.
import type { JSX } from "preact";

// Controls but tab and line break, marks of direction, invisible ones, and the tag characters that hide words in emoji.
const hidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** relationNamed is a relation in words: "no longer lives in". */
export function relationNamed(predicate: string): string {
  return shown(predicate.toLowerCase().replace(/_/g, " "));
}

/** shown is a text in which nothing works unseen: a control character becomes its picture, or its number. */
export function shown(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(hidden, (c) => {
    const code = c.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/** Words shows a text of the memory, apart from the direction of what surrounds it. */
export function Words({ of, class: name }: { of: string; class?: string }): JSX.Element {
  return (
    <bdi class={name ? "words " + name : "words"} dir="auto">
      {shown(of)}
    </bdi>
  );
}

/** clipped is the beginning of a long text, cut at a space where there is one. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
  const space = cut.lastIndexOf(" ");
  return (space > length * 0.6 ? cut.slice(0, space) : cut) + "…";
}
