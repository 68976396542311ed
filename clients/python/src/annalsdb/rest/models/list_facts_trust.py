from typing import Literal, cast

ListFactsTrust = Literal[
    "all",
    "believed",
    "candidate",
    "disputed",
]


def check_list_facts_trust(value: str | None) -> ListFactsTrust:
    return cast(ListFactsTrust, value)
