from typing import Literal, cast

WhoamiRights = Literal[
    "erase",
    "read",
    "write",
]


def check_whoami_rights(value: str | None) -> WhoamiRights:
    return cast(WhoamiRights, value)
