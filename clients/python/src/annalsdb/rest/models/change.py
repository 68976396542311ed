from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.change_basis import ChangeBasis, check_change_basis
from ..models.change_event import ChangeEvent, check_change_event

T = TypeVar("T", bound="Change")


@_attrs_define
class Change:
    """
    Attributes:
        at (datetime.datetime): Of a week, month, year … its first moment, or the last where it ended
        basis (ChangeBasis): said: it held, or was over, by then
        event (ChangeEvent): planned: it is to come, or was, and nobody has said that it came
        fact_id (str):
        precision (str): instant, day, week, month, season, year or decade
        recorded_at (datetime.datetime):
        when (str): What is known of the time, in words
        words (str):
    """

    at: datetime.datetime
    basis: ChangeBasis
    event: ChangeEvent
    fact_id: str
    precision: str
    recorded_at: datetime.datetime
    when: str
    words: str

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        basis: str = self.basis

        event: str = self.event

        fact_id = self.fact_id

        precision = self.precision

        recorded_at = self.recorded_at.isoformat()

        when = self.when

        words = self.words

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "basis": basis,
                "event": event,
                "fact_id": fact_id,
                "precision": precision,
                "recorded_at": recorded_at,
                "when": when,
                "words": words,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        basis = check_change_basis(d.pop("basis"))

        event = check_change_event(d.pop("event"))

        fact_id = d.pop("fact_id")

        precision = d.pop("precision")

        recorded_at = datetime.datetime.fromisoformat(d.pop("recorded_at"))

        when = d.pop("when")

        words = d.pop("words")

        change = cls(
            at=at,
            basis=basis,
            event=event,
            fact_id=fact_id,
            precision=precision,
            recorded_at=recorded_at,
            when=when,
            words=words,
        )

        return change
