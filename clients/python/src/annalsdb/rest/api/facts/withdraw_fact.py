from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    fact: str,
    *,
    if_match: str | None = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/groups/{group}/facts/{fact}".format(
            group=quote(str(group), safe=""),
            fact=quote(str(fact), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Any | Problem:
    if response.status_code == 204:
        response_204 = cast(Any, None)
        return response_204

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Any | Problem]:
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
    if_match: str | None = UNSET,
) -> Response[Any | Problem]:
    """Withdraw a fact

     For what never was so; what has merely ended is closed by adding what is true now. The history keeps
    the fact.

    Args:
        group (str): The memory
        fact (str):
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
        if_match=if_match,
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
    if_match: str | None = UNSET,
) -> Any | Problem | None:
    """Withdraw a fact

     For what never was so; what has merely ended is closed by adding what is true now. The history keeps
    the fact.

    Args:
        group (str): The memory
        fact (str):
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem
    """

    return sync_detailed(
        group=group,
        fact=fact,
        client=client,
        if_match=if_match,
    ).parsed


async def asyncio_detailed(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
    if_match: str | None = UNSET,
) -> Response[Any | Problem]:
    """Withdraw a fact

     For what never was so; what has merely ended is closed by adding what is true now. The history keeps
    the fact.

    Args:
        group (str): The memory
        fact (str):
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
        if_match=if_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
    if_match: str | None = UNSET,
) -> Any | Problem | None:
    """Withdraw a fact

     For what never was so; what has merely ended is closed by adding what is true now. The history keeps
    the fact.

    Args:
        group (str): The memory
        fact (str):
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            fact=fact,
            client=client,
            if_match=if_match,
        )
    ).parsed
