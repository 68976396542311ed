// The painted graph: sigma draws, and a step of a slider repaints only what stands otherwise than before.
import Graph from "graphology";
import Sigma from "sigma";
import { colour } from "../core/theme";
import { shown } from "../core/words";
import { Standing, changed, standings } from "../time/intervals";
import { layOut, starting } from "./layout";
import { nameAt, type Model } from "./model";
import { paletteOf, type By, type Palette } from "./palette";

export interface Counts {
  holds: number;
  ended: number;
  entities: number;
}

const openly = 1500; // lines up to which one can click on a line itself: finding the one under the hand costs a second painting

export class Scene {
  readonly model: Model;
  palette: Palette;
  /** How each line stands now, and by which version. */
  standing: Uint8Array;
  version: Int32Array;
  private before: { standing: Uint8Array; version: Int32Array };
  private presence: Uint8Array; // of entities: 0 unknown, 1 known, 2 something holds
  private presenceBefore: Uint8Array;
  private readonly keys: string[];
  private readonly changedLines: number[] = [];
  private readonly graph: Graph;
  private readonly sigma: Sigma;
  private stopLayout = () => {};
  private selected = -1;
  private near = new Set<number>();
  private found = new Set<number>();
  private hovered = -1;
  private known = Number.MAX_VALUE;
  private colours: Record<"edge" | "past" | "event" | "pick" | "label" | "paper" | "pale", string>;
  private readonly most: number;
  private readonly least: number;

  constructor(
    box: HTMLElement,
    model: Model,
    by: By,
    on: { entity: (place: number) => void; line: (line: number) => void; expand: (place: number) => void },
    before?: Map<string, [number, number]>,
  ) {
    this.model = model;
    this.palette = paletteOf(model, by);
    this.colours = colours();
    const lines = model.lines.id.length;
    const entities = model.entities.id.length;
    this.standing = new Uint8Array(lines);
    this.version = new Int32Array(lines);
    this.before = { standing: new Uint8Array(lines), version: new Int32Array(lines) };
    this.presence = new Uint8Array(entities);
    this.presenceBefore = new Uint8Array(entities);
    this.keys = Array.from({ length: Math.max(lines, entities) }, (_, i) => String(i));
    this.most = model.entities.salience.reduce((a, b) => Math.max(a, b), 0.0001);
    this.least = entities > 600 ? 1.9 : 3.4;
    this.graph = this.drawn(starting(model, before));
    this.sigma = new Sigma(this.graph, box, {
      nodeReducer: (key) => this.node(Number(key)),
      edgeReducer: (key) => this.edge(Number(key)),
      enableEdgeEvents: lines <= openly,
      labelFont: getComputedStyle(document.body).fontFamily,
      labelSize: 12.5,
      labelWeight: "400",
      labelColor: { color: this.colours.label },
      labelDensity: 0.7,
      labelGridCellSize: 110,
      labelRenderedSizeThreshold: entities > 400 ? 6 : 3,
      defaultDrawNodeHover: () => {},
      minCameraRatio: 0.02,
      maxCameraRatio: 4,
      stagePadding: 50,
      zoomingRatio: 1.4,
      allowInvalidContainer: true,
    });
    this.listen(on);
    if (!before || before.size < entities) this.move(entities > 600 ? 500 : 350);
  }

  private drawn(at: Float32Array): Graph {
    const graph = new Graph({ multi: true, type: "directed", allowSelfLoops: true });
    const { entities, lines } = this.model;
    for (let i = 0; i < entities.id.length; i++) graph.addNode(this.keys[i], { x: at[2 * i], y: at[2 * i + 1] });
    for (let i = 0; i < lines.id.length; i++) graph.addEdgeWithKey(this.keys[i], this.keys[lines.source[i]], this.keys[lines.target[i]]);
    return graph;
  }

  private listen(on: { entity: (place: number) => void; line: (line: number) => void; expand: (place: number) => void }): void {
    this.sigma.on("clickNode", ({ node }) => on.entity(Number(node)));
    this.sigma.on("clickStage", () => on.entity(-1));
    this.sigma.on("clickEdge", ({ edge }) => on.line(Number(edge)));
    this.sigma.on("doubleClickNode", (event) => {
      event.preventSigmaDefault();
      on.expand(Number(event.node));
    });
    this.sigma.on("enterNode", ({ node }) => this.hover(Number(node)));
    this.sigma.on("leaveNode", () => this.hover(-1));
  }

  private hover(place: number): void {
    const again = [this.hovered, place].filter((one) => one >= 0).map((one) => this.keys[one]);
    this.hovered = place;
    this.sigma.getContainer().classList.toggle("pointing", place >= 0);
    this.sigma.refresh({ partialGraph: { nodes: again }, skipIndexation: true, schedule: true });
  }

  private move(rounds: number): void {
    const at = new Float32Array(this.graph.order * 2);
    this.graph.forEachNode((key, { x, y }) => {
      at[2 * Number(key)] = x;
      at[2 * Number(key) + 1] = y;
    });
    this.stopLayout = layOut(this.model, at, rounds, (to) => {
      this.graph.updateEachNodeAttributes(
        (key, attributes) => {
          attributes.x = to[2 * Number(key)];
          attributes.y = to[2 * Number(key) + 1];
          return attributes;
        },
        { attributes: ["x", "y"] },
      );
    });
  }

