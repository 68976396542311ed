from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.confirmed_body import ConfirmedBody
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    fact: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/groups/{group}/facts/{fact}/confirm".format(
            group=quote(str(group), safe=""),
            fact=quote(str(fact), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> ConfirmedBody | Problem:
    if response.status_code == 200:
        response_200 = ConfirmedBody.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ConfirmedBody | Problem]:
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
) -> Response[ConfirmedBody | Problem]:
    """Take back that a fact was confirmed by hand

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ConfirmedBody | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
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
) -> ConfirmedBody | Problem | None:
    """Take back that a fact was confirmed by hand

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ConfirmedBody | Problem
    """

    return sync_detailed(
        group=group,
        fact=fact,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[ConfirmedBody | Problem]:
    """Take back that a fact was confirmed by hand

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ConfirmedBody | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
) -> ConfirmedBody | Problem | None:
    """Take back that a fact was confirmed by hand

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ConfirmedBody | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            fact=fact,
            client=client,
        )
    ).parsed
