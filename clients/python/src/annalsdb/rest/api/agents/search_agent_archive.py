from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.passage_page import PassagePage
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    agent: str,
    *,
    query: str | None = UNSET,
    tags: list[str] | None = UNSET,
    all_tags: bool | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["query"] = query

    json_tags: list[str] | None = UNSET
    if not isinstance(tags, Unset):
        json_tags = tags

    params["tags"] = json_tags

    params["all_tags"] = all_tags

    params["skip"] = skip

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/agents/{agent}/archive".format(
            group=quote(str(group), safe=""),
            agent=quote(str(agent), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> PassagePage | Problem:
    if response.status_code == 200:
        response_200 = PassagePage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[PassagePage | Problem]:
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
    tags: list[str] | None = UNSET,
    all_tags: bool | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> Response[PassagePage | Problem]:
    """Search an agent's archive and documents

    Args:
        group (str): The memory
        agent (str): Its name or id
        query (str | None):
        tags (list[str] | None): Passages with any of them
        all_tags (bool | None): None of the tags may be missing
        skip (int | None): How many to leave out
        limit (int | None): How many at the most Default: 20.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PassagePage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        query=query,
        tags=tags,
        all_tags=all_tags,
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
    tags: list[str] | None = UNSET,
    all_tags: bool | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> PassagePage | Problem | None:
    """Search an agent's archive and documents

    Args:
        group (str): The memory
        agent (str): Its name or id
        query (str | None):
        tags (list[str] | None): Passages with any of them
        all_tags (bool | None): None of the tags may be missing
        skip (int | None): How many to leave out
        limit (int | None): How many at the most Default: 20.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PassagePage | Problem
    """

    return sync_detailed(
        group=group,
        agent=agent,
        client=client,
        query=query,
        tags=tags,
        all_tags=all_tags,
        skip=skip,
        limit=limit,
    ).parsed


async def asyncio_detailed(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    query: str | None = UNSET,
    tags: list[str] | None = UNSET,
    all_tags: bool | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> Response[PassagePage | Problem]:
    """Search an agent's archive and documents

    Args:
        group (str): The memory
        agent (str): Its name or id
        query (str | None):
        tags (list[str] | None): Passages with any of them
        all_tags (bool | None): None of the tags may be missing
        skip (int | None): How many to leave out
        limit (int | None): How many at the most Default: 20.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[PassagePage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        query=query,
        tags=tags,
        all_tags=all_tags,
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
    tags: list[str] | None = UNSET,
    all_tags: bool | None = UNSET,
    skip: int | None = UNSET,
    limit: int | None = 20,
) -> PassagePage | Problem | None:
    """Search an agent's archive and documents

    Args:
        group (str): The memory
        agent (str): Its name or id
        query (str | None):
        tags (list[str] | None): Passages with any of them
        all_tags (bool | None): None of the tags may be missing
        skip (int | None): How many to leave out
        limit (int | None): How many at the most Default: 20.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        PassagePage | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            agent=agent,
            client=client,
            query=query,
            tags=tags,
            all_tags=all_tags,
            skip=skip,
            limit=limit,
        )
    ).parsed
