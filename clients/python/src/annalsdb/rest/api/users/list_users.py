from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.user_page import UserPage
from ...types import UNSET, Response


def _get_kwargs(
    *,
    search: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 100,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["search"] = search

    params["skip"] = skip

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/users",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | UserPage:
    if response.status_code == 200:
        response_200 = UserPage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | UserPage]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient | Client,
    search: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 100,
) -> Response[Problem | UserPage]:
    """List users, the newest first

     All of them; those of the key, where it opens only some.

    Args:
        search (str | None): A part of an id, a name or an address
        skip (int | None): Of those before
        limit (int | None):  Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | UserPage]
    """

    kwargs = _get_kwargs(
        search=search,
        skip=skip,
        limit=limit,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient | Client,
    search: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 100,
) -> Problem | UserPage | None:
    """List users, the newest first

     All of them; those of the key, where it opens only some.

    Args:
        search (str | None): A part of an id, a name or an address
        skip (int | None): Of those before
        limit (int | None):  Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | UserPage
    """

    return sync_detailed(
        client=client,
        search=search,
        skip=skip,
        limit=limit,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient | Client,
    search: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 100,
) -> Response[Problem | UserPage]:
    """List users, the newest first

     All of them; those of the key, where it opens only some.

    Args:
        search (str | None): A part of an id, a name or an address
        skip (int | None): Of those before
        limit (int | None):  Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | UserPage]
    """

    kwargs = _get_kwargs(
        search=search,
        skip=skip,
        limit=limit,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient | Client,
    search: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 100,
) -> Problem | UserPage | None:
    """List users, the newest first

     All of them; those of the key, where it opens only some.

    Args:
        search (str | None): A part of an id, a name or an address
        skip (int | None): Of those before
        limit (int | None):  Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | UserPage
    """

    return (
        await asyncio_detailed(
            client=client,
            search=search,
            skip=skip,
            limit=limit,
        )
    ).parsed
