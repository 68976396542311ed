from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="Waiting")


@_attrs_define
class Waiting:
    """
    Attributes:
        deferred (int): That were kept from the model
        failed (int): That could not be read; a retry reads them again
        oldest (datetime.datetime | None): When the first of those that wait was added; null: none waits
        pending (int):
        processing (int):
    """

    deferred: int
    failed: int
    oldest: datetime.datetime | None
    pending: int
    processing: int

    def to_dict(self) -> dict[str, Any]:
        deferred = self.deferred

        failed = self.failed

        oldest: None | str
        if isinstance(self.oldest, datetime.datetime):
            oldest = self.oldest.isoformat()
        else:
            oldest = self.oldest

        pending = self.pending

        processing = self.processing

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "deferred": deferred,
                "failed": failed,
                "oldest": oldest,
                "pending": pending,
                "processing": processing,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        deferred = d.pop("deferred")

        failed = d.pop("failed")

        def _parse_oldest(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                oldest_type_0 = datetime.datetime.fromisoformat(data)

                return oldest_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        oldest = _parse_oldest(d.pop("oldest"))

        pending = d.pop("pending")

        processing = d.pop("processing")

        waiting = cls(
            deferred=deferred,
            failed=failed,
            oldest=oldest,
            pending=pending,
            processing=processing,
        )

        return waiting
