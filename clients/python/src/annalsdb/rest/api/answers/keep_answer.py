from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem import Problem
from ...models.standing_answer import StandingAnswer
from ...models.standing_question import StandingQuestion
from ...types import Response


def _get_kwargs(
    group: str,
    *,
    body: StandingQuestion,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/answers".format(
            group=quote(str(group), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
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
    *,
    client: AuthenticatedClient | Client,
    body: StandingQuestion,
) -> Response[Problem | StandingAnswer]:
    """Keep a question answered

     It is answered at once, and from then on whenever something bears on it. What the group keeps
    already is not asked again.

    Args:
        group (str): The memory
        body (StandingQuestion):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | StandingAnswer]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: StandingQuestion,
) -> Problem | StandingAnswer | None:
    """Keep a question answered

     It is answered at once, and from then on whenever something bears on it. What the group keeps
    already is not asked again.

    Args:
        group (str): The memory
        body (StandingQuestion):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | StandingAnswer
    """

    return sync_detailed(
        group=group,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: StandingQuestion,
) -> Response[Problem | StandingAnswer]:
    """Keep a question answered

     It is answered at once, and from then on whenever something bears on it. What the group keeps
    already is not asked again.

    Args:
        group (str): The memory
        body (StandingQuestion):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | StandingAnswer]
    """

    kwargs = _get_kwargs(
        group=group,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    *,
    client: AuthenticatedClient | Client,
    body: StandingQuestion,
) -> Problem | StandingAnswer | None:
    """Keep a question answered

     It is answered at once, and from then on whenever something bears on it. What the group keeps
    already is not asked again.

    Args:
        group (str): The memory
        body (StandingQuestion):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | StandingAnswer
    """

    return (
        await asyncio_detailed(
            group=group,
            client=client,
            body=body,
        )
    ).parsed
