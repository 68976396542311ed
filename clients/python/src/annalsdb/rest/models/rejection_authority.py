from typing import Literal, cast

RejectionAuthority = Literal[
    "assistant",
    "document",
    "person",
    "user",
]


def check_rejection_authority(value: str | None) -> RejectionAuthority:
    return cast(RejectionAuthority, value)
