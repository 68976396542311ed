from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.learned_fact import LearnedFact
    from ..models.mentioned import Mentioned


T = TypeVar("T", bound="Learned")


@_attrs_define
class Learned:
    """
    Attributes:
        entities (list[Mentioned]): That it mentions
        episode_id (str):
        facts (list[LearnedFact]):
    """

    entities: list[Mentioned]
    episode_id: str
    facts: list[LearnedFact]

    def to_dict(self) -> dict[str, Any]:
        entities = []
        for entities_item_data in self.entities:
            entities_item = entities_item_data.to_dict()
            entities.append(entities_item)

        episode_id = self.episode_id

        facts = []
        for facts_item_data in self.facts:
            facts_item = facts_item_data.to_dict()
            facts.append(facts_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "entities": entities,
                "episode_id": episode_id,
                "facts": facts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.learned_fact import LearnedFact
        from ..models.mentioned import Mentioned

        d = dict(src_dict)
        entities = []
        _entities = d.pop("entities")
        for entities_item_data in _entities:
            entities_item = Mentioned.from_dict(entities_item_data)

            entities.append(entities_item)

        episode_id = d.pop("episode_id")

        facts = []
        _facts = d.pop("facts")
        for facts_item_data in _facts:
            facts_item = LearnedFact.from_dict(facts_item_data)

            facts.append(facts_item)

        learned = cls(
            entities=entities,
            episode_id=episode_id,
            facts=facts,
        )

        return learned
