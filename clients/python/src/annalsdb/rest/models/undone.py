from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Undone")


@_attrs_define
class Undone:
    """
    Attributes:
        entities_changed (int):
        entities_removed (int):
        episodes (int): That were undone
        facts_added (int):
        facts_changed (int):
        facts_removed (int):
        facts_reopened (int): That hold on without them
        replayed (int): Later ones, placed again
    """

    entities_changed: int
    entities_removed: int
    episodes: int
    facts_added: int
    facts_changed: int
    facts_removed: int
    facts_reopened: int
    replayed: int

    def to_dict(self) -> dict[str, Any]:
        entities_changed = self.entities_changed

        entities_removed = self.entities_removed

        episodes = self.episodes

        facts_added = self.facts_added

        facts_changed = self.facts_changed

        facts_removed = self.facts_removed

        facts_reopened = self.facts_reopened

        replayed = self.replayed

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "entities_changed": entities_changed,
                "entities_removed": entities_removed,
                "episodes": episodes,
                "facts_added": facts_added,
                "facts_changed": facts_changed,
                "facts_removed": facts_removed,
                "facts_reopened": facts_reopened,
                "replayed": replayed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        entities_changed = d.pop("entities_changed")

        entities_removed = d.pop("entities_removed")

        episodes = d.pop("episodes")

        facts_added = d.pop("facts_added")

        facts_changed = d.pop("facts_changed")

        facts_removed = d.pop("facts_removed")

        facts_reopened = d.pop("facts_reopened")

        replayed = d.pop("replayed")

        undone = cls(
            entities_changed=entities_changed,
            entities_removed=entities_removed,
            episodes=episodes,
            facts_added=facts_added,
            facts_changed=facts_changed,
            facts_removed=facts_removed,
            facts_reopened=facts_reopened,
            replayed=replayed,
        )

        return undone
