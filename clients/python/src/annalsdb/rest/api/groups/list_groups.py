from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.group_page import GroupPage
from ...models.problem import Problem
from ...types import UNSET, Response


def _get_kwargs(
    *,
    limit: int | None = 100,
    cursor: str | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> GroupPage | Problem:
    if response.status_code == 200:
        response_200 = GroupPage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[GroupPage | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
) -> Response[GroupPage | Problem]:
    """List groups by id

     All of them; those of the key, where it opens only some.

    Args:
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GroupPage | Problem]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
) -> GroupPage | Problem | None:
    """List groups by id

     All of them; those of the key, where it opens only some.

    Args:
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GroupPage | Problem
    """

    return sync_detailed(
        client=client,
        limit=limit,
        cursor=cursor,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
) -> Response[GroupPage | Problem]:
    """List groups by id

     All of them; those of the key, where it opens only some.

    Args:
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GroupPage | Problem]
    """

    kwargs = _get_kwargs(
        limit=limit,
        cursor=cursor,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
) -> GroupPage | Problem | None:
    """List groups by id

     All of them; those of the key, where it opens only some.

    Args:
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GroupPage | Problem
    """

    return (
        await asyncio_detailed(
            client=client,
            limit=limit,
            cursor=cursor,
        )
    ).parsed
