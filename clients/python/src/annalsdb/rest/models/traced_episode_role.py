from typing import Literal, cast

TracedEpisodeRole = Literal[
    "corrected",
    "ends",
    "former",
    "states",
]


def check_traced_episode_role(value: str | None) -> TracedEpisodeRole:
    return cast(TracedEpisodeRole, value)
