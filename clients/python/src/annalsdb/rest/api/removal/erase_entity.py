from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.removed import Removed
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    entity: str,
    *,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["any_reader"] = any_reader

    params["dry_run"] = dry_run

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/groups/{group}/entities/{entity}".format(
            group=quote(str(group), safe=""),
            entity=quote(str(entity), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Removed:
    if response.status_code == 200:
        response_200 = Removed.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Removed]:
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
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> Response[Problem | Removed]:
    """Erase an entity for good, with the episodes that name it

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        any_reader (bool | None): Let the present model judge later episodes that another one
            read; else they are refused
        dry_run (bool | None): Do nothing, and tell what would be done

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Removed]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
        any_reader=any_reader,
        dry_run=dry_run,
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
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> Problem | Removed | None:
    """Erase an entity for good, with the episodes that name it

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        any_reader (bool | None): Let the present model judge later episodes that another one
            read; else they are refused
        dry_run (bool | None): Do nothing, and tell what would be done

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Removed
    """

    return sync_detailed(
        group=group,
        entity=entity,
        client=client,
        any_reader=any_reader,
        dry_run=dry_run,
    ).parsed


async def asyncio_detailed(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> Response[Problem | Removed]:
    """Erase an entity for good, with the episodes that name it

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        any_reader (bool | None): Let the present model judge later episodes that another one
            read; else they are refused
        dry_run (bool | None): Do nothing, and tell what would be done

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Removed]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
        any_reader=any_reader,
        dry_run=dry_run,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    entity: str,
    *,
    client: AuthenticatedClient | Client,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> Problem | Removed | None:
    """Erase an entity for good, with the episodes that name it

    Args:
        group (str): The memory
        entity (str): Its id, or a name that only one entity goes by
        any_reader (bool | None): Let the present model judge later episodes that another one
            read; else they are refused
        dry_run (bool | None): Do nothing, and tell what would be done

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Removed
    """

    return (
        await asyncio_detailed(
            group=group,
            entity=entity,
            client=client,
            any_reader=any_reader,
            dry_run=dry_run,
        )
    ).parsed
