from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.trust_policy import TrustPolicy
from ...types import Response


def _get_kwargs(
    group: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/trust".format(
            group=quote(str(group), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | TrustPolicy:
    if response.status_code == 200:
        response_200 = TrustPolicy.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | TrustPolicy]:
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
) -> Response[Problem | TrustPolicy]:
    """Get what a group does not believe until somebody confirms it

    Args:
        group (str): The memory

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | TrustPolicy]
    """

    kwargs = _get_kwargs(
        group=group,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
) -> Problem | TrustPolicy | None:
    """Get what a group does not believe until somebody confirms it

    Args:
        group (str): The memory

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | TrustPolicy
    """

    return sync_detailed(
        group=group,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Problem | TrustPolicy]:
    """Get what a group does not believe until somebody confirms it

    Args:
        group (str): The memory

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | TrustPolicy]
    """

    kwargs = _get_kwargs(
        group=group,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
) -> Problem | TrustPolicy | None:
    """Get what a group does not believe until somebody confirms it

    Args:
        group (str): The memory

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | TrustPolicy
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
        )
    ).parsed
