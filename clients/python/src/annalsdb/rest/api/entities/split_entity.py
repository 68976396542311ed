from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.entity import Entity
from ...models.problem import Problem
from ...models.split_off import SplitOff
from ...types import Response


def _get_kwargs(
    group: str,
    entity: str,
    *,
    body: SplitOff,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/entities/{entity}/split".format(
            group=quote(str(group), safe=""),
            entity=quote(str(entity), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Entity | Problem:
    if response.status_code == 201:
        response_201 = Entity.from_dict(response.json())

        return response_201

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
    body: SplitOff,
) -> Response[Entity | Problem]:
    """Make a new entity of some facts of one that was two

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        body (SplitOff):

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
    body: SplitOff,
) -> Entity | Problem | None:
    """Make a new entity of some facts of one that was two

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        body (SplitOff):

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
    body: SplitOff,
) -> Response[Entity | Problem]:
    """Make a new entity of some facts of one that was two

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        body (SplitOff):

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
    body: SplitOff,
) -> Entity | Problem | None:
    """Make a new entity of some facts of one that was two

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        body (SplitOff):

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
