from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="AuditHead")


@_attrs_define
class AuditHead:
    """
    Attributes:
        group_id (str): Empty: of the service, not of a group
        hash_ (str): Hexadecimal; empty: there is no entry
        position (int): 0: there is no entry
        noted_at (datetime.datetime | None):
    """

    group_id: str
    hash_: str
    position: int
    noted_at: datetime.datetime | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        group_id = self.group_id

        hash_ = self.hash_

        position = self.position

        noted_at: str | None = UNSET
        if not isinstance(self.noted_at, Unset):
            noted_at = self.noted_at.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "group_id": group_id,
                "hash": hash_,
                "position": position,
            }
        )
        if noted_at is not UNSET:
            field_dict["noted_at"] = noted_at

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        group_id = d.pop("group_id")

        hash_ = d.pop("hash")

        position = d.pop("position")

        _noted_at = d.pop("noted_at", UNSET)
        noted_at: datetime.datetime | None
        if isinstance(_noted_at, Unset):
            noted_at = UNSET
        else:
            noted_at = datetime.datetime.fromisoformat(_noted_at)

        audit_head = cls(
            group_id=group_id,
            hash_=hash_,
            position=position,
            noted_at=noted_at,
        )

        return audit_head
