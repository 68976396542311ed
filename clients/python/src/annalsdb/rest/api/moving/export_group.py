from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...types import UNSET, File, Response


def _get_kwargs(
    group: str,
    *,
    vectors: bool | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["vectors"] = vectors

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/export".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> File | Problem:
    if response.status_code == 200:
        response_200 = File(payload=BytesIO(response.content))

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[File | Problem]:
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
    vectors: bool | None = UNSET,
) -> Response[File | Problem]:
    """Write a group as JSON lines, with its history

     Ids and times are as they are. The last line has a checksum of all others: an export without it is
    not whole.

    Args:
        group (str): The memory
        vectors (bool | None): With the vectors, which makes it several times as long and saves
            making them anew

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        vectors=vectors,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    vectors: bool | None = UNSET,
) -> File | Problem | None:
    """Write a group as JSON lines, with its history

     Ids and times are as they are. The last line has a checksum of all others: an export without it is
    not whole.

    Args:
        group (str): The memory
        vectors (bool | None): With the vectors, which makes it several times as long and saves
            making them anew

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        vectors=vectors,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    vectors: bool | None = UNSET,
) -> Response[File | Problem]:
    """Write a group as JSON lines, with its history

     Ids and times are as they are. The last line has a checksum of all others: an export without it is
    not whole.

    Args:
        group (str): The memory
        vectors (bool | None): With the vectors, which makes it several times as long and saves
            making them anew

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[File | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        vectors=vectors,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    vectors: bool | None = UNSET,
) -> File | Problem | None:
    """Write a group as JSON lines, with its history

     Ids and times are as they are. The last line has a checksum of all others: an export without it is
    not whole.

    Args:
        group (str): The memory
        vectors (bool | None): With the vectors, which makes it several times as long and saves
            making them anew

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        File | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            vectors=vectors,
        )
    ).parsed
