import type { JSX } from "preact";
import type { Address } from "../core/address";
import type { Usage as Row } from "../core/answers";
import { get, useLoaded } from "../core/service";
import { sql } from "../core/sql";
import { shown } from "../core/words";
import { SqlButton } from "../parts/sql";
import { Head, Shown } from "../parts/state";

const count = (n: number) => n.toLocaleString("en-GB");
const money = (n: number) => "$" + n.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: n > 0 && n < 0.01 ? 6 : 2 });

/** Usage tells what models were asked for this memory and what that cost. */
export function Usage({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  const answer = useLoaded((signal) => get<{ usage: Row[] }>(group, ["usage"], {}, signal), [group]);
  return (
    <>
      <Head title="Usage" tools={<SqlButton query={sql.usage(group)} />}>
        What models were asked for this memory, and what that cost by list price.
      </Head>
      <Shown of={answer}>{({ usage }) => (usage.length ? <Table of={usage} /> : <p class="nothing">No model was asked. The offline rules and vectors cost nothing.</p>)}</Shown>
    </>
  );
}

function Table({ of }: { of: Row[] }): JSX.Element {
  const sum = (value: (row: Row) => number) => of.reduce((total, row) => total + value(row), 0);
  const unpriced = sum((row) => row.unpriced);
  return (
    <>
      <div class="table-wrap">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">asked for</th>
              <th scope="col">model</th>
              <th scope="col" class="number">calls</th>
              <th scope="col" class="number">from cache</th>
              <th scope="col" class="number">repairs</th>
              <th scope="col" class="number">failed</th>
              <th scope="col" class="number">tokens in</th>
              <th scope="col" class="number">tokens out</th>
              <th scope="col" class="number">cost</th>
            </tr>
          </thead>
          <tbody>
            {of.map((row) => (
              <tr key={row.kind + row.prompt + row.model}>
                <td>{shown(row.prompt || row.kind)}</td>
                <td class="mono">{shown(row.model)}</td>
                <td class="number">{count(row.calls)}</td>
                <td class="number">{count(row.cached)}</td>
                <td class="number">{count(row.repairs)}</td>
                <td class="number">{count(row.failed)}</td>
                <td class="number">{count(row.input_tokens)}</td>
                <td class="number">{count(row.output_tokens)}</td>
                <td class="number">{row.unpriced === row.calls && row.calls > 0 ? "not known" : money(row.cost)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                in all
              </th>
              <td class="number">{count(sum((row) => row.calls))}</td>
              <td class="number">{count(sum((row) => row.cached))}</td>
              <td class="number">{count(sum((row) => row.repairs))}</td>
              <td class="number">{count(sum((row) => row.failed))}</td>
              <td class="number">{count(sum((row) => row.input_tokens))}</td>
              <td class="number">{count(sum((row) => row.output_tokens))}</td>
              <td class="number">{unpriced === 0 ? money(sum((row) => row.cost)) : unpriced === sum((row) => row.calls) ? "not known" : "at least " + money(sum((row) => row.cost))}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      {unpriced > 0 && <p class="soft">The price of {count(unpriced)} calls is not known; they are not in the cost.</p>}
    </>
  );
}
