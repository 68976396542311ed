from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.fact_trace import FactTrace
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    fact: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/facts/{fact}/trace".format(
            group=quote(str(group), safe=""),
            fact=quote(str(fact), safe=""),
        ),
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> FactTrace | Problem:
    if response.status_code == 200:
        response_200 = FactTrace.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[FactTrace | Problem]:
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
) -> Response[FactTrace | Problem]:
    """Tell why a fact is what it is

     Its versions and what made each, the episodes with the sentence that says it, what was decided, what
    it ended for. Also of one that is gone.

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FactTrace | Problem]
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
) -> FactTrace | Problem | None:
    """Tell why a fact is what it is

     Its versions and what made each, the episodes with the sentence that says it, what was decided, what
    it ended for. Also of one that is gone.

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FactTrace | Problem
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
) -> Response[FactTrace | Problem]:
    """Tell why a fact is what it is

     Its versions and what made each, the episodes with the sentence that says it, what was decided, what
    it ended for. Also of one that is gone.

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[FactTrace | Problem]
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
) -> FactTrace | Problem | None:
    """Tell why a fact is what it is

     Its versions and what made each, the episodes with the sentence that says it, what was decided, what
    it ended for. Also of one that is gone.

    Args:
        group (str): The memory
        fact (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        FactTrace | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            fact=fact,
            client=client,
        )
    ).parsed
