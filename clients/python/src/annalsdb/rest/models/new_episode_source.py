from typing import Literal, cast

NewEpisodeSource = Literal[
    "json",
    "message",
    "run",
    "text",
]


def check_new_episode_source(value: str | None) -> NewEpisodeSource:
    return cast(NewEpisodeSource, value)
