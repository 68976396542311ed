from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.skill import Skill
from ...models.skill_decision import SkillDecision
from ...types import Response


def _get_kwargs(
    group: str,
    skill: str,
    *,
    body: SkillDecision,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/skills/{skill}/decision".format(
            group=quote(str(group), safe=""),
            skill=quote(str(skill), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Skill:
    if response.status_code == 200:
        response_200 = Skill.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Skill]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    skill: str,
    *,
    client: AuthenticatedClient | Client,
    body: SkillDecision,
) -> Response[Problem | Skill]:
    """Approve or reject a skill, or take that back

     It is on record, and holds whenever the procedure is learned again. A key with the authority of an
    assistant or a document may not.

    Args:
        group (str): The memory
        skill (str):
        body (SkillDecision):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Skill]
    """

    kwargs = _get_kwargs(
        group=group,
        skill=skill,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    skill: str,
    *,
    client: AuthenticatedClient | Client,
    body: SkillDecision,
) -> Problem | Skill | None:
    """Approve or reject a skill, or take that back

     It is on record, and holds whenever the procedure is learned again. A key with the authority of an
    assistant or a document may not.

    Args:
        group (str): The memory
        skill (str):
        body (SkillDecision):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Skill
    """

    return sync_detailed(
        group=group,
        skill=skill,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    group: str,
    skill: str,
    *,
    client: AuthenticatedClient | Client,
    body: SkillDecision,
) -> Response[Problem | Skill]:
    """Approve or reject a skill, or take that back

     It is on record, and holds whenever the procedure is learned again. A key with the authority of an
    assistant or a document may not.

    Args:
        group (str): The memory
        skill (str):
        body (SkillDecision):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Skill]
    """

    kwargs = _get_kwargs(
        group=group,
        skill=skill,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    skill: str,
    *,
    client: AuthenticatedClient | Client,
    body: SkillDecision,
) -> Problem | Skill | None:
    """Approve or reject a skill, or take that back

     It is on record, and holds whenever the procedure is learned again. A key with the authority of an
    assistant or a document may not.

    Args:
        group (str): The memory
        skill (str):
        body (SkillDecision):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Skill
    """

    return (
        await asyncio_detailed(
            group=group,
            skill=skill,
            client=client,
            body=body,
        )
    ).parsed
