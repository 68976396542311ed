from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.lanes import Lanes
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    *,
    entity: list[str] | None = UNSET,
    relation: str | None = UNSET,
    max_facts: int | None = 2000,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_entity: list[str] | None = UNSET
    if not isinstance(entity, Unset):
        json_entity = entity

    params["entity"] = json_entity

    params["relation"] = relation

    params["max_facts"] = max_facts

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/lanes".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Lanes | Problem:
    if response.status_code == 200:
        response_200 = Lanes.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Lanes | Problem]:
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
    entity: list[str] | None = UNSET,
    relation: str | None = UNSET,
    max_facts: int | None = 2000,
) -> Response[Lanes | Problem]:
    """Set out what can change of entities in lanes, with all that was ever believed of it

     A lane is one thing that can change, as somebody's home. Its bars say when they stood like that in
    our belief, so that one answer shows what was believed at any time.

    Args:
        group (str): The memory
        entity (list[str] | None): Whose lanes, by an id or a name that only one goes by; left
            out: of those that are spoken of most lately
        relation (str | None): Only this lane, as home, or the one of this predicate, as LIVES_IN
        max_facts (int | None): Facts at the most, the newest Default: 2000.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Lanes | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
        relation=relation,
        max_facts=max_facts,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    entity: list[str] | None = UNSET,
    relation: str | None = UNSET,
    max_facts: int | None = 2000,
) -> Lanes | Problem | None:
    """Set out what can change of entities in lanes, with all that was ever believed of it

     A lane is one thing that can change, as somebody's home. Its bars say when they stood like that in
    our belief, so that one answer shows what was believed at any time.

    Args:
        group (str): The memory
        entity (list[str] | None): Whose lanes, by an id or a name that only one goes by; left
            out: of those that are spoken of most lately
        relation (str | None): Only this lane, as home, or the one of this predicate, as LIVES_IN
        max_facts (int | None): Facts at the most, the newest Default: 2000.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Lanes | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        entity=entity,
        relation=relation,
        max_facts=max_facts,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    entity: list[str] | None = UNSET,
    relation: str | None = UNSET,
    max_facts: int | None = 2000,
) -> Response[Lanes | Problem]:
    """Set out what can change of entities in lanes, with all that was ever believed of it

     A lane is one thing that can change, as somebody's home. Its bars say when they stood like that in
    our belief, so that one answer shows what was believed at any time.

    Args:
        group (str): The memory
        entity (list[str] | None): Whose lanes, by an id or a name that only one goes by; left
            out: of those that are spoken of most lately
        relation (str | None): Only this lane, as home, or the one of this predicate, as LIVES_IN
        max_facts (int | None): Facts at the most, the newest Default: 2000.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Lanes | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        entity=entity,
        relation=relation,
        max_facts=max_facts,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    entity: list[str] | None = UNSET,
    relation: str | None = UNSET,
    max_facts: int | None = 2000,
) -> Lanes | Problem | None:
    """Set out what can change of entities in lanes, with all that was ever believed of it

     A lane is one thing that can change, as somebody's home. Its bars say when they stood like that in
    our belief, so that one answer shows what was believed at any time.

    Args:
        group (str): The memory
        entity (list[str] | None): Whose lanes, by an id or a name that only one goes by; left
            out: of those that are spoken of most lately
        relation (str | None): Only this lane, as home, or the one of this predicate, as LIVES_IN
        max_facts (int | None): Facts at the most, the newest Default: 2000.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Lanes | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            entity=entity,
            relation=relation,
            max_facts=max_facts,
        )
    ).parsed
