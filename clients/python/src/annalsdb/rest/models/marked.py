from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.marked_kind import MarkedKind, check_marked_kind
from ..types import UNSET

T = TypeVar("T", bound="Marked")


@_attrs_define
class Marked:
    """
    Attributes:
        id (str):
        kind (MarkedKind):
        offer (str | None): What may be done next, and was not: withdraw a fact that was found wrong
    """

    id: str
    kind: MarkedKind
    offer: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        kind: str = self.kind

        offer = self.offer

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "kind": kind,
            }
        )
        if offer is not UNSET:
            field_dict["offer"] = offer

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        kind = check_marked_kind(d.pop("kind"))

        offer = d.pop("offer", UNSET)

        marked = cls(
            id=id,
            kind=kind,
            offer=offer,
        )

        return marked
