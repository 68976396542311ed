from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.ontology import Ontology
from ...models.problem import Problem
from ...types import UNSET, File, Response, Unset


def _get_kwargs(
    group: str,
    *,
    body: Ontology | File | None = UNSET,
    if_match: str | None = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    _kwargs: dict[str, Any] = {
        "method": "put",
        "url": "/v1/groups/{group}/ontology".format(
            group=quote(str(group), safe=""),
        ),
    }

    if isinstance(body, Ontology):
        _kwargs["json"] = body.to_dict()

        headers["Content-Type"] = "application/json"
    if isinstance(body, File):
        _kwargs["content"] = body.payload
        headers["Content-Type"] = "application/octet-stream"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Ontology | Problem:
    if response.status_code == 200:
        response_200 = Ontology.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Ontology | Problem]:
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
    body: Ontology | File | None = UNSET,
    if_match: str | None = UNSET,
) -> Response[Ontology | Problem]:
    """Give a group its kinds of entities and facts

     Episodes read from now on are read for them; {} takes them away again.

    Args:
        group (str): The memory
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (Ontology):
        body (File):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Ontology | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
        if_match=if_match,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: Ontology | File | None = UNSET,
    if_match: str | None = UNSET,
) -> Ontology | Problem | None:
    """Give a group its kinds of entities and facts

     Episodes read from now on are read for them; {} takes them away again.

    Args:
        group (str): The memory
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (Ontology):
        body (File):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Ontology | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        body=body,
        if_match=if_match,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: Ontology | File | None = UNSET,
    if_match: str | None = UNSET,
) -> Response[Ontology | Problem]:
    """Give a group its kinds of entities and facts

     Episodes read from now on are read for them; {} takes them away again.

    Args:
        group (str): The memory
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (Ontology):
        body (File):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Ontology | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
        if_match=if_match,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: Ontology | File | None = UNSET,
    if_match: str | None = UNSET,
) -> Ontology | Problem | None:
    """Give a group its kinds of entities and facts

     Episodes read from now on are read for them; {} takes them away again.

    Args:
        group (str): The memory
        if_match (str | None): The ETag that was read: 412 where it was changed in the meantime
        body (Ontology):
        body (File):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Ontology | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
            if_match=if_match,
        )
    ).parsed
