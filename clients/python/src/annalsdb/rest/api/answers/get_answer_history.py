from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.standing_versions import StandingVersions
from ...types import Response


def _get_kwargs(
    group: str,
    answer: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/answers/{answer}/history".format(
            group=quote(str(group), safe=""),
            answer=quote(str(answer), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | StandingVersions:
    if response.status_code == 200:
        response_200 = StandingVersions.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | StandingVersions]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    answer: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Problem | StandingVersions]:
    """List every version of a standing answer

    Args:
        group (str): The memory
        answer (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | StandingVersions]
    """

    kwargs = _get_kwargs(
        group=group,
        answer=answer,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    answer: str,
    *,
    client: AuthenticatedClient | Client,
) -> Problem | StandingVersions | None:
    """List every version of a standing answer

    Args:
        group (str): The memory
        answer (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | StandingVersions
    """

    return sync_detailed(
        group=group,
        answer=answer,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    answer: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Problem | StandingVersions]:
    """List every version of a standing answer

    Args:
        group (str): The memory
        answer (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | StandingVersions]
    """

    kwargs = _get_kwargs(
        group=group,
        answer=answer,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    answer: str,
    *,
    client: AuthenticatedClient | Client,
) -> Problem | StandingVersions | None:
    """List every version of a standing answer

    Args:
        group (str): The memory
        answer (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | StandingVersions
    """

    return (
        await asyncio_detailed(
            group=group,
            answer=answer,
            client=client,
        )
    ).parsed
