// Places entities by ForceAtlas2, off the main thread, and tells how far it has come.
import iterate from "graphology-layout-forceatlas2/iterate.js";

export interface Job {
  nodes: Float32Array;
  edges: Float32Array;
  settings: Record<string, number | boolean>;
  rounds: number;
}

export interface Step {
  nodes: Float32Array;
  done: boolean;
}

const perNode = 10;
const tellEvery = 90;
const longest = 4500;

self.onmessage = (event: MessageEvent<Job>) => {
  const { nodes, edges, settings, rounds } = event.data;
  const began = performance.now();
  let told = began;
  for (let i = 0; i < rounds; i++) {
    iterate(settings, nodes, edges);
    const now = performance.now();
    if (now - began > longest) break;
    if (now - told > tellEvery) {
      self.postMessage({ nodes: positions(nodes), done: false } satisfies Step);
      told = now;
    }
  }
  self.postMessage({ nodes: positions(nodes), done: true } satisfies Step);
};

function positions(nodes: Float32Array): Float32Array {
  const out = new Float32Array((nodes.length / perNode) * 2);
  for (let i = 0; i < out.length / 2; i++) {
    out[2 * i] = nodes[i * perNode];
    out[2 * i + 1] = nodes[i * perNode + 1];
  }
  return out;
}
