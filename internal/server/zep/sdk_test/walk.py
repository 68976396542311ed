"""Calls every method of the client with made-up arguments, against nothing, and
prints for each which request it makes: a JSON object a line."""

import inspect
import json
import typing
from urllib.parse import unquote, urlsplit

import httpx
from zep_cloud import Zep

seen = []


def answer(request):
    seen.append((request.method, unquote(urlsplit(str(request.url)).path)))
    return httpx.Response(405, json={})


zep = Zep(api_key="key", base_url="http://zep.invalid", httpx_client=httpx.Client(transport=httpx.MockTransport(answer)), max_retries=0)


def request_of(method):
    """The request that a method makes, with a word for every argument that it demands."""
    arguments = {}
    for name, p in inspect.signature(method).parameters.items():
        if p.default is inspect.Parameter.empty and p.kind is not inspect.Parameter.VAR_KEYWORD:
            kind = str(p.annotation)
            arguments[name] = [] if "Sequence" in kind or "List" in kind else {} if "Dict" in kind or "Request" in kind else 1 if "int" in kind else "ANY"
    seen.clear()
    try:
        made = method(**arguments)
        if inspect.isgenerator(made) or isinstance(made, typing.Iterator):
            next(made)
    except Exception:  # it is not answered
        pass
    return seen[0] if seen else ("?", "?")


def walk(resource, path):
    for name in sorted(dir(type(resource))):
        if name.startswith("_") or name == "with_raw_response":
            continue
        if isinstance(inspect.getattr_static(type(resource), name), property):
            walk(getattr(resource, name), [*path, name])
        elif callable(getattr(resource, name)):
            method, route = request_of(getattr(resource, name))
            print(json.dumps({"call": ".".join([*path, name]), "method": method, "path": route}))


walk(zep, [])
