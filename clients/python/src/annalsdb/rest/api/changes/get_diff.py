from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.diff import Diff
from ...models.problem import Problem
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    *,
    from_: str,
    to: str | None = UNSET,
    limit: int | None = 100,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["from"] = from_

    params["to"] = to

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/diff".format(
            group=quote(str(group), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Diff | Problem:
    if response.status_code == 200:
        response_200 = Diff.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Diff | Problem]:
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
    from_: str,
    to: str | None = UNSET,
    limit: int | None = 100,
) -> Response[Diff | Problem]:
    """Compare what was believed at two times

     Both are times of belief, not of the world.

    Args:
        group (str): The memory
        from_ (str): The earlier time
        to (str | None): The later time; left out: now
        limit (int | None): Facts, and entities, at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Diff | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        from_=from_,
        to=to,
        limit=limit,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    from_: str,
    to: str | None = UNSET,
    limit: int | None = 100,
) -> Diff | Problem | None:
    """Compare what was believed at two times

     Both are times of belief, not of the world.

    Args:
        group (str): The memory
        from_ (str): The earlier time
        to (str | None): The later time; left out: now
        limit (int | None): Facts, and entities, at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Diff | Problem
    """

    return sync_detailed(
        group=group,
        client=client,
        from_=from_,
        to=to,
        limit=limit,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    from_: str,
    to: str | None = UNSET,
    limit: int | None = 100,
) -> Response[Diff | Problem]:
    """Compare what was believed at two times

     Both are times of belief, not of the world.

    Args:
        group (str): The memory
        from_ (str): The earlier time
        to (str | None): The later time; left out: now
        limit (int | None): Facts, and entities, at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Diff | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        from_=from_,
        to=to,
        limit=limit,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    from_: str,
    to: str | None = UNSET,
    limit: int | None = 100,
) -> Diff | Problem | None:
    """Compare what was believed at two times

     Both are times of belief, not of the world.

    Args:
        group (str): The memory
        from_ (str): The earlier time
        to (str | None): The later time; left out: now
        limit (int | None): Facts, and entities, at the most Default: 100.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Diff | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            from_=from_,
            to=to,
            limit=limit,
        )
    ).parsed
