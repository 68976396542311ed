from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.skill_versions import SkillVersions
from ...types import Response


def _get_kwargs(
    group: str,
    skill: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/skills/{skill}/history".format(
            group=quote(str(group), safe=""),
            skill=quote(str(skill), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | SkillVersions:
    if response.status_code == 200:
        response_200 = SkillVersions.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | SkillVersions]:
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
) -> Response[Problem | SkillVersions]:
    """List every version of a skill

    Args:
        group (str): The memory
        skill (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SkillVersions]
    """

    kwargs = _get_kwargs(
        group=group,
        skill=skill,
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
) -> Problem | SkillVersions | None:
    """List every version of a skill

    Args:
        group (str): The memory
        skill (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SkillVersions
    """

    return sync_detailed(
        group=group,
        skill=skill,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    skill: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Problem | SkillVersions]:
    """List every version of a skill

    Args:
        group (str): The memory
        skill (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | SkillVersions]
    """

    kwargs = _get_kwargs(
        group=group,
        skill=skill,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    skill: str,
    *,
    client: AuthenticatedClient | Client,
) -> Problem | SkillVersions | None:
    """List every version of a skill

    Args:
        group (str): The memory
        skill (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | SkillVersions
    """

    return (
        await asyncio_detailed(
            group=group,
            skill=skill,
            client=client,
        )
    ).parsed
