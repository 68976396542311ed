from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="AuditEntry")


@_attrs_define
class AuditEntry:
    """
    Attributes:
        action (str): What was done
        authority (str):
        digest (str): SHA-256 of that row, hexadecimal
        door (str): The way it came in
        group_id (str): Empty: of the service, not of a group
        hash_ (str): SHA-256 of all above, hexadecimal
        noted_at (datetime.datetime): With six decimals in UTC, as it is hashed
        position (int): Its place in the chain, from 1
        previous (str): The hash of the entry before it; empty: it is the first
        row (None | str): That row as it is now, as JSON in the words that its digest is of; null: it is gone
        row_id (str): The id of the row that says more
        written_by (str): The key or the user of the database; may be empty
    """

    action: str
    authority: str
    digest: str
    door: str
    group_id: str
    hash_: str
    noted_at: datetime.datetime
    position: int
    previous: str
    row: None | str
    row_id: str
    written_by: str

    def to_dict(self) -> dict[str, Any]:
        action = self.action

        authority = self.authority

        digest = self.digest

        door = self.door

        group_id = self.group_id

        hash_ = self.hash_

        noted_at = self.noted_at.isoformat()

        position = self.position

        previous = self.previous

        row: None | str
        row = self.row

        row_id = self.row_id

        written_by = self.written_by

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "action": action,
                "authority": authority,
                "digest": digest,
                "door": door,
                "group_id": group_id,
                "hash": hash_,
                "noted_at": noted_at,
                "position": position,
                "previous": previous,
                "row": row,
                "row_id": row_id,
                "written_by": written_by,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        action = d.pop("action")

        authority = d.pop("authority")

        digest = d.pop("digest")

        door = d.pop("door")

        group_id = d.pop("group_id")

        hash_ = d.pop("hash")

        noted_at = datetime.datetime.fromisoformat(d.pop("noted_at"))

        position = d.pop("position")

        previous = d.pop("previous")

        def _parse_row(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        row = _parse_row(d.pop("row"))

        row_id = d.pop("row_id")

        written_by = d.pop("written_by")

        audit_entry = cls(
            action=action,
            authority=authority,
            digest=digest,
            door=door,
            group_id=group_id,
            hash_=hash_,
            noted_at=noted_at,
            position=position,
            previous=previous,
            row=row,
            row_id=row_id,
            written_by=written_by,
        )

        return audit_entry
