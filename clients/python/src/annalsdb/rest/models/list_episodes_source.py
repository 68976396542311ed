from typing import Literal, cast

ListEpisodesSource = Literal[
    "json",
    "message",
    "run",
    "text",
]


def check_list_episodes_source(value: str | None) -> ListEpisodesSource:
    return cast(ListEpisodesSource, value)
