// The graph as a list: the same entities and how many facts of each hold at the two times, for who does not see the picture.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { href } from "../core/address";
import { now } from "../core/clock";
import { Words } from "../core/words";
import { nameAt, type Model } from "../graph/model";
import { Labels } from "../parts/lists";
import { Standing, standings } from "../time/intervals";
import { plural } from "../time/moment";
import { latest, useTimes } from "../time/times";

const step = 200;

export function GraphList({ group, model }: { group: string; model: Model }): JSX.Element {
  const { valid, known } = useTimes();
  const [shownRows, setShown] = useState(step);
  const rows = useMemo(() => counted(model, valid ?? now(), known ?? latest), [model, valid, known]);
  return (
    <div class="graph-list">
      <table class="table">
        <caption class="unseen">Entities, the most spoken of first</caption>
        <thead>
          <tr>
            <th scope="col">entity</th>
            <th scope="col">kind</th>
            <th scope="col">tied to</th>
            <th scope="col" class="number">hold</th>
            <th scope="col" class="number">past</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shownRows).map((row) => (
            <tr key={row.entity}>
              <td>
                <a href={href(group, "entities", model.entities.id[row.entity])}>
                  <Words of={nameAt(model.entities, row.entity, known ?? latest)} />
                </a>
              </td>
              <td>
                <Labels of={model.entities.labels[row.entity]} />
              </td>
              <td class="soft">
                {row.near.slice(0, 4).map((other, i) => (
                  <>
                    {i > 0 && ", "}
                    <Words of={nameAt(model.entities, other, known ?? latest)} />
                  </>
                ))}
                {row.near.length > 4 && ` and ${row.near.length - 4} more`}
              </td>
              <td class="number">{row.holds}</td>
              <td class="number">{row.past}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shownRows && (
        <p>
          <button type="button" class="button" onClick={() => setShown(shownRows + step)}>
            Show more of {plural(rows.length, "entity", "entities")}
          </button>
        </p>
      )}
    </div>
  );
}

interface Row {
  entity: number;
  holds: number;
  past: number;
  near: number[];
}

function counted(model: Model, valid: number, known: number): Row[] {
  const { entities, lines, around } = model;
  const standing = new Uint8Array(lines.id.length);
  standings(model.versions, valid, known, standing, new Int32Array(lines.id.length));
  const rows: Row[] = [];
  for (let entity = 0; entity < entities.id.length; entity++) {
    if (known < entities.knownFrom[entity] || known >= entities.knownUntil[entity]) continue;
    const row: Row = { entity, holds: 0, past: 0, near: [] };
    const near = new Set<number>();
    for (const line of around[entity]) {
      if (standing[line] === Standing.holds || standing[line] === Standing.happens) {
        row.holds++;
        near.add(lines.source[line] === entity ? lines.target[line] : lines.source[line]);
      } else if (standing[line] >= Standing.ended) row.past++;
    }
    row.near = [...near];
    rows.push(row);
  }
  return rows.sort((a, b) => entities.salience[b.entity] - entities.salience[a.entity]);
}
