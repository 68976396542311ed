from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.fact_page import FactPage
from ...models.list_facts_trust import ListFactsTrust
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    *,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    trust: ListFactsTrust | None = UNSET,
    told_by: list[str] | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["limit"] = limit

    params["cursor"] = cursor

    params["known_at"] = known_at

    params["as_of"] = as_of

    params["entity"] = entity

    json_trust: str | None = UNSET
    if not isinstance(trust, Unset):
        json_trust = trust

    params["trust"] = json_trust

    json_told_by: list[str] | None = UNSET
    if not isinstance(told_by, Unset):
        json_told_by = told_by

    params["told_by"] = json_told_by

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/facts".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FactPage | Problem:
    if response.status_code == 200:
        response_200 = FactPage.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[FactPage | Problem]:
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
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    trust: ListFactsTrust | None = UNSET,
    told_by: list[str] | None = UNSET,
) -> Response[FactPage | Problem]:
    """List facts, in the order in which they began to hold

     On both time axes: as_of is in the world, known_at in our belief.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        entity (str | None): Only facts about this entity, by its id or a name that only one goes
            by
        trust (ListFactsTrust | None): Which facts to list: believed, with those that are
            disputed; candidate, which wait to be confirmed; disputed alone; or all; left out:
            believed
        told_by (list[str] | None): Only what one of these speakers told, by any name of theirs:
            what they believe

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FactPage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
        known_at=known_at,
        as_of=as_of,
        entity=entity,
        trust=trust,
        told_by=told_by,
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
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    trust: ListFactsTrust | None = UNSET,
    told_by: list[str] | None = UNSET,
) -> FactPage | Problem | None:
    """List facts, in the order in which they began to hold

     On both time axes: as_of is in the world, known_at in our belief.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        entity (str | None): Only facts about this entity, by its id or a name that only one goes
            by
        trust (ListFactsTrust | None): Which facts to list: believed, with those that are
            disputed; candidate, which wait to be confirmed; disputed alone; or all; left out:
            believed
        told_by (list[str] | None): Only what one of these speakers told, by any name of theirs:
            what they believe

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FactPage | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        limit=limit,
        cursor=cursor,
        known_at=known_at,
        as_of=as_of,
        entity=entity,
        trust=trust,
        told_by=told_by,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    trust: ListFactsTrust | None = UNSET,
    told_by: list[str] | None = UNSET,
) -> Response[FactPage | Problem]:
    """List facts, in the order in which they began to hold

     On both time axes: as_of is in the world, known_at in our belief.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        entity (str | None): Only facts about this entity, by its id or a name that only one goes
            by
        trust (ListFactsTrust | None): Which facts to list: believed, with those that are
            disputed; candidate, which wait to be confirmed; disputed alone; or all; left out:
            believed
        told_by (list[str] | None): Only what one of these speakers told, by any name of theirs:
            what they believe

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FactPage | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        limit=limit,
        cursor=cursor,
        known_at=known_at,
        as_of=as_of,
        entity=entity,
        trust=trust,
        told_by=told_by,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    limit: int | None = 100,
    cursor: str | None = UNSET,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    entity: str | None = UNSET,
    trust: ListFactsTrust | None = UNSET,
    told_by: list[str] | None = UNSET,
) -> FactPage | Problem | None:
    """List facts, in the order in which they began to hold

     On both time axes: as_of is in the world, known_at in our belief.

    Args:
        group (str): The memory
        limit (int | None): How many at the most Default: 100.
        cursor (str | None): next_cursor of the page before; left out: the first page
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        entity (str | None): Only facts about this entity, by its id or a name that only one goes
            by
        trust (ListFactsTrust | None): Which facts to list: believed, with those that are
            disputed; candidate, which wait to be confirmed; disputed alone; or all; left out:
            believed
        told_by (list[str] | None): Only what one of these speakers told, by any name of theirs:
            what they believe

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FactPage | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            limit=limit,
            cursor=cursor,
            known_at=known_at,
            as_of=as_of,
            entity=entity,
            trust=trust,
            told_by=told_by,
        )
    ).parsed
