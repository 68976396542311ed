from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.accepted import Accepted
from ...models.new_run import NewRun
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    *,
    body: NewRun,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/runs".format(
            group=quote(str(group), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Accepted | Problem:
    if response.status_code == 200:
        response_200 = Accepted.from_dict(response.json())

        return response_200

    if response.status_code == 202:
        response_202 = Accepted.from_dict(response.json())

        return response_202

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Accepted | Problem]:
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
    body: NewRun,
) -> Response[Accepted | Problem]:
    """Record what an agent did about a task, and how that ended

     It is kept as an episode; skills are learned from it as it is read.

    Args:
        group (str): The memory
        body (NewRun):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Accepted | Problem]
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
    body: NewRun,
) -> Accepted | Problem | None:
    """Record what an agent did about a task, and how that ended

     It is kept as an episode; skills are learned from it as it is read.

    Args:
        group (str): The memory
        body (NewRun):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Accepted | Problem
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
    body: NewRun,
) -> Response[Accepted | Problem]:
    """Record what an agent did about a task, and how that ended

     It is kept as an episode; skills are learned from it as it is read.

    Args:
        group (str): The memory
        body (NewRun):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Accepted | Problem]
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
    body: NewRun,
) -> Accepted | Problem | None:
    """Record what an agent did about a task, and how that ended

     It is kept as an episode; skills are learned from it as it is read.

    Args:
        group (str): The memory
        body (NewRun):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Accepted | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
        )
    ).parsed
