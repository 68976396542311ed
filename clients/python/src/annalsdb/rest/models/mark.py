from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Mark")


@_attrs_define
class Mark:
    """
    Attributes:
        at (datetime.datetime): The first of them
        facts (int): How many facts changed
        until (datetime.datetime): The last of them
    """

    at: datetime.datetime
    facts: int
    until: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        facts = self.facts

        until = self.until.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "facts": facts,
                "until": until,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        facts = d.pop("facts")

        until = datetime.datetime.fromisoformat(d.pop("until"))

        mark = cls(
            at=at,
            facts=facts,
            until=until,
        )

        return mark
