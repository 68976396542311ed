from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.standing_list import StandingList
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["known_at"] = known_at

    params["as_of"] = as_of

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/answers".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | StandingList:
    if response.status_code == 200:
        response_200 = StandingList.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | StandingList]:
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
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> Response[Problem | StandingList]:
    """List the questions that the group keeps answered, with their answers

    Args:
        group (str): The memory
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | StandingList]
    """

    kwargs = _get_kwargs(
        group=group,
        known_at=known_at,
        as_of=as_of,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> Problem | StandingList | None:
    """List the questions that the group keeps answered, with their answers

    Args:
        group (str): The memory
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | StandingList
    """

    return sync_detailed(
        group=group,
        client=client,
        known_at=known_at,
        as_of=as_of,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> Response[Problem | StandingList]:
    """List the questions that the group keeps answered, with their answers

    Args:
        group (str): The memory
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | StandingList]
    """

    kwargs = _get_kwargs(
        group=group,
        known_at=known_at,
        as_of=as_of,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> Problem | StandingList | None:
    """List the questions that the group keeps answered, with their answers

    Args:
        group (str): The memory
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | StandingList
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            known_at=known_at,
            as_of=as_of,
        )
    ).parsed
