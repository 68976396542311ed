from typing import Literal, cast

NewEventKind = Literal[
    "alert",
    "heartbeat",
    "login",
    "message",
    "upload",
]


def check_new_event_kind(value: str | None) -> NewEventKind:
    return cast(NewEventKind, value)
