from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.new_event import NewEvent
from ...models.problem import Problem
from ...models.turn import Turn
from ...types import Response


def _get_kwargs(
    group: str,
    agent: str,
    *,
    body: NewEvent,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/agents/{agent}/messages".format(
            group=quote(str(group), safe=""),
            agent=quote(str(agent), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Turn:
    if response.status_code == 200:
        response_200 = Turn.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Turn]:
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
    body: NewEvent,
) -> Response[Problem | Turn]:
    """Tell an agent something, and hear what it did

     It answers when the agent rests. An unfinished turn is gone on with by /resume.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (NewEvent):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Turn]
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
    body: NewEvent,
) -> Problem | Turn | None:
    """Tell an agent something, and hear what it did

     It answers when the agent rests. An unfinished turn is gone on with by /resume.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (NewEvent):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Turn
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
    body: NewEvent,
) -> Response[Problem | Turn]:
    """Tell an agent something, and hear what it did

     It answers when the agent rests. An unfinished turn is gone on with by /resume.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (NewEvent):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Turn]
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
    body: NewEvent,
) -> Problem | Turn | None:
    """Tell an agent something, and hear what it did

     It answers when the agent rests. An unfinished turn is gone on with by /resume.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (NewEvent):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Turn
    """

    return (
        await asyncio_detailed(
            group=group,
            agent=agent,
            client=client,
            body=body,
        )
    ).parsed
