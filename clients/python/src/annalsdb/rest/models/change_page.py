from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.change import Change


T = TypeVar("T", bound="ChangePage")


@_attrs_define
class ChangePage:
    """
    Attributes:
        changes (list[Change]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    changes: list[Change]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "changes": changes,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.change import Change

        d = dict(src_dict)
        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = Change.from_dict(changes_item_data)

            changes.append(changes_item)

        next_cursor = d.pop("next_cursor", UNSET)

        change_page = cls(
            changes=changes,
            next_cursor=next_cursor,
        )

        return change_page
