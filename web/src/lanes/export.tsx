// The picture as a file: the same drawing with its colours written out, as SVG, or painted into a PNG by the browser.
import { render } from "preact";
import { AxisLine, Drawing, axisHeight } from "./drawing";
import type { Row, Scale } from "./layout";

export interface Sheet {
  rows: Row[];
  height: number;
  on: Scale;
  names: boolean;
  valid: number;
  known?: number;
}

/** svgOf is the whole picture, also what is out of sight. */
export function svgOf(sheet: Sheet): { text: string; width: number; height: number } {
  const [width, height] = [sheet.on.right + 8, sheet.height + axisHeight + 8];
  const holder = document.createElement("div");
  render(
    <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${width} ${height}`} width={width} height={height} font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif">
      <rect width={width} height={height} fill="var(--paper)" />
      <AxisLine on={sheet.on} known={sheet.known} />
      <g transform={`translate(0 ${axisHeight})`}>
        <Drawing {...sheet} />
      </g>
    </svg>,
    holder,
  );
  // The colours of this page, light or dark.
  const probe = document.body.appendChild(document.createElement("i"));
  const colours = new Map<string, string>();
  const text = holder.innerHTML.replace(/var\((--[\w-]+)\)/g, (_, name: string) => {
    if (!colours.has(name)) {
      probe.style.color = `var(${name})`;
      colours.set(name, getComputedStyle(probe).color);
    }
    return colours.get(name)!;
  });
  probe.remove();
  render(null, holder);
  return { text, width, height };
}

export function saveSVG(sheet: Sheet, name: string): void {
  save("data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgOf(sheet).text), name + ".svg");
}

/** savePNG paints at twice the size, for screens and print. */
export async function savePNG(sheet: Sheet, name: string): Promise<void> {
  const { text, width, height } = svgOf(sheet);
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  await image.decode();
  const canvas = document.createElement("canvas");
  // No browser paints a canvas of more than some thousand pixels everywhere.
  const scale = Math.min(2, 16_000 / height, 16_000 / width);
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  save(canvas.toDataURL("image/png"), name + ".png");
}

function save(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
