from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.episode import Episode
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    episode: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/episodes/{episode}".format(
            group=quote(str(group), safe=""),
            episode=quote(str(episode), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Episode | Problem:
    if response.status_code == 200:
        response_200 = Episode.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Episode | Problem]:
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
) -> Response[Episode | Problem]:
    """Get an episode and its state

    Args:
        group (str): The memory
        episode (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Episode | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        episode=episode,
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
) -> Episode | Problem | None:
    """Get an episode and its state

    Args:
        group (str): The memory
        episode (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Episode | Problem
    """

    return sync_detailed(
        group=group,
        episode=episode,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    episode: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Episode | Problem]:
    """Get an episode and its state

    Args:
        group (str): The memory
        episode (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Episode | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        episode=episode,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    episode: str,
    *,
    client: AuthenticatedClient | Client,
) -> Episode | Problem | None:
    """Get an episode and its state

    Args:
        group (str): The memory
        episode (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Episode | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            episode=episode,
            client=client,
        )
    ).parsed
