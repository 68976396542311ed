// What time it is, by the service's clock: one of a laptop may be hours off, and what holds now would be what held then.
let behind = 0;

/** heard takes the time that an answer came with. It is told to the second, so that small differences say nothing. */
export function heard(date: string | null): void {
  const at = Date.parse(date ?? "");
  if (Number.isNaN(at)) return;
  const difference = at - Date.now();
  behind = Math.abs(difference) > 90_000 ? difference : 0;
}

/** now is the present in milliseconds. */
export function now(): number {
  return Date.now() + behind;
}
