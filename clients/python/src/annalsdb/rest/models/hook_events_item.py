from typing import Literal, cast

HookEventsItem = Literal[
    "batch.completed",
    "episode.failed",
    "episode.processed",
]


def check_hook_events_item(value: str | None) -> HookEventsItem:
    return cast(HookEventsItem, value)
