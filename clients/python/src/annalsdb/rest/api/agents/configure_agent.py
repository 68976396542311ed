from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.agent import Agent
from ...models.agent_settings import AgentSettings
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    agent: str,
    *,
    body: AgentSettings,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "put",
        "url": "/v1/groups/{group}/agents/{agent}/settings".format(
            group=quote(str(group), safe=""),
            agent=quote(str(agent), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Agent | Problem:
    if response.status_code == 200:
        response_200 = Agent.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Agent | Problem]:
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
    body: AgentSettings,
) -> Response[Agent | Problem]:
    """Give an agent other instructions and settings

     They hold from its next step on.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (AgentSettings):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Agent | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        body=body,
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
    body: AgentSettings,
) -> Agent | Problem | None:
    """Give an agent other instructions and settings

     They hold from its next step on.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (AgentSettings):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Agent | Problem
    """

    return sync_detailed(
        group=group,
        agent=agent,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    body: AgentSettings,
) -> Response[Agent | Problem]:
    """Give an agent other instructions and settings

     They hold from its next step on.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (AgentSettings):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Agent | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    body: AgentSettings,
) -> Agent | Problem | None:
    """Give an agent other instructions and settings

     They hold from its next step on.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (AgentSettings):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Agent | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            agent=agent,
            client=client,
            body=body,
        )
    ).parsed
