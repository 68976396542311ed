// What part of the graph is in sight, moved by hand: dragging, the wheel, two fingers, and the keys.

export interface View {
  /** The point of the graph in the middle of the box. */
  x: number;
  y: number;
  /** Pixels for each unit of the graph. */
  scale: number;
}

export interface Hands {
  click: (x: number, y: number) => void;
  twice: (x: number, y: number) => void;
  over: (x: number, y: number) => void;
}

const still = 5; // pixels that a hand may tremble in a click
const twiceWithin = 320;

export class Camera {
  view: View = { x: 0, y: 0, scale: 1 };
  /** Whether somebody has moved it: then it stays, whatever the layout does. */
  moved = false;
  private fitted = 1;
  private frame = 0;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private travelled = 0;
  private clicked = { at: -Infinity, x: 0, y: 0 };

  constructor(
    private readonly box: HTMLElement,
    private readonly changed: () => void,
    private readonly hands: Hands,
  ) {
    box.addEventListener("pointerdown", this.down);
    box.addEventListener("pointermove", this.move);
    box.addEventListener("pointerup", this.up);
    box.addEventListener("pointercancel", this.up);
    box.addEventListener("wheel", this.wheel, { passive: false });
  }

  end(): void {
    cancelAnimationFrame(this.frame);
    this.box.removeEventListener("pointerdown", this.down);
    this.box.removeEventListener("pointermove", this.move);
    this.box.removeEventListener("pointerup", this.up);
    this.box.removeEventListener("pointercancel", this.up);
    this.box.removeEventListener("wheel", this.wheel);
  }

  /** fit shows all of a stretch of the graph, with some room around it, beside what covers the right of the box. */
  fit(left: number, top: number, right: number, bottom: number, covered: number): void {
    const { clientWidth, clientHeight: height } = this.box;
    const width = clientWidth - covered;
    const scale = Math.min((width - 110) / Math.max(right - left, 1), (height - 110) / Math.max(bottom - top, 1));
    this.fitted = Math.min(Math.max(scale, 0.0001), 6);
    this.view = { x: (left + right) / 2 + covered / 2 / this.fitted, y: (top + bottom) / 2, scale: this.fitted };
    this.changed();
  }

  toBox(x: number, y: number): [number, number] {
    const { view, box } = this;
    return [(x - view.x) * view.scale + box.clientWidth / 2, (y - view.y) * view.scale + box.clientHeight / 2];
  }

  /** pan moves by pixels, zoom makes things larger around a point of the box. */
  pan(dx: number, dy: number): void {
    this.moved = true;
    this.view = { ...this.view, x: this.view.x - dx / this.view.scale, y: this.view.y - dy / this.view.scale };
    this.changed();
  }

  zoom(by: number, x = this.box.clientWidth / 2, y = this.box.clientHeight / 2): void {
    this.moved = true;
    const { view } = this;
    const scale = Math.min(this.fitted * 60, Math.max(this.fitted / 4, view.scale * by));
    const [dx, dy] = [x - this.box.clientWidth / 2, y - this.box.clientHeight / 2];
    this.view = { x: view.x + dx / view.scale - dx / scale, y: view.y + dy / view.scale - dy / scale, scale };
    this.changed();
  }

  /** glide brings a point of the graph into the middle, softly where the reader likes motion. */
  glide(x: number, y: number): void {
    this.moved = true;
    const from = this.view;
    const began = performance.now();
    const lasts = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 300;
    cancelAnimationFrame(this.frame);
    const step = () => {
      const t = lasts === 0 ? 1 : Math.min(1, (performance.now() - began) / lasts);
      const eased = 1 - (1 - t) ** 3;
      this.view = { ...this.view, x: from.x + (x - from.x) * eased, y: from.y + (y - from.y) * eased };
      this.changed();
      if (t < 1) this.frame = requestAnimationFrame(step);
    };
    step();
  }

  private at(event: PointerEvent | WheelEvent): { x: number; y: number } {
    const box = this.box.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private readonly down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    cancelAnimationFrame(this.frame);
    if (this.pointers.size === 0) this.travelled = 0;
    this.pointers.set(event.pointerId, this.at(event));
    this.box.setPointerCapture(event.pointerId);
  };

  private readonly move = (event: PointerEvent) => {
    const now = this.at(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.hands.over(now.x, now.y);
      return;
    }
    this.travelled += Math.hypot(now.x - before.x, now.y - before.y);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) this.pinch(before, now, other);
    else if (this.travelled > still) this.pan(now.x - before.x, now.y - before.y);
    this.pointers.set(event.pointerId, now);
  };

  private pinch(before: { x: number; y: number }, now: { x: number; y: number }, other: { x: number; y: number }): void {
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    const by = apart > 0 ? Math.hypot(now.x - other.x, now.y - other.y) / apart : 1;
    this.zoom(by, (now.x + other.x) / 2, (now.y + other.y) / 2);
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  private readonly up = (event: PointerEvent) => {
    if (!this.pointers.delete(event.pointerId) || event.type === "pointercancel") return;
    if (this.pointers.size > 0 || this.travelled > still) return;
    const { x, y } = this.at(event);
    const again = event.timeStamp - this.clicked.at < twiceWithin && Math.hypot(x - this.clicked.x, y - this.clicked.y) < 2 * still;
    this.clicked = again ? { at: -Infinity, x: 0, y: 0 } : { at: event.timeStamp, x, y };
    if (again) this.hands.twice(x, y);
    else this.hands.click(x, y);
  };

  private readonly wheel = (event: WheelEvent) => {
    event.preventDefault();
    const { x, y } = this.at(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
    this.zoom(Math.exp((-event.deltaY * lines) / 420), x, y);
  };
}
