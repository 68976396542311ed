import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { setQuery, type Address } from "../core/address";
import type { SearchResult } from "../core/answers";
import { ask, path, useLoaded } from "../core/service";
import { sql } from "../core/sql";
import { SqlButton } from "../parts/sql";
import { Head } from "../parts/state";
import { timesNow, type Times } from "../time/times";
import { inWords } from "./facts";
import { Context, Hits } from "./search-hits";
import { SettingsForm, bodyOf, scopes, settingsOf } from "./search-settings";
import { WhyNot } from "./why";

/** Search is the lab: one question, searched in one way or in two side by side, with all that decided. */
export function Search({ address }: { address: Address }): JSX.Element {
  const { group, query: params } = address;
  const question = params.get("q") ?? "";
  const two = params.get("two") === "1";
  const times = timesNow();
  const settings = settingsOf(params, "");
  const [text, setText] = useState(question);
  useEffect(() => setText(question), [question]);
  const submit = (event: Event) => {
    event.preventDefault();
    setQuery({ q: text.trim() }, true);
  };
  const query = sql.search(group, question, {
    kinds: settings.scopes.length ? settings.scopes : scopes,
    limit: settings.limit,
    ended: settings.ended,
    ...times,
  });
  return (
    <div class="lab">
      <Head
        title="Search lab"
        tools={
          <>
            <button type="button" class="button small" aria-pressed={two} onClick={() => setQuery({ two: two ? undefined : "1" })}>
              {two ? "One setting" : "Side by side"}
            </button>
            <SqlButton query={query} />
          </>
        }
      />
      <form class="ask" onSubmit={submit}>
        <input
          type="search"
          dir="auto"
          aria-label="Question"
          placeholder="Ask what you want to know"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button main">
          Search
        </button>
      </form>
      <p class="soft">
        {times.valid === null && times.known === null ? "Among what holds now. The sliders below ask of another time." : `As it stood ${inWords(times)}.`}
      </p>
      {two ? <Both group={group} question={question} params={params} times={times} /> : <One group={group} question={question} params={params} prefix="" times={times} />}
    </div>
  );
}

interface Side {
  group: string;
  question: string;
  params: URLSearchParams;
  times: Times;
}

function One(props: Side & { prefix: string; beside?: ReadonlySet<string> }): JSX.Element {
  const settings = settingsOf(props.params, props.prefix);
  const body = bodyOf(props.question, settings, props.times);
  return (
    <section class="side">
      <div class="side-head">
        <SettingsForm of={settings} prefix={props.prefix} />
        {props.question && <WhyNot group={props.group} body={body} />}
      </div>
      {props.question ? (
        <>
          <Hits group={props.group} body={body} beside={props.beside} />
          <Context group={props.group} body={body} />
        </>
      ) : (
        <p class="nothing">Each hit shows its rank and score by every method, and below stands the context that a model would be given.</p>
      )}
    </section>
  );
}

// Both marks on each side what the other did not find.
function Both(props: Side): JSX.Element {
  const left = useIds(props, "");
  const right = useIds(props, "b_");
  return (
    <div class="sides">
      <One {...props} prefix="" beside={right} />
      <One {...props} prefix="b_" beside={left} />
    </div>
  );
}

function useIds({ group, question, params, times }: Side, prefix: string): ReadonlySet<string> | undefined {
  const body = bodyOf(question, settingsOf(params, prefix), times);
  const { data } = useLoaded(
    (signal) => (question ? ask<SearchResult>("POST", path(group, "search"), { body, signal }) : Promise.resolve(undefined)),
    [group, body],
  );
  return data && new Set([...data.facts, ...data.entities, ...data.episodes, ...data.communities].map((one) => one.id));
}
