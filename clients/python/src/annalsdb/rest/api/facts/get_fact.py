from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.fact import Fact
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    fact: str,
    *,
    if_none_match: str | None = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_none_match, Unset):
        headers["If-None-Match"] = if_none_match

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/facts/{fact}".format(
            group=quote(str(group), safe=""),
            fact=quote(str(fact), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Fact | Problem:
    if response.status_code == 200:
        response_200 = Fact.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Fact | Problem]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
    if_none_match: str | None = UNSET,
) -> Response[Fact | Problem]:
    """Get a fact as it is believed now

    Args:
        group (str): The memory
        fact (str):
        if_none_match (str | None): The ETag that is known: 304 where it still is the one

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Fact | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
        if_none_match=if_none_match,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
    if_none_match: str | None = UNSET,
) -> Fact | Problem | None:
    """Get a fact as it is believed now

    Args:
        group (str): The memory
        fact (str):
        if_none_match (str | None): The ETag that is known: 304 where it still is the one

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Fact | Problem
    """

    return sync_detailed(
        group=group,
        fact=fact,
        client=client,
        if_none_match=if_none_match,
    ).parsed


async def asyncio_detailed(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
    if_none_match: str | None = UNSET,
) -> Response[Fact | Problem]:
    """Get a fact as it is believed now

    Args:
        group (str): The memory
        fact (str):
        if_none_match (str | None): The ETag that is known: 304 where it still is the one

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Fact | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
        if_none_match=if_none_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
    if_none_match: str | None = UNSET,
) -> Fact | Problem | None:
    """Get a fact as it is believed now

    Args:
        group (str): The memory
        fact (str):
        if_none_match (str | None): The ETag that is known: 304 where it still is the one

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Fact | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            fact=fact,
            client=client,
            if_none_match=if_none_match,
        )
    ).parsed
