from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.mark_change_mark import MarkChangeMark, check_mark_change_mark
from ..types import UNSET

T = TypeVar("T", bound="MarkChange")


@_attrs_define
class MarkChange:
    """
    Attributes:
        ids (list[str]): Of facts, episodes, entities, skills: all are marked, or none
        mark (MarkChangeMark): keeps ends expires, unpinned ends pinned, unjudged takes back what the same key found.
            Entities can only be pinned, skills only judged
        expires_at (str | None): With expires: from when on it is hidden
    """

    ids: list[str]
    mark: MarkChangeMark
    expires_at: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        ids = self.ids

        mark: str = self.mark

        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "ids": ids,
                "mark": mark,
            }
        )
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        ids = cast(list[str], d.pop("ids"))

        mark = check_mark_change_mark(d.pop("mark"))

        expires_at = d.pop("expires_at", UNSET)

        mark_change = cls(
            ids=ids,
            mark=mark,
            expires_at=expires_at,
        )

        return mark_change
