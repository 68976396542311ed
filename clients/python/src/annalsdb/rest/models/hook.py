from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.hook_events_item import HookEventsItem, check_hook_events_item

T = TypeVar("T", bound="Hook")


@_attrs_define
class Hook:
    """
    Attributes:
        created_at (datetime.datetime):
        events (list[HookEventsItem]):
        id (str):
        url (str):
    """

    created_at: datetime.datetime
    events: list[HookEventsItem]
    id: str
    url: str

    def to_dict(self) -> dict[str, Any]:
        created_at = self.created_at.isoformat()

        events = []
        for events_item_data in self.events:
            events_item: str = events_item_data
            events.append(events_item)

        id = self.id

        url = self.url

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "created_at": created_at,
                "events": events,
                "id": id,
                "url": url,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        events = []
        _events = d.pop("events")
        for events_item_data in _events:
            events_item = check_hook_events_item(events_item_data)

            events.append(events_item)

        id = d.pop("id")

        url = d.pop("url")

        hook = cls(
            created_at=created_at,
            events=events,
            id=id,
            url=url,
        )

        return hook
