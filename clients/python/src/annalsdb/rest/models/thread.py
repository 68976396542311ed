from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="Thread")


@_attrs_define
class Thread:
    """
    Attributes:
        id (str):
        last_at (datetime.datetime):
        messages (int):
        metadata (Any): Yours
        summary (str): What was said in it, in short; empty: it is not yet long enough
        unsummarised (int): Messages since the summary
        created_at (datetime.datetime | None): When it was made; left out: it is known by its messages alone
    """

    id: str
    last_at: datetime.datetime
    messages: int
    metadata: Any
    summary: str
    unsummarised: int
    created_at: datetime.datetime | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        last_at = self.last_at.isoformat()

        messages = self.messages

        metadata = self.metadata

        summary = self.summary

        unsummarised = self.unsummarised

        created_at: str | None = UNSET
        if not isinstance(self.created_at, Unset):
            created_at = self.created_at.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "last_at": last_at,
                "messages": messages,
                "metadata": metadata,
                "summary": summary,
                "unsummarised": unsummarised,
            }
        )
        if created_at is not UNSET:
            field_dict["created_at"] = created_at

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        last_at = datetime.datetime.fromisoformat(d.pop("last_at"))

        messages = d.pop("messages")

        metadata = d.pop("metadata")

        summary = d.pop("summary")

        unsummarised = d.pop("unsummarised")

        _created_at = d.pop("created_at", UNSET)
        created_at: datetime.datetime | None
        if isinstance(_created_at, Unset):
            created_at = UNSET
        else:
            created_at = datetime.datetime.fromisoformat(_created_at)

        thread = cls(
            id=id,
            last_at=last_at,
            messages=messages,
            metadata=metadata,
            summary=summary,
            unsummarised=unsummarised,
            created_at=created_at,
        )

        return thread
