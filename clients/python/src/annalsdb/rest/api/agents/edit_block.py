from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.block import Block
from ...models.block_edit import BlockEdit
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    agent: str,
    label: str,
    *,
    body: BlockEdit,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "put",
        "url": "/v1/groups/{group}/agents/{agent}/blocks/{label}".format(
            group=quote(str(group), safe=""),
            agent=quote(str(agent), safe=""),
            label=quote(str(label), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Block | Problem:
    if response.status_code == 200:
        response_200 = Block.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Block | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    agent: str,
    label: str,
    *,
    client: AuthenticatedClient | Client,
    body: BlockEdit,
) -> Response[Block | Problem]:
    """Write a block anew

    Args:
        group (str): The memory
        agent (str): Its name or id
        label (str): What the agent calls the block
        body (BlockEdit):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Block | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        label=label,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    agent: str,
    label: str,
    *,
    client: AuthenticatedClient | Client,
    body: BlockEdit,
) -> Block | Problem | None:
    """Write a block anew

    Args:
        group (str): The memory
        agent (str): Its name or id
        label (str): What the agent calls the block
        body (BlockEdit):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Block | Problem
    """

    return sync_detailed(
        group=group,
        agent=agent,
        label=label,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    group: str,
    agent: str,
    label: str,
    *,
    client: AuthenticatedClient | Client,
    body: BlockEdit,
) -> Response[Block | Problem]:
    """Write a block anew

    Args:
        group (str): The memory
        agent (str): Its name or id
        label (str): What the agent calls the block
        body (BlockEdit):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Block | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        label=label,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    agent: str,
    label: str,
    *,
    client: AuthenticatedClient | Client,
    body: BlockEdit,
) -> Block | Problem | None:
    """Write a block anew

    Args:
        group (str): The memory
        agent (str): Its name or id
        label (str): What the agent calls the block
        body (BlockEdit):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Block | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            agent=agent,
            label=label,
            client=client,
            body=body,
        )
    ).parsed
