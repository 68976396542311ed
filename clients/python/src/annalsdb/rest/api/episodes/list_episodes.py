from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.episode_page import EpisodePage
from ...models.list_episodes_source import (
    ListEpisodesSource,
)
from ...models.list_episodes_state import ListEpisodesState
from ...models.list_episodes_trust import ListEpisodesTrust
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    *,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    state: ListEpisodesState | None = UNSET,
    thread_id: str | None = UNSET,
    source: ListEpisodesSource | None = UNSET,
    trust: ListEpisodesTrust | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    json_state: str | None = UNSET
    if not isinstance(state, Unset):
        json_state = state

    params["state"] = json_state

    params["thread_id"] = thread_id

    json_source: str | None = UNSET
    if not isinstance(source, Unset):
        json_source = source

    params["source"] = json_source

    json_trust: str | None = UNSET
    if not isinstance(trust, Unset):
        json_trust = trust

    params["trust"] = json_trust

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/episodes".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> EpisodePage | Problem:
    if response.status_code == 200:
        response_200 = EpisodePage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[EpisodePage | Problem]:
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
    state: ListEpisodesState | None = UNSET,
    thread_id: str | None = UNSET,
    source: ListEpisodesSource | None = UNSET,
    trust: ListEpisodesTrust | None = UNSET,
) -> Response[EpisodePage | Problem]:
    """List what was taken in, the latest first

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        state (ListEpisodesState | None): Only those in this state
        thread_id (str | None): Only those of this conversation
        source (ListEpisodesSource | None): Only those of this form
        trust (ListEpisodesTrust | None): Which to list: believed, without what is in quarantine;
            candidate, that alone; or all; left out: believed

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EpisodePage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
        state=state,
        thread_id=thread_id,
        source=source,
        trust=trust,
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
    state: ListEpisodesState | None = UNSET,
    thread_id: str | None = UNSET,
    source: ListEpisodesSource | None = UNSET,
    trust: ListEpisodesTrust | None = UNSET,
) -> EpisodePage | Problem | None:
    """List what was taken in, the latest first

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        state (ListEpisodesState | None): Only those in this state
        thread_id (str | None): Only those of this conversation
        source (ListEpisodesSource | None): Only those of this form
        trust (ListEpisodesTrust | None): Which to list: believed, without what is in quarantine;
            candidate, that alone; or all; left out: believed

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EpisodePage | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        limit=limit,
        cursor=cursor,
        state=state,
        thread_id=thread_id,
        source=source,
        trust=trust,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    state: ListEpisodesState | None = UNSET,
    thread_id: str | None = UNSET,
    source: ListEpisodesSource | None = UNSET,
    trust: ListEpisodesTrust | None = UNSET,
) -> Response[EpisodePage | Problem]:
    """List what was taken in, the latest first

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        state (ListEpisodesState | None): Only those in this state
        thread_id (str | None): Only those of this conversation
        source (ListEpisodesSource | None): Only those of this form
        trust (ListEpisodesTrust | None): Which to list: believed, without what is in quarantine;
            candidate, that alone; or all; left out: believed

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[EpisodePage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
        state=state,
        thread_id=thread_id,
        source=source,
        trust=trust,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    state: ListEpisodesState | None = UNSET,
    thread_id: str | None = UNSET,
    source: ListEpisodesSource | None = UNSET,
    trust: ListEpisodesTrust | None = UNSET,
) -> EpisodePage | Problem | None:
    """List what was taken in, the latest first

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        state (ListEpisodesState | None): Only those in this state
        thread_id (str | None): Only those of this conversation
        source (ListEpisodesSource | None): Only those of this form
        trust (ListEpisodesTrust | None): Which to list: believed, without what is in quarantine;
            candidate, that alone; or all; left out: believed

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        EpisodePage | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            limit=limit,
            cursor=cursor,
            state=state,
            thread_id=thread_id,
            source=source,
            trust=trust,
        )
    ).parsed
