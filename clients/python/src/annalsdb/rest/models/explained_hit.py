from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.explained_hit_places import ExplainedHitPlaces


T = TypeVar("T", bound="ExplainedHit")


@_attrs_define
class ExplainedHit:
    """
    Attributes:
        group_id (str):
        id (str):
        kind (str):
        places (ExplainedHitPlaces):
        score (float):
    """

    group_id: str
    id: str
    kind: str
    places: ExplainedHitPlaces
    score: float

    def to_dict(self) -> dict[str, Any]:
        group_id = self.group_id

        id = self.id

        kind = self.kind

        places = self.places.to_dict()

        score = self.score

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "group_id": group_id,
                "id": id,
                "kind": kind,
                "places": places,
                "score": score,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.explained_hit_places import ExplainedHitPlaces

        d = dict(src_dict)
        group_id = d.pop("group_id")

        id = d.pop("id")

        kind = d.pop("kind")

        places = ExplainedHitPlaces.from_dict(d.pop("places"))

        score = d.pop("score")

        explained_hit = cls(
            group_id=group_id,
            id=id,
            kind=kind,
            places=places,
            score=score,
        )

        return explained_hit
