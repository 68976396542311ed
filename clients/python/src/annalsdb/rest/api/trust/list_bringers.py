from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.bringers_body import BringersBody
from ...models.problem import Problem
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    limit: int | None = 100,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/review/brought".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> BringersBody | Problem:
    if response.status_code == 200:
        response_200 = BringersBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[BringersBody | Problem]:
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
    limit: int | None = 100,
) -> Response[BringersBody | Problem]:
    """List the sources, runs and days that brought something, the latest first

     With how many episodes each brought, among the latest 10,000.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[BringersBody | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
) -> BringersBody | Problem | None:
    """List the sources, runs and days that brought something, the latest first

     With how many episodes each brought, among the latest 10,000.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        BringersBody | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        limit=limit,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
) -> Response[BringersBody | Problem]:
    """List the sources, runs and days that brought something, the latest first

     With how many episodes each brought, among the latest 10,000.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[BringersBody | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
) -> BringersBody | Problem | None:
    """List the sources, runs and days that brought something, the latest first

     With how many episodes each brought, among the latest 10,000.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        BringersBody | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            limit=limit,
        )
    ).parsed
