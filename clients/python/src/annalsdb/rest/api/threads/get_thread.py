from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.thread import Thread
from ...types import Response


def _get_kwargs(
    group: str,
    thread: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/threads/{thread}".format(
            group=quote(str(group), safe=""),
            thread=quote(str(thread), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Thread:
    if response.status_code == 200:
        response_200 = Thread.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Thread]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    thread: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Problem | Thread]:
    """Get a conversation and its summary

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Thread]
    """

    kwargs = _get_kwargs(
        group=group,
        thread=thread,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    thread: str,
    *,
    client: AuthenticatedClient | Client,
) -> Problem | Thread | None:
    """Get a conversation and its summary

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Thread
    """

    return sync_detailed(
        group=group,
        thread=thread,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    thread: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Problem | Thread]:
    """Get a conversation and its summary

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Thread]
    """

    kwargs = _get_kwargs(
        group=group,
        thread=thread,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    thread: str,
    *,
    client: AuthenticatedClient | Client,
) -> Problem | Thread | None:
    """Get a conversation and its summary

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Thread
    """

    return (
        await asyncio_detailed(
            group=group,
            thread=thread,
            client=client,
        )
    ).parsed
