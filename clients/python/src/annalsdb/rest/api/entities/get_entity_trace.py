from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.entity_trace import EntityTrace
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    entity: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/entities/{entity}/trace".format(
            group=quote(str(group), safe=""),
            entity=quote(str(entity), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> EntityTrace | Problem:
    if response.status_code == 200:
        response_200 = EntityTrace.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[EntityTrace | Problem]:
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
) -> Response[EntityTrace | Problem]:
    """Tell why an entity is what it is

     With which names it was matched, and who renamed, merged or split it. Of one that is gone, by its
    id.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EntityTrace | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
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
) -> EntityTrace | Problem | None:
    """Tell why an entity is what it is

     With which names it was matched, and who renamed, merged or split it. Of one that is gone, by its
    id.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EntityTrace | Problem
    """

    return sync_detailed(
        group=group,
        entity=entity,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[EntityTrace | Problem]:
    """Tell why an entity is what it is

     With which names it was matched, and who renamed, merged or split it. Of one that is gone, by its
    id.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EntityTrace | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
) -> EntityTrace | Problem | None:
    """Tell why an entity is what it is

     With which names it was matched, and who renamed, merged or split it. Of one that is gone, by its
    id.

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EntityTrace | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            entity=entity,
            client=client,
        )
    ).parsed
