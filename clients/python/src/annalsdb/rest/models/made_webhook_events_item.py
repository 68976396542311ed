from typing import Literal, cast

MadeWebhookEventsItem = Literal[
    "batch.completed",
    "episode.failed",
    "episode.processed",
]


def check_made_webhook_events_item(value: str | None) -> MadeWebhookEventsItem:
    return cast(MadeWebhookEventsItem, value)
