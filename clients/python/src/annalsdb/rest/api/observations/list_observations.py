from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.observation_page import ObservationPage
from ...models.problem import Problem
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    include_ended: bool | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    params["known_at"] = known_at

    params["as_of"] = as_of

    params["entity"] = entity

    params["include_ended"] = include_ended

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/observations".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ObservationPage | Problem:
    if response.status_code == 200:
        response_200 = ObservationPage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ObservationPage | Problem]:
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
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    include_ended: bool | None = UNSET,
) -> Response[ObservationPage | Problem]:
    """List what several facts together show, that with most proof first

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        entity (str | None): Only those of this entity, by its id or name
        include_ended (bool | None): Also those that hold no longer

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ObservationPage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
        known_at=known_at,
        as_of=as_of,
        entity=entity,
        include_ended=include_ended,
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
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    include_ended: bool | None = UNSET,
) -> ObservationPage | Problem | None:
    """List what several facts together show, that with most proof first

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        entity (str | None): Only those of this entity, by its id or name
        include_ended (bool | None): Also those that hold no longer

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ObservationPage | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        limit=limit,
        cursor=cursor,
        known_at=known_at,
        as_of=as_of,
        entity=entity,
        include_ended=include_ended,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    include_ended: bool | None = UNSET,
) -> Response[ObservationPage | Problem]:
    """List what several facts together show, that with most proof first

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        entity (str | None): Only those of this entity, by its id or name
        include_ended (bool | None): Also those that hold no longer

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ObservationPage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
        known_at=known_at,
        as_of=as_of,
        entity=entity,
        include_ended=include_ended,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    include_ended: bool | None = UNSET,
) -> ObservationPage | Problem | None:
    """List what several facts together show, that with most proof first

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        entity (str | None): Only those of this entity, by its id or name
        include_ended (bool | None): Also those that hold no longer

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ObservationPage | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            limit=limit,
            cursor=cursor,
            known_at=known_at,
            as_of=as_of,
            entity=entity,
            include_ended=include_ended,
        )
    ).parsed
