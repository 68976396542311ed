import uuid
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, AnyMessage
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from annalsdb import Annals, AsyncAnnals
from annalsdb.langgraph import AnnalsStore, memory_tools

ALICE = ("users", "alice", "notes")
BOB = ("users", "bob", "notes")


@pytest.fixture(params=["annals", "langgraph's own"])
def store(request: pytest.FixtureRequest, memory: Annals) -> BaseStore:
    """Both stores have to pass the same tests: that is what the semantics are."""
    return AnnalsStore(memory) if request.param == "annals" else InMemoryStore()


def test_an_item_is_put_got_put_anew_and_deleted(store: BaseStore) -> None:
    assert store.get(ALICE, "food") is None
    store.put(ALICE, "food", {"text": "I love pizza", "tags": ["a", {"b": None}], "n": 1.5, "ok": True})
    first = store.get(ALICE, "food")
    assert first and first.value == {"text": "I love pizza", "tags": ["a", {"b": None}], "n": 1.5, "ok": True}
    assert (first.namespace, first.key) == (ALICE, "food")
    store.put(ALICE, "food", {"text": "I love pasta"})
    second = store.get(ALICE, "food")
    assert second and second.value == {"text": "I love pasta"}
    assert second.updated_at >= first.updated_at and second.created_at <= second.updated_at
    assert len(store.search(ALICE)) == 1
    assert store.get(BOB, "food") is None and store.get(ALICE, "drink") is None
    store.delete(ALICE, "food")
    store.delete(ALICE, "food")
    assert store.get(ALICE, "food") is None and store.search(()) == []
    store.put(ALICE, "food", {})
    assert (again := store.get(ALICE, "food")) and again.value == {}


def test_keys_may_be_anything(store: BaseStore) -> None:
    for key in (".a", "a..b", "a/b?c#d", "ü 1", str(uuid.uuid4())):
        store.put(("a",), key, {"key": key})
        store.put(("a", "b"), key, {"other": key})
    for key in (".a", "a..b", "a/b?c#d", "ü 1"):
        assert (item := store.get(("a",), key)) and item.value == {"key": key}
        assert (item := store.get(("a", "b"), key)) and item.value == {"other": key}
    with pytest.raises(InvalidNamespaceError):
        store.put(("a.b",), "k", {"x": 1})
    with pytest.raises(InvalidNamespaceError):
        store.put((), "k", {"x": 1})


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"1", "2", "3"}),
    ({"kind": "a"}, {"1", "2"}),
    ({"kind": "a", "n": 2}, {"2"}),
    ({"n": {"$gt": 1}}, {"2", "3"}),
    ({"n": {"$gte": 1, "$lt": 3}}, {"1", "2"}),
    ({"n": {"$lte": 2}}, {"1", "2"}),
    ({"kind": {"$ne": "a"}}, {"3"}),
    ({"kind": {"$eq": "b"}}, {"3"}),
    ({"in": {"deep": {"er": True}}}, {"2"}),
    ({"list": ["x", "y"]}, {"1"}),
    ({"list": "x"}, set()),
    ({"none": None}, {"1", "2", "3"}),
]


@pytest.mark.parametrize(("wanted", "keys"), FILTERS, ids=str)
def test_filters_compare_as_in_other_stores(store: BaseStore, wanted: dict[str, Any], keys: set[str]) -> None:
    fill(store)
    assert {item.key for item in store.search(("users",), filter=wanted)} == keys
    if isinstance(store, AnnalsStore):  # the same with words, which the other store takes vectors for
        assert {item.key for item in store.search(("users",), query="thing", filter=wanted)} == keys


def fill(store: BaseStore) -> None:
    store.put(ALICE, "1", {"text": "one thing", "kind": "a", "n": 1, "list": ["x", "y"]})
    store.put(ALICE, "2", {"text": "two thing", "kind": "a", "n": 2, "in": {"deep": {"er": True}, "and": 1}})
    store.put(BOB, "3", {"text": "three thing", "kind": "b", "n": 3, "list": []})


def test_namespaces_are_listed_as_in_other_stores(store: BaseStore) -> None:
    fill(store)
    store.put(("cache",), "k", {"x": 1})
    store.put(("users", "carol"), "k", {"x": 1})
    store.put(("gone",), "k", {"x": 1})
    store.delete(("gone",), "k")
    if isinstance(store, InMemoryStore):
        store._data.pop(("gone",))  # it keeps empty namespaces
    everything = [("cache",), ALICE, BOB, ("users", "carol")]
    assert store.list_namespaces() == everything
    assert store.list_namespaces(prefix=("users",)) == everything[1:]
    assert store.list_namespaces(suffix=("notes",)) == [ALICE, BOB]
    assert store.list_namespaces(prefix=("users", "*", "notes"), suffix=("alice", "*")) == [ALICE]
    assert store.list_namespaces(max_depth=1) == [("cache",), ("users",)]
    assert store.list_namespaces(max_depth=2, prefix=("users",), limit=2, offset=1) == [
        ("users", "bob"),
        ("users", "carol"),
    ]


