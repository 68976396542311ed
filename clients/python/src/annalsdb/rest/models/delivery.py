from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.delivery_event import DeliveryEvent, check_delivery_event
from ..models.delivery_state import DeliveryState, check_delivery_state
from ..types import UNSET, Unset

T = TypeVar("T", bound="Delivery")


@_attrs_define
class Delivery:
    """
    Attributes:
        attempts (int):
        created_at (datetime.datetime):
        event (DeliveryEvent):
        id (str): Its webhook-id
        state (DeliveryState): waiting: it is tried, or tried again; failed: it is not tried any more
        attempted_at (datetime.datetime | None):
        episode_id (str | None): The episode it is about; left out: several
        error (str | None): Why the last attempt failed
        status (int | None): Of HTTP, of the last answer; left out: there was none
    """

    attempts: int
    created_at: datetime.datetime
    event: DeliveryEvent
    id: str
    state: DeliveryState
    attempted_at: datetime.datetime | None = UNSET
    episode_id: str | None = UNSET
    error: str | None = UNSET
    status: int | None = UNSET

    def to_dict(self) -> dict[str, Any]:
        attempts = self.attempts

        created_at = self.created_at.isoformat()

        event: str = self.event

        id = self.id

        state: str = self.state

        attempted_at: str | None = UNSET
        if not isinstance(self.attempted_at, Unset):
            attempted_at = self.attempted_at.isoformat()

        episode_id = self.episode_id

        error = self.error

        status = self.status

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "attempts": attempts,
                "created_at": created_at,
                "event": event,
                "id": id,
                "state": state,
            }
        )
        if attempted_at is not UNSET:
            field_dict["attempted_at"] = attempted_at
        if episode_id is not UNSET:
            field_dict["episode_id"] = episode_id
        if error is not UNSET:
            field_dict["error"] = error
        if status is not UNSET:
            field_dict["status"] = status

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        attempts = d.pop("attempts")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        event = check_delivery_event(d.pop("event"))

        id = d.pop("id")

        state = check_delivery_state(d.pop("state"))

        _attempted_at = d.pop("attempted_at", UNSET)
        attempted_at: datetime.datetime | None
        if isinstance(_attempted_at, Unset):
            attempted_at = UNSET
        else:
            attempted_at = datetime.datetime.fromisoformat(_attempted_at)

        episode_id = d.pop("episode_id", UNSET)

        error = d.pop("error", UNSET)

        status = d.pop("status", UNSET)

        delivery = cls(
            attempts=attempts,
            created_at=created_at,
            event=event,
            id=id,
            state=state,
            attempted_at=attempted_at,
            episode_id=episode_id,
            error=error,
            status=status,
        )

        return delivery
