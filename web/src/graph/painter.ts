// Paints the graph on a plain canvas. On a machine without a graphics card a frame of 2,000 entities and 6,000 lines took 360 ms of
// the processor's time by WebGL, and takes 80 like this: hairlines and small pictures of discs are what plain canvases are fast
// at. It works where there is no WebGL at all.
import type { Camera } from "./camera";
import type { Lines } from "./model";

/** How a line is drawn; 0: not at all. Later ones lie above earlier ones. */
export const Stroke = { none: 0, past: 1, plain: 2, event: 3, chosen: 4 } as const;

export interface Colours {
  past: string;
  plain: string;
  event: string;
  chosen: string;
  label: string;
  paper: string;
}

/** How an entity is drawn. */
export interface Dot {
  colour: string;
  /** Radius in pixels; 0: it is not there. */
  size: number;
  label: string;
  /** Its name is shown before those of others. */
  first: boolean;
}

/** Entities that belong together, as a surface behind them. */
export interface Hull {
  name: string;
  colour: string;
  members: number[];
}

const many = 1500;
const reach = 6; // pixels from a line within which a click is meant for it

export class Painter {
  readonly strokes: Uint8Array;
  readonly dots: Dot[];
  /** What is written on lines. */
  tags = new Map<number, string>();
  hulls: Hull[] = [];
  private readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  /** Places on the canvas, in its pixels. */
  private readonly places: Float32Array;
  private readonly discs = new Map<string, HTMLCanvasElement>();
  private readonly widths = new Map<string, number>();
  private readonly font: string;
  private scale = 1;
  private frame = 0;

  constructor(
    private readonly box: HTMLElement,
    private readonly lines: Lines,
    /** Where each entity stands in the graph: x and y in turn. */
    readonly at: Float32Array,
    /** The order in which names are shown where there is no room for all. */
    private readonly order: Int32Array,
    private colours: Colours,
  ) {
    this.strokes = new Uint8Array(lines.id.length);
    this.dots = Array.from({ length: at.length / 2 }, () => ({ colour: "", size: 0, label: "", first: false }));
    this.places = new Float32Array(at.length);
    this.font = getComputedStyle(document.body).fontFamily;
    this.canvas.setAttribute("aria-hidden", "true");
    // Reading it often is a promise to the browser to paint it without the graphics card.
    this.context = this.canvas.getContext("2d", { willReadFrequently: true })!;
    box.append(this.canvas);
  }

  recolour(colours: Colours): void {
    this.colours = colours;
  }

  /** soon paints with the next frame, once however often it is asked. */
  soon(camera: Camera): void {
    this.frame ||= requestAnimationFrame(() => this.now(camera));
  }

