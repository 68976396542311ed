from typing import Literal, cast

BringerBy = Literal[
    "day",
    "run_id",
    "source",
]


def check_bringer_by(value: str | None) -> BringerBy:
    return cast(BringerBy, value)
