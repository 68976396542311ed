from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.learned_list import LearnedList
from ...models.problem import Problem
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    episode: list[str],
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_episode = episode

    params["episode"] = json_episode

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/learned".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> LearnedList | Problem:
    if response.status_code == 200:
        response_200 = LearnedList.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[LearnedList | Problem]:
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
    episode: list[str],
) -> Response[LearnedList | Problem]:
    """List what was learned from episodes

    Args:
        group (str): The memory
        episode (list[str]): Ids of episodes

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[LearnedList | Problem]
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
    *,
    client: AuthenticatedClient | Client,
    episode: list[str],
) -> LearnedList | Problem | None:
    """List what was learned from episodes

    Args:
        group (str): The memory
        episode (list[str]): Ids of episodes

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        LearnedList | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        episode=episode,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    episode: list[str],
) -> Response[LearnedList | Problem]:
    """List what was learned from episodes

    Args:
        group (str): The memory
        episode (list[str]): Ids of episodes

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[LearnedList | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        episode=episode,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    episode: list[str],
) -> LearnedList | Problem | None:
    """List what was learned from episodes

    Args:
        group (str): The memory
        episode (list[str]): Ids of episodes

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        LearnedList | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            episode=episode,
        )
    ).parsed
