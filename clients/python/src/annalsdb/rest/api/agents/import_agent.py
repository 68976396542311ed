from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.agent import Agent
from ...models.problem import Problem
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    body: Any,
    name: str | None = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    params: dict[str, Any] = {}

    params["name"] = name

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/agents/import".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    _kwargs["json"] = body

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Agent | Problem:
    if response.status_code == 201:
        response_201 = Agent.from_dict(response.json())

        return response_201

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
    *,
    client: AuthenticatedClient | Client,
    body: Any,
    name: str | None = UNSET,
) -> Response[Agent | Problem]:
    """Make an agent of what was exported

    Args:
        group (str): The memory
        name (str | None): What it is called; left out: as it was
        body (Any): What export-agent answered

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Agent | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
        name=name,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: Any,
    name: str | None = UNSET,
) -> Agent | Problem | None:
    """Make an agent of what was exported

    Args:
        group (str): The memory
        name (str | None): What it is called; left out: as it was
        body (Any): What export-agent answered

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Agent | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        body=body,
        name=name,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: Any,
    name: str | None = UNSET,
) -> Response[Agent | Problem]:
    """Make an agent of what was exported

    Args:
        group (str): The memory
        name (str | None): What it is called; left out: as it was
        body (Any): What export-agent answered

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Agent | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
        name=name,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: Any,
    name: str | None = UNSET,
) -> Agent | Problem | None:
    """Make an agent of what was exported

    Args:
        group (str): The memory
        name (str | None): What it is called; left out: as it was
        body (Any): What export-agent answered

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Agent | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
            name=name,
        )
    ).parsed
