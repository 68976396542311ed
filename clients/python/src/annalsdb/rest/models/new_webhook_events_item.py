from typing import Literal, cast

NewWebhookEventsItem = Literal[
    "batch.completed",
    "episode.failed",
    "episode.processed",
]


def check_new_webhook_events_item(value: str | None) -> NewWebhookEventsItem:
    return cast(NewWebhookEventsItem, value)
