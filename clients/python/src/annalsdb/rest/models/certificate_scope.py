from typing import Literal, cast

CertificateScope = Literal[
    "entity",
    "episode",
    "group",
    "user",
]


def check_certificate_scope(value: str | None) -> CertificateScope:
    return cast(CertificateScope, value)
