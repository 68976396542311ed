from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.picture import Picture
from ...models.problem import Problem
from ...types import UNSET, Response, Unset


def _get_kwargs(
    group: str,
    *,
    max_facts: int | None = 6000,
    around: list[str] | None = UNSET,
    hops: int | None = 1,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["max_facts"] = max_facts

    json_around: list[str] | None = UNSET
    if not isinstance(around, Unset):
        json_around = around

    params["around"] = json_around

    params["hops"] = hops

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/graph".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Picture | Problem:
    if response.status_code == 200:
        response_200 = Picture.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Picture | Problem]:
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
    max_facts: int | None = 6000,
    around: list[str] | None = UNSET,
    hops: int | None = 1,
) -> Response[Picture | Problem]:
    """Get entities and facts with every version, in columns

     For who draws it: what held and what was believed at any time follows from the one answer.

    Args:
        group (str): The memory
        max_facts (int | None): Facts at the most. A group with more is shown in part Default:
            6000.
        around (list[str] | None): Entities to show with what is near them, by their ids or
            names; left out: all, or the most salient
        hops (int | None): How far from those Default: 1.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Picture | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        max_facts=max_facts,
        around=around,
        hops=hops,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    max_facts: int | None = 6000,
    around: list[str] | None = UNSET,
    hops: int | None = 1,
) -> Picture | Problem | None:
    """Get entities and facts with every version, in columns

     For who draws it: what held and what was believed at any time follows from the one answer.

    Args:
        group (str): The memory
        max_facts (int | None): Facts at the most. A group with more is shown in part Default:
            6000.
        around (list[str] | None): Entities to show with what is near them, by their ids or
            names; left out: all, or the most salient
        hops (int | None): How far from those Default: 1.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Picture | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        max_facts=max_facts,
        around=around,
        hops=hops,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    max_facts: int | None = 6000,
    around: list[str] | None = UNSET,
    hops: int | None = 1,
) -> Response[Picture | Problem]:
    """Get entities and facts with every version, in columns

     For who draws it: what held and what was believed at any time follows from the one answer.

    Args:
        group (str): The memory
        max_facts (int | None): Facts at the most. A group with more is shown in part Default:
            6000.
        around (list[str] | None): Entities to show with what is near them, by their ids or
            names; left out: all, or the most salient
        hops (int | None): How far from those Default: 1.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Picture | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        max_facts=max_facts,
        around=around,
        hops=hops,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    max_facts: int | None = 6000,
    around: list[str] | None = UNSET,
    hops: int | None = 1,
) -> Picture | Problem | None:
    """Get entities and facts with every version, in columns

     For who draws it: what held and what was believed at any time follows from the one answer.

    Args:
        group (str): The memory
        max_facts (int | None): Facts at the most. A group with more is shown in part Default:
            6000.
        around (list[str] | None): Entities to show with what is near them, by their ids or
            names; left out: all, or the most salient
        hops (int | None): How far from those Default: 1.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Picture | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            max_facts=max_facts,
            around=around,
            hops=hops,
        )
    ).parsed
