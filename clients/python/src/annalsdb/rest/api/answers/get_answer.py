from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.standing_answer import StandingAnswer
from ...types import UNSET, Response


def _get_kwargs(
    group: str,
    answer: str,
    *,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["known_at"] = known_at

    params["as_of"] = as_of

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/v1/groups/{group}/answers/{answer}".format(
            group=quote(str(group), safe=""),
            answer=quote(str(answer), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Problem | StandingAnswer:
    if response.status_code == 200:
        response_200 = StandingAnswer.from_dict(response.json())

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | StandingAnswer]:
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
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> Response[Problem | StandingAnswer]:
    """Read a standing answer

    Args:
        group (str): The memory
        answer (str):
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | StandingAnswer]
    """

    kwargs = _get_kwargs(
        group=group,
        answer=answer,
        known_at=known_at,
        as_of=as_of,
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
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> Problem | StandingAnswer | None:
    """Read a standing answer

    Args:
        group (str): The memory
        answer (str):
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | StandingAnswer
    """

    return sync_detailed(
        group=group,
        answer=answer,
        client=client,
        known_at=known_at,
        as_of=as_of,
    ).parsed


async def asyncio_detailed(
    group: str,
    answer: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> Response[Problem | StandingAnswer]:
    """Read a standing answer

    Args:
        group (str): The memory
        answer (str):
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | StandingAnswer]
    """

    kwargs = _get_kwargs(
        group=group,
        answer=answer,
        known_at=known_at,
        as_of=as_of,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    answer: str,
    *,
    client: AuthenticatedClient | Client,
    known_at: str | None = UNSET,
    as_of: str | None = UNSET,
) -> Problem | StandingAnswer | None:
    """Read a standing answer

    Args:
        group (str): The memory
        answer (str):
        known_at (str | None): As we believed it at this time
        as_of (str | None): As it was in the world at this time: RFC 3339, 2024-03-15 or
            2024-03-15T09:30

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | StandingAnswer
    """

    return (
        await asyncio_detailed(
            group=group,
            answer=answer,
            client=client,
            known_at=known_at,
            as_of=as_of,
        )
    ).parsed
