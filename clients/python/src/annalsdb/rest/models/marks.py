from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="Marks")


@_attrs_define
class Marks:
    """
    Attributes:
        expires_at (datetime.datetime | None): From when on it is hidden
        outdated (int | None): How many found it outdated
        pinned (bool | None): It comes first in contexts
        useful (int | None): How many found it useful
        wrong (int | None): How many found it wrong
    """

    expires_at: datetime.datetime | None = UNSET
    outdated: int | None = UNSET
    pinned: bool | None = UNSET
    useful: int | None = UNSET
    wrong: int | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        expires_at: str | None = UNSET
        if not isinstance(self.expires_at, Unset):
            expires_at = self.expires_at.isoformat()

        outdated = self.outdated

        pinned = self.pinned

        useful = self.useful

        wrong = self.wrong

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at
        if outdated is not UNSET:
            field_dict["outdated"] = outdated
        if pinned is not UNSET:
            field_dict["pinned"] = pinned
        if useful is not UNSET:
            field_dict["useful"] = useful
        if wrong is not UNSET:
            field_dict["wrong"] = wrong

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        _expires_at = d.pop("expires_at", UNSET)
        expires_at: datetime.datetime | None
        if isinstance(_expires_at, Unset):
            expires_at = UNSET
        else:
            expires_at = datetime.datetime.fromisoformat(_expires_at)

        outdated = d.pop("outdated", UNSET)

        pinned = d.pop("pinned", UNSET)

        useful = d.pop("useful", UNSET)

        wrong = d.pop("wrong", UNSET)

        marks = cls(
            expires_at=expires_at,
            outdated=outdated,
            pinned=pinned,
            useful=useful,
            wrong=wrong,
        )

        return marks
