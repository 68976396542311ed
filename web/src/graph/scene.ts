// The graph as it stands at two times: what is drawn how, and what a hand on it means.
import { colour, mixed } from "../core/theme";
import { clipped, relationNamed, shown } from "../core/words";
import { Standing, standings } from "../time/intervals";
import { Camera } from "./camera";
import { layOut, starting } from "./layout";
import { nameAt, type Model } from "./model";
import { Painter, Stroke } from "./painter";
import { paletteOf, type By, type Palette } from "./palette";

export interface Counts {
  holds: number;
  ended: number;
  entities: number;
  /** Of them those to which nothing is tied then. */
  loose: number;
}

export interface Chosen {
  entity: (place: number) => void;
  line: (line: number) => void;
  expand: (place: number) => void;
}

/** Of an entity at a time: not known, known, or something holds of it. */
const Presence = { unknown: 0, known: 1, alive: 2 } as const;

export class Scene {
  palette: Palette;
  /** How each line stands now, and by which version. */
  readonly standing: Uint8Array;
  readonly version: Int32Array;
  private readonly presence: Uint8Array;
  /** 1: some line is drawn to the entity. */
  private readonly tied: Uint8Array;
  /** Also what nothing is tied to is shown. */
  private loose = false;
  private readonly painter: Painter;
  private readonly camera: Camera;
  private readonly resized: ResizeObserver;
  private stopLayout = () => {};
  /** The worker has no more to say of where entities stand. */
  private resting = true;
  private selected = -1;
  /** Another one, of which is shown what both are tied to. */
  private beside = -1;
  private hoveredLine = -1;
  private near = new Set<number>();
  private found = new Set<number>();
  private hovered = -1;
  private known = Number.MAX_VALUE;
  private pale = "";
  private picked = "";
  private readonly sizes: Float32Array;
  private readonly softened = new Map<string, string>();

  constructor(
    private readonly box: HTMLElement,
    readonly model: Model,
    by: By,
    private readonly on: Chosen,
    before?: Map<string, [number, number]>,
  ) {
    const { entities, lines } = model;
    this.palette = paletteOf(model, by);
    this.standing = new Uint8Array(lines.id.length);
    this.version = new Int32Array(lines.id.length);
    this.presence = new Uint8Array(entities.id.length);
    this.tied = new Uint8Array(entities.id.length);
    const least = entities.id.length > 600 ? 2 : 3.6;
    const most = entities.salience.reduce((a, b) => Math.max(a, b), 0.0001);
    this.sizes = Float32Array.from(entities.salience, (salience) => least + 3 * least * Math.sqrt(salience / most));
    const order = Int32Array.from([...entities.id.keys()].sort((a, b) => entities.salience[b] - entities.salience[a]));
    this.painter = new Painter(box, lines, starting(model, before), order, colours());
    this.camera = new Camera(box, () => this.painter.soon(this.camera), { click: this.click, twice: this.twice, over: this.over });
    this.resized = new ResizeObserver(() => (this.camera.moved ? this.painter.soon(this.camera) : this.fit()));
    this.resized.observe(box);
    this.repaint();
    this.fit();
    if (!before || before.size < entities.id.length) this.move(entities.id.length > 600 ? 500 : 350);
  }

  private move(rounds: number): void {
    this.resting = false;
    this.stopLayout = layOut(this.model, this.painter.at, rounds, (to, done) => {
      this.painter.at.set(to);
      this.resting = done;
      if (this.camera.moved) this.painter.soon(this.camera);
      else this.fit();
    });
  }

