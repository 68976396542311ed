from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="TimeTest")


@_attrs_define
class TimeTest:
    """
    Attributes:
        op (str):
        at (datetime.datetime | None):
    """

    op: str
    at: datetime.datetime | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        op = self.op

        at: str | None = UNSET
        if not isinstance(self.at, Unset):
            at = self.at.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "op": op,
            }
        )
        if at is not UNSET:
            field_dict["at"] = at

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        op = d.pop("op")

        _at = d.pop("at", UNSET)
        at: datetime.datetime | None
        if isinstance(_at, Unset):
            at = UNSET
        else:
            at = datetime.datetime.fromisoformat(_at)

        time_test = cls(
            op=op,
            at=at,
        )

        return time_test
