from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.new_webhook_events_item import (
    NewWebhookEventsItem,
    check_new_webhook_events_item,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="NewWebhook")


@_attrs_define
class NewWebhook:
    """
    Attributes:
        url (str): https, of a public address, unless the operator allows others
        events (list[NewWebhookEventsItem] | None): What to be told of; left out: all
    """

    url: str
    events: list[NewWebhookEventsItem] | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        url = self.url

        events: list[str] | None = UNSET
        if not isinstance(self.events, Unset):
            events = []
            for events_item_data in self.events:
                events_item: str = events_item_data
                events.append(events_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "url": url,
            }
        )
        if events is not UNSET:
            field_dict["events"] = events

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        url = d.pop("url")

        _events = d.pop("events", UNSET)
        events: list[NewWebhookEventsItem] | None = UNSET
        if _events is not UNSET:
            events = []
            for events_item_data in _events:
                events_item = check_new_webhook_events_item(events_item_data)

                events.append(events_item)

        new_webhook = cls(
            url=url,
            events=events,
        )

        return new_webhook
