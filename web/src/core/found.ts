// What the search field found last, for the graph to point at while somebody types.
const listeners = new Set<(ids: readonly string[]) => void>();

export function tellFound(ids: readonly string[]): void {
  for (const listen of listeners) listen(ids);
}

export function onFound(listen: (ids: readonly string[]) => void): () => void {
  listeners.add(listen);
  return () => void listeners.delete(listen);
}
