from typing import Literal, cast

ListEpisodesState = Literal[
    "done",
    "failed",
    "pending",
    "processing",
]


def check_list_episodes_state(value: str | None) -> ListEpisodesState:
    return cast(ListEpisodesState, value)