def test_a_batch_reads_before_it_writes(store: BaseStore) -> None:
    fill(store)
    results = store.batch(
        [
            PutOp(ALICE, "1", {"text": "new"}),
            PutOp(ALICE, "1", {"text": "newer"}),
            PutOp(BOB, "3", None),
            GetOp(ALICE, "1"),
            SearchOp(BOB),
            ListNamespacesOp((MatchCondition("prefix", ("users",)),)),
        ]
    )
    assert results[:3] == [None, None, None]
    assert results[3].value["text"] == "one thing"  # type: ignore[union-attr]
    assert [item.key for item in results[4]] == ["3"]  # type: ignore[union-attr]
    assert results[5] == [ALICE, BOB]
    assert (item := store.get(ALICE, "1")) and item.value == {"text": "newer"}
    assert store.get(BOB, "3") is None


def test_pages_have_every_item_once(store: BaseStore) -> None:
    for n in range(7):
        store.put(ALICE, str(n), {"n": n})
    pages = [store.search(ALICE, limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert {item.key for page in pages for item in page} == {str(n) for n in range(7)}


async def test_the_same_while_doing_other_things(async_memory: AsyncAnnals) -> None:
    store = AnnalsStore(async_memory=async_memory)
    await store.aput(ALICE, "food", {"text": "I love pizza"})
    await store.aput(ALICE, "food", {"text": "I love pasta"})
    await store.aput(BOB, "food", {"text": "I hate olives"})
    assert (item := await store.aget(ALICE, "food")) and item.value == {"text": "I love pasta"}
    assert [item.value["text"] for item in await store.asearch(("users",), query="pasta")] == ["I love pasta"]
    assert await store.alist_namespaces(max_depth=2) == [("users", "alice"), ("users", "bob")]
    await store.adelete(ALICE, "food")
    assert await store.aget(ALICE, "food") is None
    with pytest.raises(TypeError, match="memory=Annals"):
        store.get(ALICE, "food")


def test_only_the_chosen_fields_are_searched(memory: Annals) -> None:
    store = AnnalsStore(memory, fields=["text"])
    store.put(ALICE, "1", {"text": "I love pizza", "secret": "xylophone"})
    store.put(ALICE, "2", {"text": "A violin", "title": "Trombones"}, index=["title"])
    store.put(ALICE, "3", {"text": "Pizza again"}, index=False)
    found = store.search(ALICE, query="trombones")
    assert found[0].key == "2" and found[0].score
    assert store.search(ALICE, query="pizza")[0].key == "1"
    assert "3" not in {item.key for item in store.search(ALICE, query="pizza again")}
    searched = memory.search("I love pizza and trombones", scopes=["episode"]).episodes
    assert {"I love pizza", "Trombones"} <= {episode.content for episode in searched}
    assert {item.key for item in store.search(ALICE)} == {"1", "2", "3"}


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


def calling(name: str, arguments: dict[str, Any]) -> State:
    call = {"name": name, "args": arguments, "id": "1", "type": "tool_call"}
    return {"messages": [AIMessage("", tool_calls=[call])]}


async def test_an_agent_remembers_from_one_graph_to_the_next(memory: Annals, async_memory: AsyncAnnals) -> None:
    def agent() -> Any:
        """Make a graph that runs the tools an agent calls. It has no checkpointer and no state of its own."""
        tools = memory_tools(memory, async_memory, actor="Alice", thread_id="chat-1")
        graph = StateGraph(State)
        graph.add_node("tools", ToolNode(tools))
        graph.add_edge(START, "tools")
        return graph.compile()

    kept = agent().invoke(calling("remember", {"text": "Alice lives in Lisbon since 6 March 2024."}))
    assert kept["messages"][-1].content == "It will be remembered."
    await agent().ainvoke(calling("remember", {"text": "Alice works at Globex."}))
    for episode in memory.search("Alice", scopes=["episode"]).episodes:
        assert (episode.actor, episode.thread_id) == ("Alice", "chat-1")
        memory.wait(episode.id)
    answer = agent().invoke(calling("recall", {"query": "Where does Alice live?"}))["messages"][-1]
    assert "Alice lives in Lisbon" in answer.content
    answer = (await agent().ainvoke(calling("recall", {"query": "Where does Alice work?"})))["messages"][-1]
    assert "Globex" in answer.content
    refused = agent().invoke(calling("recall", {"query": "Alice", "as_of": "soon"}))["messages"][-1]
    assert "write 2024-03-15" in refused.content and refused.status == "error"


async def test_a_graph_is_given_the_store(memory: Annals, async_memory: AsyncAnnals) -> None:
    def note(state: State, *, store: BaseStore) -> State:
        store.put(ALICE, "last", {"text": state["messages"][-1].content})
        return {"messages": []}

    async def look(state: State, *, store: BaseStore) -> State:
        found = await store.asearch(ALICE, query="pizza")
        return {"messages": [AIMessage(found[0].value["text"])]}

    store = AnnalsStore(memory, async_memory)
    for node, said in ((note, "I love pizza"), (look, "What do I love?")):
        graph = StateGraph(State)
        graph.add_node("node", node)
        graph.add_edge(START, "node")
        app = graph.compile(store=store)
        given: Any = {"messages": [("user", said)]}
        ended = app.invoke(given) if node is note else await app.ainvoke(given)
    assert ended["messages"][-1].content == "I love pizza"
