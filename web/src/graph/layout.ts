// Where entities stand: at first by their community on a spiral, the same each time; then moved apart by a worker.
import type { Model } from "./model";
import type { Step } from "./layout.worker";

/** starting places entities so that one can read the graph before the worker has said anything. */
export function starting(model: Model, before?: Map<string, [number, number]>): Float32Array {
  const { entities, around, lines } = model;
  const n = entities.id.length;
  const at = new Float32Array(n * 2);
  const order = [...entities.id.keys()].sort(
    (a, b) => entities.community[a] - entities.community[b] || entities.salience[b] - entities.salience[a] || (entities.id[a] < entities.id[b] ? -1 : 1),
  );
  const golden = Math.PI * (3 - Math.sqrt(5));
  order.forEach((entity, i) => {
    const radius = Math.sqrt(i + 0.5) * 12;
    at[2 * entity] = radius * Math.cos(i * golden);
    at[2 * entity + 1] = radius * Math.sin(i * golden);
  });
  if (!before) return at;
  // What was there stays; what is new comes in beside what it hangs on.
  for (let i = 0; i < n; i++) {
    const was = before.get(entities.id[i]);
    if (was) [at[2 * i], at[2 * i + 1]] = was;
  }
  for (let i = 0; i < n; i++) {
    if (before.has(entities.id[i])) continue;
    const line = around[i].find((one) => before.has(entities.id[lines.source[one] === i ? lines.target[one] : lines.source[one]]));
    if (line === undefined) continue;
    const other = before.get(entities.id[lines.source[line] === i ? lines.target[line] : lines.source[line]])!;
    at[2 * i] = other[0] + Math.cos(i * golden) * 25;
    at[2 * i + 1] = other[1] + Math.sin(i * golden) * 25;
  }
  return at;
}

/** layOut has a worker move the entities, and tells of each step. It gives back what ends it. */
export function layOut(model: Model, at: Float32Array, rounds: number, moved: (to: Float32Array, done: boolean) => void): () => void {
  const n = model.entities.id.length;
  const nodes = new Float32Array(n * 10);
  for (let i = 0; i < n; i++) {
    nodes[i * 10] = at[2 * i];
    nodes[i * 10 + 1] = at[2 * i + 1];
    nodes[i * 10 + 6] = 1 + model.around[i].length;
    nodes[i * 10 + 7] = 1;
    nodes[i * 10 + 8] = 4;
  }
  const pairs = weighed(model);
  const edges = new Float32Array(pairs.size * 3);
  let e = 0;
  for (const [pair, weight] of pairs) {
    edges[e++] = Math.floor(pair / n) * 10;
    edges[e++] = (pair % n) * 10;
    edges[e++] = weight;
  }
  const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = (event: MessageEvent<Step>) => {
    moved(event.data.nodes, event.data.done);
    if (event.data.done) worker.terminate();
  };
  const settings = {
    linLogMode: n > 600,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 1,
    scalingRatio: n > 600 ? 6 : 24,
    // What hangs on nothing would drift away without end.
    strongGravityMode: true,
    gravity: n > 600 ? 0.012 : 0.1,
    slowDown: 1 + Math.log(Math.max(n, 1)),
    barnesHutOptimize: n > 400,
    barnesHutTheta: 0.6,
  };
  worker.postMessage({ nodes, edges, settings, rounds }, [nodes.buffer, edges.buffer]);
  return () => worker.terminate();
}

// weighed counts the facts between each pair, so that many facts pull no more than a little stronger than one.
function weighed(model: Model): Map<number, number> {
  const { source, target } = model.lines;
  const n = model.entities.id.length;
  const pairs = new Map<number, number>();
  for (let i = 0; i < source.length; i++) {
    if (source[i] === target[i]) continue;
    const pair = Math.min(source[i], target[i]) * n + Math.max(source[i], target[i]);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  for (const [pair, count] of pairs) pairs.set(pair, 1 + Math.log2(count));
  return pairs;
}
