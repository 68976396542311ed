from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.review_page import ReviewPage
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    params["relation"] = relation

    params["source"] = source

    params["thread_id"] = thread_id

    params["door"] = door

    params["key"] = key

    params["run_id"] = run_id

    params["since"] = since

    params["until"] = until

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/review/added".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | ReviewPage:
    if response.status_code == 200:
        response_200 = ReviewPage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | ReviewPage]:
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
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
) -> Response[Problem | ReviewPage]:
    """List what something brought, as the difference to the memory before it

     A source, a thread, a door, a key, a run of an agent, or a time. Facts that were added, ended,
    changed or withdrawn by it, with the messages.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        relation (str | None): Only facts of this relation
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | ReviewPage]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
        relation=relation,
        source=source,
        thread_id=thread_id,
        door=door,
        key=key,
        run_id=run_id,
        since=since,
        until=until,
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
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
) -> Problem | ReviewPage | None:
    """List what something brought, as the difference to the memory before it

     A source, a thread, a door, a key, a run of an agent, or a time. Facts that were added, ended,
    changed or withdrawn by it, with the messages.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        relation (str | None): Only facts of this relation
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | ReviewPage
    """

    return sync_detailed(
        group=group,
        client=client,
        limit=limit,
        cursor=cursor,
        relation=relation,
        source=source,
        thread_id=thread_id,
        door=door,
        key=key,
        run_id=run_id,
        since=since,
        until=until,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
) -> Response[Problem | ReviewPage]:
    """List what something brought, as the difference to the memory before it

     A source, a thread, a door, a key, a run of an agent, or a time. Facts that were added, ended,
    changed or withdrawn by it, with the messages.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        relation (str | None): Only facts of this relation
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | ReviewPage]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
        relation=relation,
        source=source,
        thread_id=thread_id,
        door=door,
        key=key,
        run_id=run_id,
        since=since,
        until=until,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    relation: str | None = UNSET,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
) -> Problem | ReviewPage | None:
    """List what something brought, as the difference to the memory before it

     A source, a thread, a door, a key, a run of an agent, or a time. Facts that were added, ended,
    changed or withdrawn by it, with the messages.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        relation (str | None): Only facts of this relation
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | ReviewPage
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            limit=limit,
            cursor=cursor,
            relation=relation,
            source=source,
            thread_id=thread_id,
            door=door,
            key=key,
            run_id=run_id,
            since=since,
            until=until,
        )
    ).parsed
