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
    episode: str,
    *,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
    erase: bool | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["any_reader"] = any_reader

    params["dry_run"] = dry_run

    params["erase"] = erase

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/groups/{group}/episodes/{episode}".format(
            group=quote(str(group), safe=""),
            episode=quote(str(episode), safe=""),
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
    episode: str,
    *,
    client: AuthenticatedClient | Client,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
    erase: bool | None = UNSET,
) -> Response[Problem | Removed]:
    """Undo an episode, or erase it

     The group believes what it would without it: what only it supports goes, what it ended holds again.
    The history keeps what was believed until now, unless it is erased: then every trace goes for good.

    Args:
        group (str): The memory
        episode (str):
        any_reader (bool | None): Let the present model judge later episodes that another one
            read; else they are refused
        dry_run (bool | None): Do nothing, and tell what would be done
        erase (bool | None): Remove it from the history too, for good

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Removed]
    """

    kwargs = _get_kwargs(
        group=group,
        episode=episode,
        any_reader=any_reader,
        dry_run=dry_run,
        erase=erase,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    episode: str,
    *,
    client: AuthenticatedClient | Client,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
    erase: bool | None = UNSET,
) -> Problem | Removed | None:
    """Undo an episode, or erase it

     The group believes what it would without it: what only it supports goes, what it ended holds again.
    The history keeps what was believed until now, unless it is erased: then every trace goes for good.

    Args:
        group (str): The memory
        episode (str):
        any_reader (bool | None): Let the present model judge later episodes that another one
            read; else they are refused
        dry_run (bool | None): Do nothing, and tell what would be done
        erase (bool | None): Remove it from the history too, for good

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Removed
    """

    return sync_detailed(
        group=group,
        episode=episode,
        client=client,
        any_reader=any_reader,
        dry_run=dry_run,
        erase=erase,
    ).parsed


async def asyncio_detailed(
    group: str,
    episode: str,
    *,
    client: AuthenticatedClient | Client,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
    erase: bool | None = UNSET,
) -> Response[Problem | Removed]:
    """Undo an episode, or erase it

     The group believes what it would without it: what only it supports goes, what it ended holds again.
    The history keeps what was believed until now, unless it is erased: then every trace goes for good.

    Args:
        group (str): The memory
        episode (str):
        any_reader (bool | None): Let the present model judge later episodes that another one
            read; else they are refused
        dry_run (bool | None): Do nothing, and tell what would be done
        erase (bool | None): Remove it from the history too, for good

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Removed]
    """

    kwargs = _get_kwargs(
        group=group,
        episode=episode,
        any_reader=any_reader,
        dry_run=dry_run,
        erase=erase,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    episode: str,
    *,
    client: AuthenticatedClient | Client,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
    erase: bool | None = UNSET,
) -> Problem | Removed | None:
    """Undo an episode, or erase it

     The group believes what it would without it: what only it supports goes, what it ended holds again.
    The history keeps what was believed until now, unless it is erased: then every trace goes for good.

    Args:
        group (str): The memory
        episode (str):
        any_reader (bool | None): Let the present model judge later episodes that another one
            read; else they are refused
        dry_run (bool | None): Do nothing, and tell what would be done
        erase (bool | None): Remove it from the history too, for good

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Removed
    """

    return (
        await asyncio_detailed(
            group=group,
            episode=episode,
            client=client,
            any_reader=any_reader,
            dry_run=dry_run,
            erase=erase,
        )
    ).parsed
