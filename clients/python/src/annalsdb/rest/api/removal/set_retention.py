from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.retention import Retention
from ...types import Response


def _get_kwargs(
    group: str,
    *,
    body: Retention,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "put",
        "url": "/v1/groups/{group}/retention".format(
            group=quote(str(group), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Retention:
    if response.status_code == 200:
        response_200 = Retention.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Retention]:
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
    body: Retention,
) -> Response[Problem | Retention]:
    """Set how long a group keeps its episodes

     {} keeps them for ever. Workers apply it once a day.

    Args:
        group (str): The memory
        body (Retention):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Retention]
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
    body: Retention,
) -> Problem | Retention | None:
    """Set how long a group keeps its episodes

     {} keeps them for ever. Workers apply it once a day.

    Args:
        group (str): The memory
        body (Retention):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Retention
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
    body: Retention,
) -> Response[Problem | Retention]:
    """Set how long a group keeps its episodes

     {} keeps them for ever. Workers apply it once a day.

    Args:
        group (str): The memory
        body (Retention):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Retention]
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
    body: Retention,
) -> Problem | Retention | None:
    """Set how long a group keeps its episodes

     {} keeps them for ever. Workers apply it once a day.

    Args:
        group (str): The memory
        body (Retention):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Retention
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
        )
    ).parsed
