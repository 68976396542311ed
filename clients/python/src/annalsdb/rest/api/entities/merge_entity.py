from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.entity import Entity
from ...models.merge_into import MergeInto
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    entity: str,
    *,
    body: MergeInto,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/entities/{entity}/merge".format(
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
    body: MergeInto,
) -> Response[Entity | Problem]:
    """Make an entity part of another

     The other takes over its names, types, attributes, facts and mentions; its id goes on standing for
    it.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        body (MergeInto):

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
    body: MergeInto,
) -> Entity | Problem | None:
    """Make an entity part of another

     The other takes over its names, types, attributes, facts and mentions; its id goes on standing for
    it.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        body (MergeInto):

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
    ).parsed


async def asyncio_detailed(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    body: MergeInto,
) -> Response[Entity | Problem]:
    """Make an entity part of another

     The other takes over its names, types, attributes, facts and mentions; its id goes on standing for
    it.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        body (MergeInto):

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
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    body: MergeInto,
) -> Entity | Problem | None:
    """Make an entity part of another

     The other takes over its names, types, attributes, facts and mentions; its id goes on standing for
    it.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        body (MergeInto):

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
        )
    ).parsed
