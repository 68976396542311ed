from typing import Literal, cast

WhoamiAuthority = Literal[
    "assistant",
    "document",
    "person",
    "user",
]


def check_whoami_authority(value: str | None) -> WhoamiAuthority:
    return cast(WhoamiAuthority, value)