  /** show repaints what stands otherwise at these times than at those before. It gives how much holds. */
  show(valid: number, known: number): Counts {
    [this.before.standing, this.standing] = [this.standing, this.before.standing];
    [this.before.version, this.version] = [this.version, this.before.version];
    [this.presenceBefore, this.presence] = [this.presence, this.presenceBefore];
    const namesMoved = this.model.entities.names.size > 0 && known !== this.known;
    this.known = known;
    standings(this.model.versions, valid, known, this.standing, this.version);
    const counts = this.count(known);
    changed(this.before.standing, this.standing, this.before.version, this.version, this.changedLines);
    const nodes: string[] = [];
    for (let i = 0; i < this.presence.length; i++) {
      if (this.presence[i] !== this.presenceBefore[i] || (namesMoved && this.model.entities.names.has(i))) nodes.push(this.keys[i]);
    }
    if (nodes.length + this.changedLines.length > 0) {
      this.sigma.refresh({ partialGraph: { nodes, edges: this.changedLines.map((line) => this.keys[line]) }, skipIndexation: true });
    }
    return counts;
  }

  private count(known: number): Counts {
    const { entities, lines } = this.model;
    const counts = { holds: 0, ended: 0, entities: 0 };
    for (let i = 0; i < this.presence.length; i++) {
      this.presence[i] = entities.knownFrom[i] <= known && known < entities.knownUntil[i] ? 1 : 0;
      counts.entities += this.presence[i];
    }
    for (let line = 0; line < this.standing.length; line++) {
      const stands = this.standing[line];
      if (stands === Standing.holds || stands === Standing.happens) {
        counts.holds++;
      } else if (stands >= Standing.ended) {
        counts.ended++;
      }
      if (stands === Standing.holds || stands === Standing.happens || stands === Standing.happened) {
        if (this.presence[lines.source[line]]) this.presence[lines.source[line]] = 2;
        if (this.presence[lines.target[line]]) this.presence[lines.target[line]] = 2;
      }
    }
    return counts;
  }

  private node(i: number): Record<string, unknown> {
    const { x, y } = this.graph.getNodeAttributes(this.keys[i]);
    const { entities } = this.model;
    const there = this.presence[i];
    const chosen = i === this.selected || i === this.hovered || this.found.has(i);
    const dim = there < 2 || (this.selected >= 0 && !chosen && !this.near.has(i));
    const size = this.least + 3 * this.least * Math.sqrt(entities.salience[i] / this.most);
    return {
      x,
      y,
      size: chosen ? size + 2 : size,
      color: i === this.selected ? this.colours.pick : dim && !this.found.has(i) ? this.colours.pale : this.palette.of(i),
      label: there === 0 || (dim && !chosen) ? null : shown(nameAt(entities, i, this.known)),
      hidden: there === 0,
      forceLabel: chosen || (this.near.has(i) && this.near.size < 40),
    };
  }

  private edge(line: number): Record<string, unknown> {
    const stands = this.standing[line];
    const { source, target } = this.model.lines;
    const own = this.selected >= 0 && (source[line] === this.selected || target[line] === this.selected);
    const hidden = stands === Standing.unknown || stands === Standing.ahead;
    const past = stands === Standing.ended || stands === Standing.happened;
    let color = past ? this.colours.past : stands === Standing.happens ? this.colours.event : this.colours.edge;
    if (this.selected >= 0) color = !own || stands === Standing.ended ? this.colours.past : stands === Standing.happens ? this.colours.event : this.colours.pick;
    return { hidden, color, size: own && !past ? 2.4 : stands === Standing.happens ? 2.6 : past ? 0.8 : 1.3 };
  }

  /** select makes one entity and what it is tied to stand out; -1: none. */
  select(place: number): void {
    if (place === this.selected) return;
    this.selected = place;
    this.near = new Set(place < 0 ? [] : this.model.around[place].flatMap((line) => [this.model.lines.source[line], this.model.lines.target[line]]));
    this.sigma.refresh();
    if (place >= 0) this.centre(place);
  }

  // centre brings an entity into sight where it is outside of it.
  private centre(place: number): void {
    const at = this.sigma.getNodeDisplayData(this.keys[place]);
    if (!at) return;
    const { x, y } = this.sigma.framedGraphToViewport(at);
    const { width, height } = this.sigma.getDimensions();
    if (x < 60 || y < 60 || x > width - 60 || y > height - 60) void this.sigma.getCamera().animate({ x: at.x, y: at.y }, { duration: 350 });
  }

  /** point marks what was found while somebody types. */
  point(ids: readonly string[]): void {
    this.found = new Set(ids.flatMap((id) => this.model.place.get(id) ?? []));
    this.sigma.refresh();
    const first = [...this.found][0];
    if (first !== undefined) this.centre(first);
  }

  paint(by: By): void {
    this.palette = paletteOf(this.model, by);
    this.colours = colours();
    this.sigma.setSetting("labelColor", { color: this.colours.label });
    this.sigma.refresh();
  }

  /** look moves the camera by parts of what is in sight, or closer. */
  look(dx: number, dy: number, zoom = 1): void {
    const camera = this.sigma.getCamera();
    const { x, y, ratio } = camera.getState();
    void camera.animate({ x: x + dx * ratio, y: y + dy * ratio, ratio: camera.getBoundedRatio(ratio * zoom) }, { duration: 160 });
  }

  all(): void {
    void this.sigma.getCamera().animatedReset({ duration: 250 });
  }

  positions(): Map<string, [number, number]> {
    const at = new Map<string, [number, number]>();
    this.graph.forEachNode((key, { x, y }) => at.set(this.model.entities.id[Number(key)], [x, y]));
    return at;
  }

  end(): void {
    this.stopLayout();
    this.sigma.kill();
  }
}

function colours() {
  return {
    edge: colour("--edge"),
    past: colour("--edge-past"),
    event: colour("--edge-event"),
    pick: colour("--world"),
    label: colour("--label"),
    paper: colour("--paper"),
    pale: colour("--line"),
  };
}
