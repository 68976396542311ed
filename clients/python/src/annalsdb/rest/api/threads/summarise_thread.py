from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.summary import Summary
from ...types import Response


def _get_kwargs(
    group: str,
    thread: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/threads/{thread}/summary".format(
            group=quote(str(group), safe=""),
            thread=quote(str(thread), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Summary:
    if response.status_code == 200:
        response_200 = Summary.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Summary]:
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
) -> Response[Problem | Summary]:
    """Extend a conversation's summary by what was said since

     Reading messages does so by itself every twenty of them.

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Summary]
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
) -> Problem | Summary | None:
    """Extend a conversation's summary by what was said since

     Reading messages does so by itself every twenty of them.

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Summary
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
) -> Response[Problem | Summary]:
    """Extend a conversation's summary by what was said since

     Reading messages does so by itself every twenty of them.

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Summary]
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
) -> Problem | Summary | None:
    """Extend a conversation's summary by what was said since

     Reading messages does so by itself every twenty of them.

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Summary
    """

    return (
        await asyncio_detailed(
            group=group,
            thread=thread,
            client=client,
        )
    ).parsed