  private fit(): void {
    const { at } = this.painter;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < at.length; i += 2) {
      left = Math.min(left, at[i]);
      right = Math.max(right, at[i]);
      top = Math.min(top, at[i + 1]);
      bottom = Math.max(bottom, at[i + 1]);
    }
    if (at.length > 0) this.camera.fit(left, top, right, bottom, this.covered());
  }

  private readonly click = (x: number, y: number) => {
    const entity = this.painter.dotUnder(x, y);
    const line = entity < 0 ? this.painter.lineUnder(x, y) : -1;
    if (line >= 0) this.on.line(line);
    else this.on.entity(entity);
  };

  private readonly twice = (x: number, y: number) => {
    const entity = this.painter.dotUnder(x, y);
    if (entity >= 0) this.on.expand(entity);
    else this.camera.zoom(1.6, x, y);
  };

  private readonly over = (x: number, y: number) => {
    const entity = this.painter.dotUnder(x, y);
    const line = entity < 0 ? this.painter.lineUnder(x, y) : -1;
    if (entity === this.hovered && line === this.hoveredLine) return;
    const before = this.hovered;
    this.hovered = entity;
    this.hoveredLine = line;
    this.box.classList.toggle("pointing", entity >= 0 || line >= 0);
    for (const one of [before, entity]) if (one >= 0) this.dot(one);
    this.tag();
    this.painter.soon(this.camera);
  };

  // tag writes the relation on the line below the hand, and on those of the chosen entity, as long as they can be read.
  private tag(): void {
    const { strokes } = this.painter;
    const own = this.selected < 0 ? [] : this.model.around[this.selected].filter((line) => strokes[line] === Stroke.chosen || strokes[line] === Stroke.plain || strokes[line] === Stroke.event);
    const { source, target } = this.model.lines;
    // Several between two entities are told together.
    const pairs = new Map<string, number[]>();
    for (const line of own.length > 40 ? [] : own) {
      const pair = [source[line], target[line]].sort().join(" ");
      pairs.set(pair, [...(pairs.get(pair) ?? []), line]);
    }
    const told = [...pairs.values()].map((lines): [number, string] => [lines[0], [...new Set(lines.map((line) => this.relation(line)))].slice(0, 3).join(" · ")]);
    this.painter.tags = new Map(told);
    if (this.hoveredLine >= 0) this.painter.tags.set(this.hoveredLine, this.relation(this.hoveredLine));
  }

  private relation(line: number): string {
    const version = this.version[line];
    return version < 0 ? "" : relationNamed(this.model.says.predicate[version]);
  }

  /** show makes the graph what it was at these times, as it was believed then. It gives how much holds. */
  show(valid: number, known: number): Counts {
    this.known = known;
    standings(this.model.versions, valid, known, this.standing, this.version);
    const counts = this.count(known);
    this.repaint();
    return counts;
  }

  private count(known: number): Counts {
    const { entities, lines } = this.model;
    const { presence } = this;
    const counts = { holds: 0, ended: 0, entities: 0, loose: 0 };
    this.tied.fill(0);
    for (let i = 0; i < presence.length; i++) {
      presence[i] = entities.knownFrom[i] <= known && known < entities.knownUntil[i] ? Presence.known : Presence.unknown;
      counts.entities += presence[i];
    }
    for (let line = 0; line < this.standing.length; line++) {
      const stands = this.standing[line];
      if (stands === Standing.holds || stands === Standing.happens) counts.holds++;
      else if (stands >= Standing.ended) counts.ended++;
      if (stands === Standing.unknown || stands === Standing.ahead) continue;
      this.tied[lines.source[line]] = this.tied[lines.target[line]] = 1;
      if (stands === Standing.ended) continue;
      for (const end of [lines.source[line], lines.target[line]]) if (presence[end]) presence[end] = Presence.alive;
    }
    for (let i = 0; i < presence.length; i++) if (presence[i] && !this.tied[i]) counts.loose++;
    return counts;
  }

  /** fold hides what nothing is tied to, or shows it. */
  fold(folded: boolean): void {
    this.loose = !folded;
    this.repaint();
  }

  private repaint(): void {
    this.restroke();
    this.tag();
    for (let i = 0; i < this.presence.length; i++) this.dot(i);
    this.painter.soon(this.camera);
  }

  private dot(i: number): void {
    const dot = this.painter.dots[i];
    const there = this.presence[i];
    const chosen = i === this.selected || i === this.beside || i === this.hovered || this.found.has(i);
    const near = this.near.has(i);
    const alive = there === Presence.alive;
    const aside = this.selected >= 0 && !chosen && !near;
    const folded = !this.tied[i] && !this.loose && !chosen;
    dot.size = there === Presence.unknown || folded ? 0 : this.sizes[i] + (chosen ? 2 : 0);
    dot.colour = i === this.selected || i === this.beside || this.found.has(i) ? this.picked : !alive ? this.pale : aside ? this.soft(this.palette.of(i)) : this.palette.of(i);
    dot.label = (!alive || aside) && !chosen && !near ? "" : shown(clipped(nameAt(this.model.entities, i, this.known), 48));
    dot.first = chosen || (near && this.near.size < 40);
  }

  // soft is a colour for what stands aside while something else is looked at.
  private soft(of: string): string {
    let soft = this.softened.get(of);
    if (!soft) this.softened.set(of, (soft = mixed(of, colour("--paper"), 0.62)));
    return soft;
  }

  // restroke says of each line how it is drawn: by how it stands, and whether what was chosen hangs on it.
  private restroke(): void {
    const { source, target } = this.model.lines;
    const { strokes } = this.painter;
    for (let line = 0; line < strokes.length; line++) {
      const stands = this.standing[line];
      const there = this.presence[source[line]] && this.presence[target[line]];
      const own = this.selected >= 0 && this.belongs(source[line], target[line]);
      if (!there || stands === Standing.unknown || stands === Standing.ahead) strokes[line] = Stroke.none;
      else if (stands === Standing.ended || (this.selected >= 0 && !own)) strokes[line] = Stroke.past;
      else if (stands === Standing.happens) strokes[line] = Stroke.event;
      else if (stands === Standing.happened) strokes[line] = own ? Stroke.plain : Stroke.past;
      else strokes[line] = own ? Stroke.chosen : Stroke.plain;
    }
  }

  // belongs reports whether a line hangs on what is chosen; of two, leads from one of them to what both are tied to.
  private belongs(source: number, target: number): boolean {
    if (this.beside < 0) return source === this.selected || target === this.selected;
    const chosen = (one: number) => one === this.selected || one === this.beside;
    return (chosen(source) && (this.near.has(target) || chosen(target))) || (chosen(target) && this.near.has(source));
  }

  /** neighbours are the entities that some line ties to another at this time. */
  neighbours(place: number): Set<number> {
    const { source, target } = this.model.lines;
    const lines = this.model.around[place].filter((line) => this.standing[line] !== Standing.unknown && this.standing[line] !== Standing.ahead);
    return new Set(lines.map((line) => (source[line] === place ? target[line] : source[line])));
  }

  /** select makes one entity and what it is tied to stand out, or two and what both are tied to; -1: none. */
  select(place: number, beside = -1): void {
    if (place === this.selected && beside === this.beside) return;
    this.selected = place;
    this.beside = place < 0 ? -1 : beside;
    this.near = place < 0 ? new Set() : this.neighbours(place);
    if (this.beside >= 0) {
      const others = this.neighbours(this.beside);
      this.near = new Set([...this.near].filter((one) => others.has(one)));
    }
    this.repaint();
    if (place < 0) return;
    if (this.resting || this.camera.moved) this.intoSight(place);
    else this.fit(); // all will be in sight
  }

  // covered is how much of a wide box is covered by what is told of the chosen entity, on the right.
  private covered(): number {
    return this.selected >= 0 && this.box.clientWidth > 800 ? 370 : 0;
  }

  private intoSight(place: number): void {
    const { at } = this.painter;
    const [x, y] = this.camera.toBox(at[2 * place], at[2 * place + 1]);
    const { clientWidth, clientHeight } = this.box;
    const covered = this.covered();
    if (x < 50 || y < 50 || x > clientWidth - covered - 50 || y > clientHeight - 50) this.camera.glide(at[2 * place] + covered / 2 / this.camera.view.scale, at[2 * place + 1]);
  }

  /** point marks what was found while somebody types. */
  point(ids: readonly string[]): void {
    this.found = new Set(ids.flatMap((id) => this.model.place.get(id) ?? []));
    this.repaint();
    const [first] = this.found;
    if (first !== undefined) this.intoSight(first);
  }

  paint(by: By): void {
    this.palette = paletteOf(this.model, by);
    this.painter.hulls = this.palette.hulls;
    this.pale = colour("--line");
    this.softened.clear();
    this.picked = colour("--world");
    this.painter.recolour(colours());
    this.repaint();
  }

  /** look moves what is in sight by parts of the box, or closer. */
  look(dx: number, dy: number, zoom = 1): void {
    if (zoom !== 1) this.camera.zoom(zoom);
    else this.camera.pan(-dx * this.box.clientWidth, -dy * this.box.clientHeight);
  }

  all(): void {
    this.camera.moved = false;
    this.fit();
  }

  positions(): Map<string, [number, number]> {
    const { at } = this.painter;
    return new Map(this.model.entities.id.map((id, i) => [id, [at[2 * i], at[2 * i + 1]]]));
  }

  end(): void {
    this.stopLayout();
    this.resized.disconnect();
    this.camera.end();
    this.painter.end();
  }
}

function colours() {
  return {
    past: colour("--edge-past"),
    plain: colour("--edge"),
    event: colour("--edge-event"),
    chosen: colour("--world"),
    label: colour("--label"),
    paper: colour("--paper"),
  };
}
