from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.citation_kind import CitationKind, check_citation_kind

T = TypeVar("T", bound="Citation")


@_attrs_define
class Citation:
    """
    Attributes:
        group_id (str):
        id (str):
        kind (CitationKind): What it is
    """

    group_id: str
    id: str
    kind: CitationKind

    def to_dict(self) -> dict[str, Any]:
        group_id = self.group_id

        id = self.id

        kind: str = self.kind

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "group_id": group_id,
                "id": id,
                "kind": kind,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        group_id = d.pop("group_id")

        id = d.pop("id")

        kind = check_citation_kind(d.pop("kind"))

        citation = cls(
            group_id=group_id,
            id=id,
            kind=kind,
        )

        return citation
