from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.mark_change import MarkChange
from ...models.marked_things import MarkedThings
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    *,
    body: MarkChange,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/marks".format(
            group=quote(str(group), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> MarkedThings | Problem:
    if response.status_code == 200:
        response_200 = MarkedThings.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[MarkedThings | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: MarkChange,
) -> Response[MarkedThings | Problem]:
    """Let facts and episodes expire, pin them, or say how they were found

     Each who judges has one word on each fact and episode; it moves their scores by a fifth at the most.
    What expires is hidden from that time on, with what only it supports, and taken out soon after.

    Args:
        group (str): The memory
        body (MarkChange):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MarkedThings | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: MarkChange,
) -> MarkedThings | Problem | None:
    """Let facts and episodes expire, pin them, or say how they were found

     Each who judges has one word on each fact and episode; it moves their scores by a fifth at the most.
    What expires is hidden from that time on, with what only it supports, and taken out soon after.

    Args:
        group (str): The memory
        body (MarkChange):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MarkedThings | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: MarkChange,
) -> Response[MarkedThings | Problem]:
    """Let facts and episodes expire, pin them, or say how they were found

     Each who judges has one word on each fact and episode; it moves their scores by a fifth at the most.
    What expires is hidden from that time on, with what only it supports, and taken out soon after.

    Args:
        group (str): The memory
        body (MarkChange):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MarkedThings | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: MarkChange,
) -> MarkedThings | Problem | None:
    """Let facts and episodes expire, pin them, or say how they were found

     Each who judges has one word on each fact and episode; it moves their scores by a fifth at the most.
    What expires is hidden from that time on, with what only it supports, and taken out soon after.

    Args:
        group (str): The memory
        body (MarkChange):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MarkedThings | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
        )
    ).parsed
