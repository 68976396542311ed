from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET

if TYPE_CHECKING:
    from ..models.thread import Thread


T = TypeVar("T", bound="ThreadPage")


@_attrs_define
class ThreadPage:
    """
    Attributes:
        threads (list[Thread]):
        next_cursor (str | None): For the next page; left out: this is the last
    """

    threads: list[Thread]
    next_cursor: str | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        threads = []
        for threads_item_data in self.threads:
            threads_item = threads_item_data.to_dict()
            threads.append(threads_item)

        next_cursor = self.next_cursor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "threads": threads,
            }
        )
        if next_cursor is not UNSET:
            field_dict["next_cursor"] = next_cursor

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.thread import Thread

        d = dict(src_dict)
        threads = []
        _threads = d.pop("threads")
        for threads_item_data in _threads:
            threads_item = Thread.from_dict(threads_item_data)

            threads.append(threads_item)

        next_cursor = d.pop("next_cursor", UNSET)

        thread_page = cls(
            threads=threads,
            next_cursor=next_cursor,
        )

        return thread_page
