from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.list_skills_state import ListSkillsState
from ...models.problem import Problem
from ...models.skill_list import SkillList
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    *,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    task: str | None = UNSET,
    skill: str | None = UNSET,
    state: ListSkillsState | None = UNSET,
    include_ended: bool | None = UNSET,
    limit: int | None = 100,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["known_at"] = known_at

    params["as_of"] = as_of

    params["task"] = task

    params["skill"] = skill

    json_state: str | None = UNSET
    if not isinstance(state, Unset):
        json_state = state

    params["state"] = json_state

    params["include_ended"] = include_ended

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/skills".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | SkillList:
    if response.status_code == 200:
        response_200 = SkillList.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | SkillList]:
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
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    task: str | None = UNSET,
    skill: str | None = UNSET,
    state: ListSkillsState | None = UNSET,
    include_ended: bool | None = UNSET,
    limit: int | None = 100,
) -> Response[Problem | SkillList]:
    """List how tasks are done, or find how one is

     Procedures that worked in runs of agents, for as long as they did. With as_of and known_at as it was
    then, and as was known then.

    Args:
        group (str): The memory
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        task (str | None): For this task: of each skill that is like it the best procedure, the
            likest first; left out: all procedures
        skill (str | None): Only the procedures of this skill, by skill_id
        state (ListSkillsState | None): Only those in this state; left out: all but rejected ones
        include_ended (bool | None): Also those that do not work any more
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SkillList]
    """

    kwargs = _get_kwargs(
        group=group,
        known_at=known_at,
        as_of=as_of,
        task=task,
        skill=skill,
        state=state,
        include_ended=include_ended,
        limit=limit,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    task: str | None = UNSET,
    skill: str | None = UNSET,
    state: ListSkillsState | None = UNSET,
    include_ended: bool | None = UNSET,
    limit: int | None = 100,
) -> Problem | SkillList | None:
    """List how tasks are done, or find how one is

     Procedures that worked in runs of agents, for as long as they did. With as_of and known_at as it was
    then, and as was known then.

    Args:
        group (str): The memory
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        task (str | None): For this task: of each skill that is like it the best procedure, the
            likest first; left out: all procedures
        skill (str | None): Only the procedures of this skill, by skill_id
        state (ListSkillsState | None): Only those in this state; left out: all but rejected ones
        include_ended (bool | None): Also those that do not work any more
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SkillList
    """

    return sync_detailed(
        group=group,
        client=client,
        known_at=known_at,
        as_of=as_of,
        task=task,
        skill=skill,
        state=state,
        include_ended=include_ended,
        limit=limit,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    task: str | None = UNSET,
    skill: str | None = UNSET,
    state: ListSkillsState | None = UNSET,
    include_ended: bool | None = UNSET,
    limit: int | None = 100,
) -> Response[Problem | SkillList]:
    """List how tasks are done, or find how one is

     Procedures that worked in runs of agents, for as long as they did. With as_of and known_at as it was
    then, and as was known then.

    Args:
        group (str): The memory
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        task (str | None): For this task: of each skill that is like it the best procedure, the
            likest first; left out: all procedures
        skill (str | None): Only the procedures of this skill, by skill_id
        state (ListSkillsState | None): Only those in this state; left out: all but rejected ones
        include_ended (bool | None): Also those that do not work any more
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SkillList]
    """

    kwargs = _get_kwargs(
        group=group,
        known_at=known_at,
        as_of=as_of,
        task=task,
        skill=skill,
        state=state,
        include_ended=include_ended,
        limit=limit,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
    task: str | None = UNSET,
    skill: str | None = UNSET,
    state: ListSkillsState | None = UNSET,
    include_ended: bool | None = UNSET,
    limit: int | None = 100,
) -> Problem | SkillList | None:
    """List how tasks are done, or find how one is

     Procedures that worked in runs of agents, for as long as they did. With as_of and known_at as it was
    then, and as was known then.

    Args:
        group (str): The memory
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30
        task (str | None): For this task: of each skill that is like it the best procedure, the
            likest first; left out: all procedures
        skill (str | None): Only the procedures of this skill, by skill_id
        state (ListSkillsState | None): Only those in this state; left out: all but rejected ones
        include_ended (bool | None): Also those that do not work any more
        limit (int | None): How many at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SkillList
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            known_at=known_at,
            as_of=as_of,
            task=task,
            skill=skill,
            state=state,
            include_ended=include_ended,
            limit=limit,
        )
    ).parsed
