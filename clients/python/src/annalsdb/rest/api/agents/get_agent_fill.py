from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.fill import Fill
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    agent: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/agents/{agent}/fill".format(
            group=quote(str(group), safe=""),
            agent=quote(str(agent), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Fill | Problem:
    if response.status_code == 200:
        response_200 = Fill.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Fill | Problem]:
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
) -> Response[Fill | Problem]:
    """Tell how full an agent's context is

    Args:
        group (str): The memory
        agent (str): Its name or id

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Fill | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
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
) -> Fill | Problem | None:
    """Tell how full an agent's context is

    Args:
        group (str): The memory
        agent (str): Its name or id

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Fill | Problem
    """

    return sync_detailed(
        group=group,
        agent=agent,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Fill | Problem]:
    """Tell how full an agent's context is

    Args:
        group (str): The memory
        agent (str): Its name or id

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Fill | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
) -> Fill | Problem | None:
    """Tell how full an agent's context is

    Args:
        group (str): The memory
        agent (str): Its name or id

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Fill | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            agent=agent,
            client=client,
        )
    ).parsed
