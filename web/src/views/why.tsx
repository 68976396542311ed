// "Why not?": for a fact, entity or message that was expected, where it ranked and what hid it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { SearchResult, Why as Answer } from "../core/answers";
import { ask, path, useLoaded } from "../core/service";
import { Words, clipped } from "../core/words";
import { Dialog } from "../parts/dialog";
import { Shown } from "../parts/state";
import { Places } from "./search-hits";

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

export function WhyNot({ group, body }: { group: string; body: Record<string, unknown> }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button small" onClick={() => setOpen(true)}>
        Why not …?
      </button>
      {open && <WhyDialog group={group} body={body} onClose={() => setOpen(false)} />}
    </>
  );
}

function WhyDialog({ group, body, onClose }: { group: string; body: Record<string, unknown>; onClose: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState("");
  const id = chosen || uuid.exec(text)?.[0];
  return (
    <Dialog title="What did you expect?" class="why" onClose={onClose}>
      <label class="field">
        <span>A fact, entity or message</span>
        <input
          type="search"
          dir="auto"
          placeholder="Its words, its id or its address"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setChosen("");
          }}
        />
      </label>
      {!id && text.trim() !== "" && <Candidates group={group} text={text} choose={setChosen} />}
      {id && <Explained group={group} body={body} id={id} />}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

// Candidates finds what is meant among all that was ever believed, whatever the search leaves out.
function Candidates({ group, text, choose }: { group: string; text: string; choose: (id: string) => void }): JSX.Element {
  const found = useLoaded(
    (signal) => ask<SearchResult>("POST", path(group, "search"), { body: { query: text, limit: 6, scopes: ["fact", "entity", "episode"], include_ended: true }, signal }),
    [group, text],
  );
  return (
    <Shown of={found}>
      {(of) => {
        const all = [
          ...of.facts.map((one) => ({ id: one.id, kind: "fact", text: one.told })),
          ...of.entities.map((one) => ({ id: one.id, kind: "entity", text: one.name })),
          ...of.episodes.map((one) => ({ id: one.id, kind: "episode", text: clipped(one.content, 140) })),
        ];
        if (all.length === 0) return <p class="nothing">Nothing in this memory has these words.</p>;
        return (
          <ul class="rows">
            {all.map((one) => (
              <li key={one.id}>
                <button type="button" class="linkish" onClick={() => choose(one.id)}>
                  <Words of={one.text} />
                </button>{" "}
                <span class="tag">{one.kind}</span>
              </li>
            ))}
          </ul>
        );
      }}
    </Shown>
  );
}

function Explained({ group, body, id }: { group: string; body: Record<string, unknown>; id: string }): JSX.Element {
  const answer = useLoaded((signal) => ask<Answer>("POST", path(group, "search", "why"), { body: { ...body, expected: [id] }, signal }), [group, body, id]);
  return (
    <Shown of={answer}>
      {({ expected: [one] }) =>
        one ? (
          <section class="field">
            <p class="said">
              <Words of={one.text || id} />
            </p>
            <p class="meta">
              <span class={one.found ? "tag world" : "tag warn"}>{one.found ? `found, as number ${one.rank}` : "not found"}</span>
            </p>
            <ul class="reasons">
              {(one.reasons ?? []).map((reason) => (
                <li key={reason.code}>
                  <Words of={reason.text} />
                </li>
              ))}
            </ul>
            <Places of={one.places} score={one.score} />
          </section>
        ) : (
          <p class="nothing">The service does not know it.</p>
        )
      }
    </Shown>
  );
}
