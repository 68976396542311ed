from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.expected_kind import ExpectedKind, check_expected_kind
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.expected_places import ExpectedPlaces
    from ..models.reason import Reason


T = TypeVar("T", bound="Expected")


@_attrs_define
class Expected:
    """
    Attributes:
        found (bool): The search found it
        id (str):
        places (ExpectedPlaces): Where each method ranked it
        rank (int): Where it came among those of its kind, from 1; 0: nowhere, even without what hid it
        reasons (list[Reason]): What hid it, each of which has to go for it to be found
        score (float):
        text (str): The fact, the name or the beginning of what was said
        kind (ExpectedKind | None): Left out: the group has nothing with this id
    """

    found: bool
    id: str
    places: ExpectedPlaces
    rank: int
    reasons: list[Reason]
    score: float
    text: str
    kind: ExpectedKind | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        found = self.found

        id = self.id

        places = self.places.to_dict()

        rank = self.rank

        reasons = []
        for reasons_item_data in self.reasons:
            reasons_item = reasons_item_data.to_dict()
            reasons.append(reasons_item)

        score = self.score

        text = self.text

        kind: str | None = UNSET
        if not isinstance(self.kind, Unset):
            kind = self.kind

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "found": found,
                "id": id,
                "places": places,
                "rank": rank,
                "reasons": reasons,
                "score": score,
                "text": text,
            }
        )
        if kind is not UNSET:
            field_dict["kind"] = kind

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.expected_places import ExpectedPlaces
        from ..models.reason import Reason

        d = dict(src_dict)
        found = d.pop("found")

        id = d.pop("id")

        places = ExpectedPlaces.from_dict(d.pop("places"))

        rank = d.pop("rank")

        reasons = []
        _reasons = d.pop("reasons")
        for reasons_item_data in _reasons:
            reasons_item = Reason.from_dict(reasons_item_data)

            reasons.append(reasons_item)

        score = d.pop("score")

        text = d.pop("text")

        _kind = d.pop("kind", UNSET)
        kind: ExpectedKind | None
        if isinstance(_kind, Unset):
            kind = UNSET
        else:
            kind = check_expected_kind(_kind)

        expected = cls(
            found=found,
            id=id,
            places=places,
            rank=rank,
            reasons=reasons,
            score=score,
            text=text,
            kind=kind,
        )

        return expected
