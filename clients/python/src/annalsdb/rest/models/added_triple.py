from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="AddedTriple")


@_attrs_define
class AddedTriple:
    """
    Attributes:
        episode_id (str):
        fact_id (str):
        repeated (bool): The graph had the fact already
        source_id (str):
        target_id (str):
    """

    episode_id: str
    fact_id: str
    repeated: bool
    source_id: str
    target_id: str

    def to_dict(self) -> dict[str, Any]:
        episode_id = self.episode_id

        fact_id = self.fact_id

        repeated = self.repeated

        source_id = self.source_id

        target_id = self.target_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "episode_id": episode_id,
                "fact_id": fact_id,
                "repeated": repeated,
                "source_id": source_id,
                "target_id": target_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        episode_id = d.pop("episode_id")

        fact_id = d.pop("fact_id")

        repeated = d.pop("repeated")

        source_id = d.pop("source_id")

        target_id = d.pop("target_id")

        added_triple = cls(
            episode_id=episode_id,
            fact_id=fact_id,
            repeated=repeated,
            source_id=source_id,
            target_id=target_id,
        )

        return added_triple
