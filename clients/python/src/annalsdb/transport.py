"""How requests are sent: with a key, in time, and again where that may help."""

from __future__ import annotations

import os
import uuid
from importlib.metadata import version
from typing import Any

import httpx
from httpx_retries import Retry, RetryTransport

from .errors import Unavailable, error_of

# Reading asks by POST too. Nothing is kept of it, so it needs no key.
READING = ("/search", "/context")


def settings(base_url: str | None, api_key: str | None, timeout: float, retries: int) -> dict[str, Any]:
    """Make the settings that both kinds of httpx clients share."""
    headers = {"User-Agent": f"annalsdb-python/{version('annalsdb')}"}
    if key := os.environ.get("ANNALS_API_KEY") if api_key is None else api_key:
        headers["Authorization"] = f"Bearer {key}"
    retry = Retry(
        total=retries,
        allowed_methods=[*Retry.RETRYABLE_METHODS, "POST", "PATCH"],
        backoff_factor=0.5,
        max_backoff_wait=30,
        validate_response=come_again,
    )
    return {
        "base_url": (base_url or os.environ.get("ANNALS_URL") or "http://127.0.0.1:8080").rstrip("/"),
        "headers": headers,
        "timeout": timeout,
        "transport": Transport(retry=retry),
    }


class Transport(RetryTransport):
    """Sends a request again as ``Retry-After`` says, and says in our words when nobody answers."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return super().handle_request(request)
        except httpx.TransportError as error:
            raise unreachable(request, error) from error

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await super().handle_async_request(request)
        except httpx.TransportError as error:
            raise unreachable(request, error) from error


def unreachable(request: httpx.Request, error: httpx.TransportError) -> Unavailable:
    what = "takes too long to answer" if isinstance(error, httpx.TimeoutException) else f"cannot be reached: {error}"
    return Unavailable(
        f"{request.url.copy_with(path='/')} {what}; is `annals serve` running there?", code="unavailable"
    )


def come_again(response: httpx.Response) -> None:
    """Have a request repeated whose first sending is still being worked on."""
    if response.status_code == httpx.codes.CONFLICT and "Retry-After" in response.headers:
        raise httpx.RemoteProtocolError("the first request is being worked on", request=response.request)


def do_once(request: httpx.Request) -> None:
    """Give a POST a word of its own, so that it is done once however often it is sent."""
    if request.method == "POST" and not request.url.path.endswith(READING):
        request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))


async def do_once_async(request: httpx.Request) -> None:
    do_once(request)


def refuse(response: httpx.Response) -> None:
    """Raise what a problem document says."""
    if response.is_error:
        response.read()
        raise error_of(response)


async def refuse_async(response: httpx.Response) -> None:
    if response.is_error:
        await response.aread()
        raise error_of(response)
