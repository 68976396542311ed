from typing import Literal, cast

DeliveryState = Literal[
    "delivered",
    "failed",
    "waiting",
]


def check_delivery_state(value: str | None) -> DeliveryState:
    return cast(DeliveryState, value)
