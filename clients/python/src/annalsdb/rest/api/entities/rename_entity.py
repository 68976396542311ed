from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.entity import Entity
from ...models.entity_change import EntityChange
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    entity: str,
    *,
    body: EntityChange,
    if_match: str | None = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/v1/groups/{group}/entities/{entity}".format(
            group=quote(str(group), safe=""),
            entity=quote(str(entity), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

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
    body: EntityChange,
    if_match: str | None = UNSET,
) -> Response[Entity | Problem]:
    """Give an entity another name

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (EntityChange):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Entity | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
        body=body,
        if_match=if_match,
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
    body: EntityChange,
    if_match: str | None = UNSET,
) -> Entity | Problem | None:
    """Give an entity another name

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (EntityChange):

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
        body=body,
        if_match=if_match,
    ).parsed


async def asyncio_detailed(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    body: EntityChange,
    if_match: str | None = UNSET,
) -> Response[Entity | Problem]:
    """Give an entity another name

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (EntityChange):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Entity | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
        body=body,
        if_match=if_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    body: EntityChange,
    if_match: str | None = UNSET,
) -> Entity | Problem | None:
    """Give an entity another name

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (EntityChange):

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
            body=body,
            if_match=if_match,
        )
    ).parsed
