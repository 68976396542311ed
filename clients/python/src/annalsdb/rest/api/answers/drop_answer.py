from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...types import Response


def _get_kwargs(
    group: str,
    answer: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/v1/groups/{group}/answers/{answer}".format(
            group=quote(str(group), safe=""),
            answer=quote(str(answer), safe=""),
        ),
    }

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
    answer: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Any | Problem]:
    """Keep a question answered no longer

     Its history stays, for who asks what was known.

    Args:
        group (str): The memory
        answer (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        answer=answer,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    answer: str,
    *,
    client: AuthenticatedClient | Client,
) -> Any | Problem | None:
    """Keep a question answered no longer

     Its history stays, for who asks what was known.

    Args:
        group (str): The memory
        answer (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem
    """

    return sync_detailed(
        group=group,
        answer=answer,
        client=client,
    ).parsed


async def asyncio_detailed(
    group: str,
    answer: str,
    *,
    client: AuthenticatedClient | Client,
) -> Response[Any | Problem]:
    """Keep a question answered no longer

     Its history stays, for who asks what was known.

    Args:
        group (str): The memory
        answer (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Problem]
    """

    kwargs = _get_kwargs(
        group=group,
        answer=answer,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    answer: str,
    *,
    client: AuthenticatedClient | Client,
) -> Any | Problem | None:
    """Keep a question answered no longer

     Its history stays, for who asks what was known.

    Args:
        group (str): The memory
        answer (str):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Problem
    """

    return (
        await asyncio_detailed(
            group=group,
            answer=answer,
            client=client,
        )
    ).parsed
