from datetime import UTC, date, datetime
from typing import Any

import pytest

from annalsdb import Annals, AsyncAnnals, InvalidInput, NotFound, NotRead
from annalsdb.rest.api.entities import list_entities
from annalsdb.rest.models import ContextQuery, EntityPage, NewEpisode, Query
from annalsdb.settings import About, Searching, Showing

PARIS: Any = {"content": "I live in Paris.", "actor": "Alice", "occurred_at": date(2023, 1, 10)}
LISBON: Any = {"content": "I moved to Lisbon last week.", "actor": "Alice", "occurred_at": "2024-03-15"}
QUESTION = "Where does Alice live?"


def test_what_is_added_is_found_at_every_time(memory: Annals) -> None:
    memory.add(**PARIS, metadata={"page": 3}, wait=60)
    added = memory.add(**LISBON, wait=60)
    assert added.new and added.state == "done"
    found = memory.search(QUESTION, scopes=["fact", "episode"], limit=5)
    assert [fact.fact for fact in found.facts] == ["Alice moved to Lisbon last week."]
    assert found.facts[0].valid_at == datetime(2024, 3, 4, tzinfo=UTC)
    assert found.facts[0].invalid_at is None and found.facts[0].kind == "state"
    assert {episode.content for episode in found.episodes} == {PARIS["content"], LISBON["content"]}
    assert found.entities == []
    then = memory.as_of(date(2023, 6, 1))
    assert [fact.fact for fact in then.search(QUESTION).facts] == ["Alice lives in Paris."]
    assert "Lisbon" in memory.context(QUESTION) and "Paris" in then.context(QUESTION, tokens=200)
    answered = memory.ask(QUESTION, schema={"type": "object", "properties": {"moved_to": {"type": "string"}}})
    assert answered.form == "answer" and "Lisbon" in answered.text and answered.sentences[0].cites[0].kind == "fact"
    assert then.ask(QUESTION, tokens=200).sentences[0].text.startswith("Alice lives in Paris.")
    assert [fact.fact for fact in memory.facts()] == ["Alice lives in Paris.", "Alice moved to Lisbon last week."]
    assert [fact.fact for fact in then.facts(entity="Alice")] == ["Alice lives in Paris."]
    assert list(memory.as_of(known_at="2020-01-01").facts()) == []


async def test_the_same_while_doing_other_things(async_memory: AsyncAnnals) -> None:
    await async_memory.add(**PARIS, wait=60)
    added = await async_memory.add(**LISBON, wait=60)
    assert added.state == (await async_memory.episode(added.id)).state == "done"
    then = async_memory.as_of("2023-06-01")
    assert [fact.fact for fact in (await then.search(QUESTION)).facts] == ["Alice lives in Paris."]
    assert "Lisbon" in await async_memory.context(QUESTION)
    assert "Lisbon" in (await async_memory.ask(QUESTION)).text
    assert [fact.fact async for fact in then.facts()] == ["Alice lives in Paris."]
    undone = await async_memory.undo(added.id)
    assert undone.undone and undone.undone.episodes == 1
    assert [fact.fact async for fact in async_memory.facts()] == ["Alice lives in Paris."]
    many = await async_memory.add_all([{"content": "One."}, {"content": "Two."}])
    assert (many.added, len(many.episodes)) == (2, 2)


def test_a_filter_narrows_a_search(memory: Annals) -> None:
    memory.add("The invoice is paid.", metadata={"page": 3}, wait=60)
    memory.add("The invoice is lost.", metadata={"page": 4}, wait=60)
    found = memory.search("invoice", filter={"metadata": {"path": ["page"], "op": "gt", "value": 3}})
    assert [episode.content for episode in found.episodes] == ["The invoice is lost."]
    assert found.episodes[0].metadata == {"page": 4}


def test_many_are_added_at_once_and_once(memory: Annals) -> None:
    first = memory.add_all(
        ({"content": f"Line {n}.", "occurred_at": date(2024, 1, 1)} for n in range(1200)), idempotency_key="lines"
    )
    again = memory.add_all(
        ({"content": f"Line {n}.", "occurred_at": date(2024, 1, 1)} for n in range(1200)), idempotency_key="lines"
    )
    assert (first.added, again.added, again.existing) == (1200, 0, 1200)


def test_a_word_of_ones_own_makes_a_request_be_done_once(memory: Annals) -> None:
    first = memory.add("I like tea.", idempotency_key="tea")
    assert memory.add("I like tea.", idempotency_key="tea").id == first.id
    assert memory.add("I like tea.").id != first.id
    with pytest.raises(InvalidInput, match="Idempotency-Key"):
        memory.add("I like coffee.", idempotency_key="tea")


def test_waiting_ends(memory: Annals) -> None:
    kept = memory.add("Nobody reads this.", deferred=True)
    with pytest.raises(NotRead, match="not read yet"):
        memory.wait(kept.id, timeout=0.2)


def test_routes_without_a_method_are_there_too(memory: Annals, group: str) -> None:
    memory.add(**PARIS, wait=60)
    page = list_entities.sync(group, client=memory.rest)
    assert isinstance(page, EntityPage)
    assert {entity.name for entity in page.entities} == {"Alice", "Paris"}
    with pytest.raises(NotFound):
        memory.episode("01a206a3-2a85-7e16-9f54-e84aacb268a6")


def test_a_memory_is_named_once_or_each_time(memory: Annals) -> None:
    memory.add("I like tea.", group=f"{memory.group}-other")
    assert memory.search("tea").episodes == []
    assert memory.search("tea", group=f"{memory.group}-other").episodes
    nowhere = Annals("http://127.0.0.1:1")
    with pytest.raises(ValueError, match="group='alice'"):
        nowhere.search("tea")


@pytest.mark.parametrize(
    ("settings", "model"),
    [(About, NewEpisode), (Searching, Query), (Showing, ContextQuery)],
    ids=lambda it: it.__name__,
)
def test_all_that_the_service_knows_can_be_said(settings: Any, model: Any) -> None:
    known = {name.rstrip("_") for name in model.__annotations__ if name != "_keys"}
    assert {name.rstrip("_") for name in settings.__annotations__} == known - {"content", "query"}