  now(camera: Camera): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { context, canvas } = this;
    this.fit();
    context.clearRect(0, 0, canvas.width, canvas.height);
    this.place(camera);
    for (const hull of this.hulls) this.paintHull(hull);
    // One device pixel is a hairline, which is drawn many times as fast as any other width.
    const thin = this.lines.id.length > many;
    this.stroke(Stroke.past, this.colours.past, thin ? 1 : this.scale);
    this.stroke(Stroke.plain, this.colours.plain, thin ? 1 : 1.3 * this.scale);
    this.stroke(Stroke.event, this.colours.event, 2.2 * this.scale);
    this.stroke(Stroke.chosen, this.colours.chosen, 2 * this.scale);
    this.paintTags();
    this.paintDots();
    this.paintNames();
  }

  // paintHull is what surrounds the members that are there, with their name above them.
  private paintHull({ name, colour, members }: Hull): void {
    const { context, places, scale } = this;
    const points = members.filter((one) => this.dots[one].size > 0).map((one): [number, number] => [places[2 * one], places[2 * one + 1]]);
    if (points.length < 2) return;
    const edge = hullOf(points);
    const path = new Path2D();
    for (const [x, y] of edge) path.lineTo(x, y);
    path.closePath();
    const outside = new Path2D(path);
    outside.rect(0, 0, this.canvas.width, this.canvas.height);
    context.lineJoin = "round";
    context.fillStyle = context.strokeStyle = colour;
    context.lineWidth = 44 * scale;
    context.save();
    context.globalAlpha = 0.1;
    context.fill(path);
    context.clip(outside, "evenodd"); // so that no part is painted twice
    context.stroke(path);
    context.restore();
    const top = edge.reduce((a, b) => (b[1] < a[1] ? b : a));
    context.font = `600 ${12 * scale}px ${this.font}`;
    context.textAlign = "center";
    context.fillText(name, top[0], top[1] - 27 * scale);
    context.textAlign = "start";
  }

  // paintTags writes relations along the middle of their lines.
  private paintTags(): void {
    const { context, places, scale, lines } = this;
    context.font = `${11 * scale}px ${this.font}`;
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.lineWidth = 4 * scale;
    context.strokeStyle = this.colours.paper;
    context.fillStyle = this.colours.chosen;
    for (const [line, text] of this.tags) {
      if (this.strokes[line] === Stroke.none) continue;
      const [from, to] = [2 * lines.source[line], 2 * lines.target[line]];
      const [x, y] = [(places[from] + places[to]) / 2, (places[from + 1] + places[to + 1]) / 2];
      if (Math.hypot(places[from] - places[to], places[from + 1] - places[to + 1]) < 45 * scale && this.tags.size > 1) continue; // no room
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
    context.textAlign = "start";
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.box;
    this.scale = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(clientWidth * this.scale), Math.round(clientHeight * this.scale)];
    if (this.canvas.width === w && this.canvas.height === h) return;
    this.canvas.width = w;
    this.canvas.height = h;
    this.canvas.style.width = clientWidth + "px";
    this.canvas.style.height = clientHeight + "px";
    this.discs.clear();
  }

  private place(camera: Camera): void {
    const { at, places, scale } = this;
    const by = camera.view.scale * scale;
    const [dx, dy] = camera.toBox(0, 0);
    for (let i = 0; i < at.length; i += 2) {
      places[i] = at[i] * by + dx * scale;
      places[i + 1] = at[i + 1] * by + dy * scale;
    }
  }

  private stroke(which: number, colour: string, width: number): void {
    const { context, strokes, places } = this;
    const { source, target } = this.lines;
    const { width: w, height: h } = this.canvas;
    context.beginPath();
    for (let line = 0; line < strokes.length; line++) {
      if (strokes[line] !== which) continue;
      const from = 2 * source[line];
      const to = 2 * target[line];
      const [x, y, x2, y2] = [places[from], places[from + 1], places[to], places[to + 1]];
      if ((x < 0 && x2 < 0) || (y < 0 && y2 < 0) || (x > w && x2 > w) || (y > h && y2 > h)) continue;
      context.moveTo(x, y);
      context.lineTo(x2, y2);
    }
    context.strokeStyle = colour;
    context.lineWidth = width;
    // Among thousands a single line matters less than where they are dense.
    context.globalAlpha = strokes.length > many && which <= Stroke.plain ? 0.45 : 1;
    context.stroke();
    context.globalAlpha = 1;
  }

  private paintDots(): void {
    const { places, dots, context, canvas } = this;
    for (let i = 0; i < dots.length; i++) {
      const { size, colour } = dots[i];
      if (size === 0) continue;
      const x = places[2 * i];
      const y = places[2 * i + 1];
      if (x < -30 || y < -30 || x > canvas.width + 30 || y > canvas.height + 30) continue;
      const disc = this.disc(colour, size);
      const half = disc.width / 2;
      context.drawImage(disc, Math.round(x - half), Math.round(y - half));
    }
  }

  // disc is the picture of an entity of a colour and size, made once.
  private disc(colour: string, size: number): HTMLCanvasElement {
    const radius = Math.round(size * this.scale * 2) / 2;
    const key = colour + radius;
    let disc = this.discs.get(key);
    if (!disc) {
      disc = document.createElement("canvas");
      disc.width = disc.height = 2 * Math.ceil(radius + 2);
      const context = disc.getContext("2d", { willReadFrequently: true })!;
      context.beginPath();
      context.arc(disc.width / 2, disc.width / 2, radius, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.fill();
      context.lineWidth = this.scale;
      context.strokeStyle = this.colours.paper;
      context.stroke();
      this.discs.set(key, disc);
    }
    return disc;
  }

  // paintNames gives a name to each entity that has room for one, those first that matter most.
  private paintNames(): void {
    const { context, dots, places, canvas, scale } = this;
    const taken: [number, number, number, number][] = [];
    const height = 15 * scale;
    context.font = `${12.5 * scale}px ${this.font}`;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3 * scale;
    context.strokeStyle = this.colours.paper;
    context.fillStyle = this.colours.label;
    const most = Math.max(30, (canvas.width * canvas.height) / (scale * scale * 15_000));
    for (const entity of this.prominent()) {
      if (taken.length >= most) break;
      const dot = dots[entity];
      const x = places[2 * entity] + (dot.size + 4) * scale;
      const y = places[2 * entity + 1];
      if (x < 0 || y < 0 || x > canvas.width || y > canvas.height) continue;
      const width = this.width(dot.label) * scale;
      if (!dot.first && taken.some(([l, t, r, b]) => x < r && x + width > l && y - height / 2 < b && y + height / 2 > t)) continue;
      taken.push([x - 4 * scale, y - height / 2, x + width + 4 * scale, y + height / 2]);
      context.strokeText(dot.label, x, y);
      context.fillText(dot.label, x, y);
    }
  }

  private *prominent(): Generator<number> {
    for (const entity of this.order) if (this.dots[entity].first && this.dots[entity].label && this.dots[entity].size) yield entity;
    for (const entity of this.order) if (!this.dots[entity].first && this.dots[entity].label && this.dots[entity].size) yield entity;
  }

  private width(label: string): number {
    let width = this.widths.get(label);
    if (width === undefined) {
      width = this.context.measureText(label).width / this.scale;
      this.widths.set(label, width);
    }
    return width;
  }

  /** dotUnder is the entity at a place of the box, or -1; lineUnder the line. */
  dotUnder(x: number, y: number): number {
    let found = -1;
    let best = Infinity;
    for (let i = 0; i < this.dots.length; i++) {
      const { size } = this.dots[i];
      if (size === 0) continue;
      const distance = Math.hypot(this.places[2 * i] / this.scale - x, this.places[2 * i + 1] / this.scale - y) - Math.max(size, 5);
      if (distance < 3 && distance < best) {
        best = distance;
        found = i;
      }
    }
    return found;
  }

  lineUnder(x: number, y: number): number {
    const [px, py] = [x * this.scale, y * this.scale];
    const { source, target } = this.lines;
    let best = reach * this.scale;
    let found = -1;
    for (let line = 0; line < this.strokes.length; line++) {
      if (this.strokes[line] === Stroke.none) continue;
      const [from, to] = [2 * source[line], 2 * target[line]];
      const distance = toSegment(px, py, this.places[from], this.places[from + 1], this.places[to], this.places[to + 1]);
      if (distance < best) {
        best = distance;
        found = line;
      }
    }
    return found;
  }

  end(): void {
    cancelAnimationFrame(this.frame);
    this.canvas.remove();
  }
}

// hullOf is the line around points, by Andrew's monotone chain.
function hullOf(points: [number, number][]): [number, number][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (along: [number, number][]) => {
    const chain: [number, number][] = [];
    for (const p of along) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function turn(a: [number, number], b: [number, number], c: [number, number]): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function toSegment(px: number, py: number, x: number, y: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x, y2 - y];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - x) * dx + (py - y) * dy) / length));
  return Math.hypot(px - x - t * dx, py - y - t * dy);
}
