from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.said_page import SaidPage
from ...models.search_agent_recall_roles_item import (
    SearchAgentRecallRolesItem,
)
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    agent: str,
    *,
    query: str | None = UNSET,
    roles: list[SearchAgentRecallRolesItem] | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["query"] = query

    json_roles: list[str] | None = UNSET
    if not isinstance(roles, Unset):
        json_roles = []
        for roles_item_data in roles:
            roles_item: str = roles_item_data
            json_roles.append(roles_item)

    params["roles"] = json_roles

    params["since"] = since

    params["until"] = until

    params["skip"] = skip

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/agents/{agent}/recall".format(
            group=quote(str(group), safe=""),
            agent=quote(str(agent), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | SaidPage:
    if response.status_code == 200:
        response_200 = SaidPage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | SaidPage]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    query: str | None = UNSET,
    roles: list[SearchAgentRecallRolesItem] | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> Response[Problem | SaidPage]:
    """Search all that was said between an agent and its users

    Args:
        group (str): The memory
        agent (str): Its name or id
        query (str | None): Left out: everything, the newest first
        roles (list[SearchAgentRecallRolesItem] | None): Left out: both
        since (str | None): Said then or later
        until (str | None): Said before
        skip (int | None): How many to leave out
        limit (int | None): How many at the most Default: 20.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SaidPage]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        query=query,
        roles=roles,
        since=since,
        until=until,
        skip=skip,
        limit=limit,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    query: str | None = UNSET,
    roles: list[SearchAgentRecallRolesItem] | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> Problem | SaidPage | None:
    """Search all that was said between an agent and its users

    Args:
        group (str): The memory
        agent (str): Its name or id
        query (str | None): Left out: everything, the newest first
        roles (list[SearchAgentRecallRolesItem] | None): Left out: both
        since (str | None): Said then or later
        until (str | None): Said before
        skip (int | None): How many to leave out
        limit (int | None): How many at the most Default: 20.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SaidPage
    """

    return sync_detailed(
        group=group,
        agent=agent,
        client=client,
        query=query,
        roles=roles,
        since=since,
        until=until,
        skip=skip,
        limit=limit,
    ).parsed


async def asyncio_detailed(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    query: str | None = UNSET,
    roles: list[SearchAgentRecallRolesItem] | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> Response[Problem | SaidPage]:
    """Search all that was said between an agent and its users

    Args:
        group (str): The memory
        agent (str): Its name or id
        query (str | None): Left out: everything, the newest first
        roles (list[SearchAgentRecallRolesItem] | None): Left out: both
        since (str | None): Said then or later
        until (str | None): Said before
        skip (int | None): How many to leave out
        limit (int | None): How many at the most Default: 20.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SaidPage]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        query=query,
        roles=roles,
        since=since,
        until=until,
        skip=skip,
        limit=limit,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    query: str | None = UNSET,
    roles: list[SearchAgentRecallRolesItem] | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> Problem | SaidPage | None:
    """Search all that was said between an agent and its users

    Args:
        group (str): The memory
        agent (str): Its name or id
        query (str | None): Left out: everything, the newest first
        roles (list[SearchAgentRecallRolesItem] | None): Left out: both
        since (str | None): Said then or later
        until (str | None): Said before
        skip (int | None): How many to leave out
        limit (int | None): How many at the most Default: 20.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SaidPage
    """

    return (
        await asyncio_detailed(
            group=group,
            agent=agent,
            client=client,
            query=query,
            roles=roles,
            since=since,
            until=until,
            skip=skip,
            limit=limit,
        )
    ).parsed
