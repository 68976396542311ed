from typing import Literal, cast

ListEpisodesTrust = Literal[
    "all",
    "believed",
    "candidate",
]


def check_list_episodes_trust(value: str | None) -> ListEpisodesTrust:
    return cast(ListEpisodesTrust, value)
