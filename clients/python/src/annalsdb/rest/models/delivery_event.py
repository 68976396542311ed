from typing import Literal, cast

DeliveryEvent = Literal[
    "batch.completed",
    "episode.failed",
    "episode.processed",
]


def check_delivery_event(value: str | None) -> DeliveryEvent:
    return cast(DeliveryEvent, value)
