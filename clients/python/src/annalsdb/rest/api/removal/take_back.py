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
    *,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["source"] = source

    params["thread_id"] = thread_id

    params["door"] = door

    params["key"] = key

    params["run_id"] = run_id

    params["since"] = since

    params["until"] = until

    params["any_reader"] = any_reader

    params["dry_run"] = dry_run

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/groups/{group}/episodes".format(
            group=quote(str(group), safe=""),
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
    *,
    client: AuthenticatedClient | Client,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> Response[Problem | Removed]:
    """Undo all episodes that something brought

     Such as a file: the group believes what it would without them. Ask with dry_run first.

    Args:
        group (str): The memory
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time
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
        source=source,
        thread_id=thread_id,
        door=door,
        key=key,
        run_id=run_id,
        since=since,
        until=until,
        any_reader=any_reader,
        dry_run=dry_run,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> Problem | Removed | None:
    """Undo all episodes that something brought

     Such as a file: the group believes what it would without them. Ask with dry_run first.

    Args:
        group (str): The memory
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time
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
        client=client,
        source=source,
        thread_id=thread_id,
        door=door,
        key=key,
        run_id=run_id,
        since=since,
        until=until,
        any_reader=any_reader,
        dry_run=dry_run,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> Response[Problem | Removed]:
    """Undo all episodes that something brought

     Such as a file: the group believes what it would without them. Ask with dry_run first.

    Args:
        group (str): The memory
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time
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
        source=source,
        thread_id=thread_id,
        door=door,
        key=key,
        run_id=run_id,
        since=since,
        until=until,
        any_reader=any_reader,
        dry_run=dry_run,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    source: str | None = UNSET,
    thread_id: str | None = UNSET,
    door: str | None = UNSET,
    key: str | None = UNSET,
    run_id: str | None = UNSET,
    since: str | None = UNSET,
    until: str | None = UNSET,
    any_reader: bool | None = UNSET,
    dry_run: bool | None = UNSET,
) -> Problem | Removed | None:
    """Undo all episodes that something brought

     Such as a file: the group believes what it would without them. Ask with dry_run first.

    Args:
        group (str): The memory
        source (str | None): What came with this source description, such as the name of a file
        thread_id (str | None): What was said in this conversation
        door (str | None): What came by this door: cli, rest, mcp, import, …
        key (str | None): What this API key or user of the database wrote
        run_id (str | None): What this run of an agent wrote: run_id in the metadata
        since (str | None): What was taken in from this time on
        until (str | None): What was taken in before this time
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
            client=client,
            source=source,
            thread_id=thread_id,
            door=door,
            key=key,
            run_id=run_id,
            since=since,
            until=until,
            any_reader=any_reader,
            dry_run=dry_run,
        )
    ).parsed
