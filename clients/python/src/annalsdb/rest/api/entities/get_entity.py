from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.entity import Entity
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    entity: str,
    *,
    known_at: str | None = UNSET,
    if_none_match: str | None = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_none_match, Unset):
        headers["If-None-Match"] = if_none_match

    params: dict[str, Any] = {}

    params["known_at"] = known_at

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/entities/{entity}".format(
            group=quote(str(group), safe=""),
            entity=quote(str(entity), safe=""),
        ),
        "params": params,
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Entity | Problem:
    if response.status_code == 200:
        response_200 = Entity.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Entity | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    if_none_match: str | None = UNSET,
) -> Response[Entity | Problem]:
    """Get an entity

     An id that was merged away stands for the entity it went into.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        known_at (str | None): As we believed it at this time
        if_none_match (str | None): The ETag that is known: 304 where it still is the one

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Entity | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
        known_at=known_at,
        if_none_match=if_none_match,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    if_none_match: str | None = UNSET,
) -> Entity | Problem | None:
    """Get an entity

     An id that was merged away stands for the entity it went into.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        known_at (str | None): As we believed it at this time
        if_none_match (str | None): The ETag that is known: 304 where it still is the one

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Entity | Problem
    """

    return sync_detailed(
        group=group,
        entity=entity,
        client=client,
        known_at=known_at,
        if_none_match=if_none_match,
    ).parsed


async def asyncio_detailed(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    if_none_match: str | None = UNSET,
) -> Response[Entity | Problem]:
    """Get an entity

     An id that was merged away stands for the entity it went into.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        known_at (str | None): As we believed it at this time
        if_none_match (str | None): The ETag that is known: 304 where it still is the one

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Entity | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
        known_at=known_at,
        if_none_match=if_none_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    if_none_match: str | None = UNSET,
) -> Entity | Problem | None:
    """Get an entity

     An id that was merged away stands for the entity it went into.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        known_at (str | None): As we believed it at this time
        if_none_match (str | None): The ETag that is known: 304 where it still is the one

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Entity | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            entity=entity,
            client=client,
            known_at=known_at,
            if_none_match=if_none_match,
        )
    ).parsed
