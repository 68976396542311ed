from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.new_event import NewEvent
from ...models.problem import Problem
from ...models.stream_agent_event_error import StreamAgentEventError
from ...models.stream_agent_event_rest import StreamAgentEventRest
from ...models.stream_agent_event_step import StreamAgentEventStep
from ...types import Response


def _get_kwargs(
    group: str,
    agent: str,
    *,
    body: NewEvent,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v1/groups/{group}/agents/{agent}/stream".format(
            group=quote(str(group), safe=""),
            agent=quote(str(agent), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep]:
    if response.status_code == 200:
        response_200 = []
        _response_200 = response.text
        for response_200_item_data in _response_200:

            def _parse_response_200_item(
                data: object,
            ) -> StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep:
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    response_200_item_event_error = StreamAgentEventError.from_dict(data)

                    return response_200_item_event_error
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    response_200_item_event_rest = StreamAgentEventRest.from_dict(data)

                    return response_200_item_event_rest
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                if not isinstance(data, dict):
                    raise TypeError()
                response_200_item_event_step = StreamAgentEventStep.from_dict(data)

                return response_200_item_event_step

            response_200_item = _parse_response_200_item(response_200_item_data)

            response_200.append(response_200_item)

        return response_200

    response_default = Problem.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep]]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewEvent,
) -> Response[Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep]]:
    """Tell an agent something, and hear what it does while it does it

     Server-sent events: a step as soon as it is kept; rest when the agent rests, or error with a
    problem, which ends the stream. Leaving the stream leaves the turn unfinished, for /resume.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (NewEvent):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep]]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewEvent,
) -> Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep] | None:
    """Tell an agent something, and hear what it does while it does it

     Server-sent events: a step as soon as it is kept; rest when the agent rests, or error with a
    problem, which ends the stream. Leaving the stream leaves the turn unfinished, for /resume.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (NewEvent):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep]
    """

    return sync_detailed(
        group=group,
        agent=agent,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewEvent,
) -> Response[Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep]]:
    """Tell an agent something, and hear what it does while it does it

     Server-sent events: a step as soon as it is kept; rest when the agent rests, or error with a
    problem, which ends the stream. Leaving the stream leaves the turn unfinished, for /resume.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (NewEvent):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep]]
    """

    kwargs = _get_kwargs(
        group=group,
        agent=agent,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    group: str,
    agent: str,
    *,
    client: AuthenticatedClient | Client,
    body: NewEvent,
) -> Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep] | None:
    """Tell an agent something, and hear what it does while it does it

     Server-sent events: a step as soon as it is kept; rest when the agent rests, or error with a
    problem, which ends the stream. Leaving the stream leaves the turn unfinished, for /resume.

    Args:
        group (str): The memory
        agent (str): Its name or id
        body (NewEvent):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Problem | list[StreamAgentEventError | StreamAgentEventRest | StreamAgentEventStep]
    """

    return (
        await asyncio_detailed(
            group=group,
            agent=agent,
            client=client,
            body=body,
        )
    ).parsed
