from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Built")


@_attrs_define
class Built:
    """
    Attributes:
        changed (int):
        communities (int):
        entities (int):
        kept (int):
        new (int):
        removed (int):
    """

    changed: int
    communities: int
    entities: int
    kept: int
    new: int
    removed: int

    def to_dict(self) -> dict[str, Any]:
        changed = self.changed

        communities = self.communities

        entities = self.entities

        kept = self.kept

        new = self.new

        removed = self.removed

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "changed": changed,
                "communities": communities,
                "entities": entities,
                "kept": kept,
                "new": new,
                "removed": removed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        changed = d.pop("changed")

        communities = d.pop("communities")

        entities = d.pop("entities")

        kept = d.pop("kept")

        new = d.pop("new")

        removed = d.pop("removed")

        built = cls(
            changed=changed,
            communities=communities,
            entities=entities,
            kept=kept,
            new=new,
            removed=removed,
        )

        return built
