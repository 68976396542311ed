from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.change_event import ChangeEvent, check_change_event

T = TypeVar("T", bound="Change")


@_attrs_define
class Change:
    """
    Attributes:
        at (datetime.datetime):
        event (ChangeEvent):
        fact_id (str):
        recorded_at (datetime.datetime):
        words (str):
    """

    at: datetime.datetime
    event: ChangeEvent
    fact_id: str
    recorded_at: datetime.datetime
    words: str

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        event: str = self.event

        fact_id = self.fact_id

        recorded_at = self.recorded_at.isoformat()

        words = self.words

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "event": event,
                "fact_id": fact_id,
                "recorded_at": recorded_at,
                "words": words,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        event = check_change_event(d.pop("event"))

        fact_id = d.pop("fact_id")

        recorded_at = datetime.datetime.fromisoformat(d.pop("recorded_at"))

        words = d.pop("words")

        change = cls(
            at=at,
            event=event,
            fact_id=fact_id,
            recorded_at=recorded_at,
            words=words,
        )

        return change
