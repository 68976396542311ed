"""What can go wrong, as exceptions that say which field it is about and what to do."""

from __future__ import annotations

from dataclasses import dataclass

import httpx


@dataclass(frozen=True)
class Fault:
    """What is wrong with one input."""

    message: str
    field: str


class AnnalsError(Exception):
    """A request that was not done. The text says what happened and what to do.

    ``code`` is for programs and ``status`` the HTTP status; ``field`` names the first input at fault, ``faults`` has
    all of them; ``request_id`` is in the log of the service.
    """

    def __init__(
        self,
        advice: str,
        *,
        code: str = "",
        status: int = 0,
        faults: tuple[Fault, ...] = (),
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(advice)
        self.advice = advice
        self.code = code
        self.status = status
        self.faults = faults
        self.retry_after = retry_after
        self.request_id = request_id

    @property
    def field(self) -> str | None:
        """Name the first input at fault, as in ``limit`` or ``line[4].content``."""
        return self.faults[0].field if self.faults else None


class InvalidInput(AnnalsError):
    """The input breaks a rule; ``faults`` has each input and its limit."""


class Unauthorized(AnnalsError):
    """The key is missing, wrong, expired or revoked."""


class Forbidden(AnnalsError):
    """The key has not the right to do this."""


class NotFound(AnnalsError):
    """It is not there, or the key does not open it."""


class Conflict(AnnalsError):
    """What is stored forbids it."""


class Changed(AnnalsError):
    """It was changed since it was read."""


class TooLarge(AnnalsError):
    """The body is over a limit."""


class RateLimited(AnnalsError):
    """The key makes more requests than it may, also after waiting as the service said."""


class Unavailable(AnnalsError):
    """The service or its database cannot be reached, also after trying again."""


class ServiceFailed(AnnalsError):
    """A defect of the service; its log has the request's id and what."""


class NotRead(AnnalsError):
    """An episode is stored, but could not be read into the graph, or not in time."""


KINDS: dict[int, type[AnnalsError]] = {
    400: InvalidInput,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: Changed,
    413: TooLarge,
    422: InvalidInput,
    429: RateLimited,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def error_of(response: httpx.Response) -> AnnalsError:
    """Make the exception of an answer that is a problem document (RFC 9457), or of what a proxy said instead."""
    status = response.status_code
    kind = KINDS.get(status, ServiceFailed if status >= 500 else AnnalsError)
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict) or "code" not in problem:
        problem = {"detail": f"{response.url} answers {status} {response.reason_phrase}; is it the address of Annals?"}
    faults = tuple(
        Fault(fault.get("message", ""), place(fault.get("location", ""))) for fault in problem.get("errors") or ()
    )
    advice = problem.get("detail") or problem.get("title", "")
    wait = response.headers.get("Retry-After", "")
    return kind(
        "; ".join([advice, *(f"{fault.field}: {fault.message}" for fault in faults if fault.message not in advice)]),
        code=problem.get("code", ""),
        status=status,
        faults=faults,
        retry_after=float(wait) if wait.isdigit() else None,
        request_id=response.headers.get("X-Request-Id"),
    )


def place(location: str) -> str:
    """Name a field without the part of the request that it stands in: limit for body.limit."""
    return location.partition(".")[2] or location
