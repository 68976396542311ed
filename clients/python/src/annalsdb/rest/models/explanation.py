from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.explained_hit import ExplainedHit
    from ..models.timing import Timing


T = TypeVar("T", bound="Explanation")


@_attrs_define
class Explanation:
    """
    Attributes:
        hits (list[ExplainedHit]):
        steps (list[Timing]):
    """

    hits: list[ExplainedHit]
    steps: list[Timing]

    def to_dict(self) -> dict[str, Any]:
        hits = []
        for hits_item_data in self.hits:
            hits_item = hits_item_data.to_dict()
            hits.append(hits_item)

        steps = []
        for steps_item_data in self.steps:
            steps_item = steps_item_data.to_dict()
            steps.append(steps_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "hits": hits,
                "steps": steps,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.explained_hit import ExplainedHit
        from ..models.timing import Timing

        d = dict(src_dict)
        hits = []
        _hits = d.pop("hits")
        for hits_item_data in _hits:
            hits_item = ExplainedHit.from_dict(hits_item_data)

            hits.append(hits_item)

        steps = []
        _steps = d.pop("steps")
        for steps_item_data in _steps:
            steps_item = Timing.from_dict(steps_item_data)

            steps.append(steps_item)

        explanation = cls(
            hits=hits,
            steps=steps,
        )

        return explanation
