from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.audit_page import AuditPage
from ...models.problem import Problem
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
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
        "url": "/v1/groups/{group}/audit".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> AuditPage | Problem:
    if response.status_code == 200:
        response_200 = AuditPage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[AuditPage | Problem]:
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
    cursor: str | None = UNSET,
) -> Response[AuditPage | Problem]:
    """List who changed, undid and erased, the first first

     Each entry has the hash of the one before it. The manual says how to check them without Annals.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AuditPage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
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
    cursor: str | None = UNSET,
) -> AuditPage | Problem | None:
    """List who changed, undid and erased, the first first

     Each entry has the hash of the one before it. The manual says how to check them without Annals.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AuditPage | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        limit=limit,
        cursor=cursor,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
) -> Response[AuditPage | Problem]:
    """List who changed, undid and erased, the first first

     Each entry has the hash of the one before it. The manual says how to check them without Annals.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AuditPage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
) -> AuditPage | Problem | None:
    """List who changed, undid and erased, the first first

     Each entry has the hash of the one before it. The manual says how to check them without Annals.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AuditPage | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            limit=limit,
            cursor=cursor,
        )
    ).parsed
