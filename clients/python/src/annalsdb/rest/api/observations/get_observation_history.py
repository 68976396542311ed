from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.observation_versions import ObservationVersions
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    observation: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/observations/{observation}/history".format(
            group=quote(str(group), safe=""),
            observation=quote(str(observation), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ObservationVersions | Problem:
    if response.status_code == 200:
        response_200 = ObservationVersions.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ObservationVersions | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    observation: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[ObservationVersions | Problem]:
    """List every version of an observation

    Args:
        group (str): The memory
        observation (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ObservationVersions | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        observation=observation,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    observation: str,
    *,
    client: AuthenticatedClient | Client,
) -> ObservationVersions | Problem | None:
    """List every version of an observation

    Args:
        group (str): The memory
        observation (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ObservationVersions | Problem
    """

    return sync_detailed(
        group=group,
        observation=observation,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    observation: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[ObservationVersions | Problem]:
    """List every version of an observation

    Args:
        group (str): The memory
        observation (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ObservationVersions | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        observation=observation,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    observation: str,
    *,
    client: AuthenticatedClient | Client,
) -> ObservationVersions | Problem | None:
    """List every version of an observation

    Args:
        group (str): The memory
        observation (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ObservationVersions | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            observation=observation,
            client=client,
        )
    ).parsed
