from typing import Literal, cast

TracedVersionTrust = Literal[
    "believed",
    "candidate",
    "disputed",
]


def check_traced_version_trust(value: str | None) -> TracedVersionTrust:
    return cast(TracedVersionTrust, value)
