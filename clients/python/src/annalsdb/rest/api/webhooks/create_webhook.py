from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.made_webhook import MadeWebhook
from ...models.new_webhook import NewWebhook
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    *,
    body: NewWebhook,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/webhooks".format(
            group=quote(str(group), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> MadeWebhook | Problem:
    if response.status_code == 201:
        response_201 = MadeWebhook.from_dict(response.json())

        return response_201

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[MadeWebhook | Problem]:
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
    body: NewWebhook,
) -> Response[MadeWebhook | Problem]:
    """Be told of what becomes of episodes

     What is sent is signed by the scheme of Standard Webhooks. The answer has the secret for that, this
    once.

    Args:
        group (str): The memory
        body (NewWebhook):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MadeWebhook | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewWebhook,
) -> MadeWebhook | Problem | None:
    """Be told of what becomes of episodes

     What is sent is signed by the scheme of Standard Webhooks. The answer has the secret for that, this
    once.

    Args:
        group (str): The memory
        body (NewWebhook):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MadeWebhook | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewWebhook,
) -> Response[MadeWebhook | Problem]:
    """Be told of what becomes of episodes

     What is sent is signed by the scheme of Standard Webhooks. The answer has the secret for that, this
    once.

    Args:
        group (str): The memory
        body (NewWebhook):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[MadeWebhook | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewWebhook,
) -> MadeWebhook | Problem | None:
    """Be told of what becomes of episodes

     What is sent is signed by the scheme of Standard Webhooks. The answer has the secret for that, this
    once.

    Args:
        group (str): The memory
        body (NewWebhook):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        MadeWebhook | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
        )
    ).parsed
