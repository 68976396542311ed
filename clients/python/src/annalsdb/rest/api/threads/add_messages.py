from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.accepted_messages import AcceptedMessages
from ...models.new_messages import NewMessages
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    thread: str,
    *,
    body: NewMessages,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/threads/{thread}/messages".format(
            group=quote(str(group), safe=""),
            thread=quote(str(thread), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> AcceptedMessages | Problem:
    if response.status_code == 202:
        response_202 = AcceptedMessages.from_dict(response.json())

        return response_202

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[AcceptedMessages | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    thread: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewMessages,
) -> Response[AcceptedMessages | Problem]:
    """Add what was said, all or nothing

     A message that was erased is left out, counted and named; only where all of them were is that a
    problem.

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation
        body (NewMessages):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AcceptedMessages | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        thread=thread,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    thread: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewMessages,
) -> AcceptedMessages | Problem | None:
    """Add what was said, all or nothing

     A message that was erased is left out, counted and named; only where all of them were is that a
    problem.

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation
        body (NewMessages):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AcceptedMessages | Problem
    """

    return sync_detailed(
        group=group,
        thread=thread,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    group: str,
    thread: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewMessages,
) -> Response[AcceptedMessages | Problem]:
    """Add what was said, all or nothing

     A message that was erased is left out, counted and named; only where all of them were is that a
    problem.

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation
        body (NewMessages):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[AcceptedMessages | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        thread=thread,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    thread: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewMessages,
) -> AcceptedMessages | Problem | None:
    """Add what was said, all or nothing

     A message that was erased is left out, counted and named; only where all of them were is that a
    problem.

    Args:
        group (str): The memory
        thread (str): Your own name for the conversation
        body (NewMessages):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        AcceptedMessages | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            thread=thread,
            client=client,
            body=body,
        )
    ).parsed
