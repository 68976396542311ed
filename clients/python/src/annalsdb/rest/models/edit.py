from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

T = TypeVar("T", bound="Edit")


@_attrs_define
class Edit:
    """
    Attributes:
        action (str): add, edit, withdraw, restore, confirm, unconfirm, merge, split, rename, remove, release, hold,
            policy or sweep; or insert, update, delete by SQL
        authority (str):
        door (str): The way it came in: cli, rest, mcp, sql, …
        edited_at (datetime.datetime):
        written_by (str | None):
    """

    action: str
    authority: str
    door: str
    edited_at: datetime.datetime
    written_by: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        action = self.action

        authority = self.authority

        door = self.door

        edited_at = self.edited_at.isoformat()

        written_by = self.written_by

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "action": action,
                "authority": authority,
                "door": door,
                "edited_at": edited_at,
            }
        )
        if written_by is not UNSET:
            field_dict["written_by"] = written_by

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        action = d.pop("action")

        authority = d.pop("authority")

        door = d.pop("door")

        edited_at = datetime.datetime.fromisoformat(d.pop("edited_at"))

        written_by = d.pop("written_by", UNSET)

        edit = cls(
            action=action,
            authority=authority,
            door=door,
            edited_at=edited_at,
            written_by=written_by,
        )

        return edit
