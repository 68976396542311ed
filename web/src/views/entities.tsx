import type { JSX } from "preact";
import type { Address } from "../core/address";
import type { Entity } from "../core/answers";
import { get } from "../core/service";
import { sql } from "../core/sql";
import { EntityRow } from "../parts/lists";
import { Pages } from "../parts/pages";
import { SqlButton } from "../parts/sql";
import { Head } from "../parts/state";
import { asked, instant } from "../time/moment";
import { timesNow } from "../time/times";

/** Entities lists who and what is known, as it was known then. */
export function Entities({ address }: { address: Address }): JSX.Element {
  const { group } = address;
  const { valid, known } = timesNow();
  return (
    <>
      <Head title="Entities" tools={<SqlButton query={sql.entities(group, known)} />}>
        Whom and what episodes mention{known === null ? "" : `, as we knew them on ${instant(known)}`}. What was mentioned last comes first.
      </Head>
      <Pages
        depends={[group, valid, known]}
        nothing="Nobody and nothing was known then. Move the slider to a later time, or add what was said."
        load={async (cursor, signal) => {
          const query = { as_of: asked(valid), known_at: asked(known), limit: 100, cursor };
          const page = await get<{ entities: Entity[]; next_cursor?: string }>(group, ["entities"], query, signal);
          return { items: page.entities, next: page.next_cursor };
        }}
      >
        {(entities) => (
          <ul class="rows">
            {entities.map((entity) => (
              <EntityRow key={entity.id} entity={entity} group={group} />
            ))}
          </ul>
        )}
      </Pages>
    </>
  );
}
