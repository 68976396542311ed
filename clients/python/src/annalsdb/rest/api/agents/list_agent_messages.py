from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.message_page import MessagePage
from ...models.problem import Problem
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    agent: str,
    *,
    first: int | None = 1,
    limit: int | None = 100,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["first"] = first

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/agents/{agent}/messages".format(
            group=quote(str(group), safe=""),
            agent=quote(str(agent), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> MessagePage | Problem:
    if response.status_code == 200:
        response_200 = MessagePage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[MessagePage | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    first: int | None = 1,
    limit: int | None = 100,
) -> Response[MessagePage | Problem]:
    """List all that an agent remembers, in order

    Args:
        group (str): The memory
        agent (str): Its name or id
        first (int | None): The number of the first message Default: 1.
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MessagePage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        first=first,
        limit=limit,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    first: int | None = 1,
    limit: int | None = 100,
) -> MessagePage | Problem | None:
    """List all that an agent remembers, in order

    Args:
        group (str): The memory
        agent (str): Its name or id
        first (int | None): The number of the first message Default: 1.
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MessagePage | Problem
    """

    return sync_detailed(
        group=group,
        agent=agent,
        client=client,
        first=first,
        limit=limit,
    ).parsed


async def asyncio_detailed(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    first: int | None = 1,
    limit: int | None = 100,
) -> Response[MessagePage | Problem]:
    """List all that an agent remembers, in order

    Args:
        group (str): The memory
        agent (str): Its name or id
        first (int | None): The number of the first message Default: 1.
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MessagePage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        first=first,
        limit=limit,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    first: int | None = 1,
    limit: int | None = 100,
) -> MessagePage | Problem | None:
    """List all that an agent remembers, in order

    Args:
        group (str): The memory
        agent (str): Its name or id
        first (int | None): The number of the first message Default: 1.
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MessagePage | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            agent=agent,
            client=client,
            first=first,
            limit=limit,
        )
    ).parsed
