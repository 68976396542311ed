// The frame of every page: who is signed in, which memory, which view of it.
import type { ComponentType, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { href, readAddress, useAddress, type Address } from "./core/address";
import type { WhoAmI } from "./core/answers";
import { Problem, ask } from "./core/service";
import { setWho, signOut, useSession } from "./core/session";
import { shown } from "./core/words";
import { Find } from "./parts/find";
import { Help } from "./parts/help";
import { ThemeButton } from "./parts/theme-button";
import { Toast } from "./parts/toast";
import { TimeBar } from "./time/bar";
import { Agent } from "./views/agent";
import { Agents } from "./views/agents";
import { Entities } from "./views/entities";
import { Entity } from "./views/entity";
import { Episode } from "./views/episode";
import { Episodes } from "./views/episodes";
import { Fact } from "./views/fact";
import { Facts } from "./views/facts";
import { Groups } from "./views/groups";
import { Memory } from "./views/memory";
import { Queue } from "./views/queue";
import { Review } from "./views/review";
import { Search } from "./views/search";
import { SignIn, exchangeCode } from "./views/sign-in";
import { Thread } from "./views/thread";
import { Threads } from "./views/threads";
import { Timeline } from "./views/timeline";
import { Usage } from "./views/usage";
import { GraphPage } from "./views/graph";

interface View {
  title: string;
  list: ComponentType<{ address: Address }>;
  one?: ComponentType<{ address: Address }>;
  /** It shows the memory at the two times, so the sliders stand below it. */
  timed?: boolean;
  apart?: boolean;
  wide?: boolean;
}

const views: Record<string, View> = {
  "": { title: "Memory", list: Memory },
  graph: { title: "Graph", list: GraphPage, timed: true, wide: true },
  facts: { title: "Facts", list: Facts, one: Fact, timed: true },
  entities: { title: "Entities", list: Entities, one: Entity, timed: true },
  timeline: { title: "Timeline", list: Timeline, timed: true },
  search: { title: "Search lab", list: Search, timed: true, apart: true },
  conversations: { title: "Conversations", list: Threads, one: Thread, apart: true },
  episodes: { title: "Episodes", list: Episodes, one: Episode },
  agents: { title: "Agents", list: Agents, one: Agent, apart: true },
  review: { title: "Review", list: Review },
  usage: { title: "Usage", list: Usage },
  queue: { title: "Queue", list: Queue },
};

export function App(): JSX.Element {
  const session = useSession();
  const [problem, setProblem] = useState("");
  const [opening, setOpening] = useState(true);
  useEffect(() => {
    void exchangeCode().then((told) => {
      setProblem(told);
      setOpening(false);
    });
  }, []);
  useEffect(() => {
    if (!session.key || session.who) return;
    ask<WhoAmI>("GET", "/v1/whoami").then(
      (found) =>
        setWho({
          rights: found.rights,
          readOnly: found.rights === "read",
          mayErase: found.rights === "erase",
          allGroups: found.all_groups,
          groups: found.groups ?? [],
          authority: found.authority,
          version: found.version,
          reader: found.reader,
          model: found.reads_with_model,
        }),
      (error: unknown) => setProblem(error instanceof Problem ? error.message : String(error)),
    );
  }, [session.key, session.who]);
  if (opening) return <></>;
  if (!session.key) return <SignIn problem={session.farewell || problem} />;
  if (!session.who) return problem ? <SignIn problem={problem} /> : <p class="nothing" aria-busy="true" />;
  return <Frame />;
}

function Frame(): JSX.Element {
  const address = useAddress();
  const { who } = useSession();
  const main = useRef<HTMLElement>(null);
  const view = views[address.view];
  const place = address.group + "\n" + address.view + "\n" + address.id;
  const first = useRef(place);
  useEffect(() => {
    const about = [view?.title ?? "", address.group].filter(Boolean).map(shown);
    document.title = [...about, "Annals"].join(" · ");
    // A reader who came by keyboard goes on at the new page, not at its foot.
    if (first.current !== place) main.current?.focus({ preventScroll: true });
    first.current = place;
  }, [place]);
  const Page = address.group === "" ? Groups : view && (address.id && view.one ? view.one : view.list);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="mark" href="/explore">
          Annals
        </a>
        {address.group && (
          <nav class="crumb" aria-label="Memory">
            <span aria-hidden="true">/</span>
            <a href={href(address.group)}>{shown(address.group)}</a>
          </nav>
        )}
        {address.group && <Find group={address.group} key={address.group} />}
        <div class={address.group ? "top-tools" : "top-tools alone"}>
          {who?.readOnly && <span class="tag" title="This key may only read">read only</span>}
          <ThemeButton />
          <Help />
          <button type="button" class="plain" onClick={() => signOut()} aria-label="Sign out" title="Sign out">
            <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
              <path d="M7.5 3H3.8v12h3.7M8 9h7m-2.8-3L15.2 9l-3 3" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
            </svg>
          </button>
        </div>
      </header>
      <div class={address.group ? "body" : "body bare"}>
        {address.group && <Sections address={address} />}
        <main id="main" ref={main} tabIndex={-1} class={view?.wide && address.group ? "wide" : undefined}>
          {Page ? (
            <div class="page" key={place}>
              <Page address={address} />
            </div>
          ) : (
            <p class="nothing">There is no such page. The memory has those on the left.</p>
          )}
        </main>
      </div>
      {address.group && view?.timed && <TimeBar group={address.group} key={address.group} />}
      <Toast />
    </>
  );
}

function Sections({ address }: { address: Address }): JSX.Element {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (here && nav.current!.scrollWidth > nav.current!.clientWidth) nav.current!.scrollLeft = here.offsetLeft - 40;
  }, [address.view]);
  return (
    <nav class="sections" aria-label="Views" ref={nav}>
      <ul>
        {Object.entries(views).map(([name, view]) => (
          <li key={name} class={view.apart ? "apart" : undefined}>
            <a href={href(address.group, name)} aria-current={name === readAddress().view ? "page" : undefined}>
              {view.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
