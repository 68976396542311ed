from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.fact import Fact
from ...models.fact_change import FactChange
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    fact: str,
    *,
    body: FactChange,
    if_match: str | None = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/v1/groups/{group}/facts/{fact}".format(
            group=quote(str(group), safe=""),
            fact=quote(str(fact), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

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
    body: FactChange,
    if_match: str | None = UNSET,
) -> Response[Fact | Problem]:
    """Correct what a fact says

     What is left out stays as it is. The history keeps the fact as it was.

    Args:
        group (str): The memory
        fact (str):
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (FactChange):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Fact | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
        body=body,
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
    body: FactChange,
    if_match: str | None = UNSET,
) -> Fact | Problem | None:
    """Correct what a fact says

     What is left out stays as it is. The history keeps the fact as it was.

    Args:
        group (str): The memory
        fact (str):
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (FactChange):

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
        body=body,
        if_match=if_match,
    ).parsed


async def asyncio_detailed(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
    body: FactChange,
    if_match: str | None = UNSET,
) -> Response[Fact | Problem]:
    """Correct what a fact says

     What is left out stays as it is. The history keeps the fact as it was.

    Args:
        group (str): The memory
        fact (str):
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (FactChange):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Fact | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        fact=fact,
        body=body,
        if_match=if_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    fact: str,
    *,
    client: AuthenticatedClient | Client,
    body: FactChange,
    if_match: str | None = UNSET,
) -> Fact | Problem | None:
    """Correct what a fact says

     What is left out stays as it is. The history keeps the fact as it was.

    Args:
        group (str): The memory
        fact (str):
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (FactChange):

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
            body=body,
            if_match=if_match,
        )
    ).parsed
