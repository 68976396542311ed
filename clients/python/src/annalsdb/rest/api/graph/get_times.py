from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.times import Times
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    marks: int | None = 400,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["marks"] = marks

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/times".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | Times:
    if response.status_code == 200:
        response_200 = Times.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Problem | Times]:
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
    marks: int | None = 400,
) -> Response[Problem | Times]:
    """Tell when something changed, on both axes of time

    Args:
        group (str): The memory
        marks (int | None): How many marks at the most, on each axis Default: 400.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Times]
    """

    kwargs = _get_kwargs(
        group=group,
        marks=marks,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    marks: int | None = 400,
) -> Problem | Times | None:
    """Tell when something changed, on both axes of time

    Args:
        group (str): The memory
        marks (int | None): How many marks at the most, on each axis Default: 400.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Times
    """

    return sync_detailed(
        group=group,
        client=client,
        marks=marks,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    marks: int | None = 400,
) -> Response[Problem | Times]:
    """Tell when something changed, on both axes of time

    Args:
        group (str): The memory
        marks (int | None): How many marks at the most, on each axis Default: 400.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | Times]
    """

    kwargs = _get_kwargs(
        group=group,
        marks=marks,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    marks: int | None = 400,
) -> Problem | Times | None:
    """Tell when something changed, on both axes of time

    Args:
        group (str): The memory
        marks (int | None): How many marks at the most, on each axis Default: 400.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | Times
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            marks=marks,
        )
    ).parsed
