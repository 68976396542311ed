"""Generate src/annalsdb/rest from the OpenAPI document of a service.

python generate.py openapi.json OUTPUT
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

HERE = Path(__file__).parent
LINES = "application/x-ndjson"


def simplified(document: dict[str, Any]) -> dict[str, Any]:
    """Leave out what only repeats: the shorter paths to agents, and searches that a URL can hold."""
    for path in [path for path in document["paths"] if path.startswith("/v1/agents")]:
        del document["paths"][path]
    for item in document["paths"].values():
        if item.get("get", {}).get("operationId", "").endswith("-simply"):
            del item["get"]
    return plain(document)


def plain(node: Any) -> Any:
    """Make ids texts, as callers keep them, and lines bytes. What is null counts as left out, so no list need be null."""
    if isinstance(node, list):
        return [plain(value) for value in node]
    if not isinstance(node, dict):
        return node
    node = {name: plain(value) for name, value in node.items() if (name, value) != ("format", "uuid")}
    if node.get("type") in (["array", "null"], ["object", "null"]):
        node["type"] = node["type"][0]
    if lines := node.get(LINES):
        lines["schema"] = {"type": "string", "format": "binary"}
    return node


def without_unset(folder: Path) -> None:
    """Say None in signatures, which is what the templates make of the generator's Unset."""
    for file in folder.rglob("*.py"):
        file.write_text(re.sub(r"(\| Unset\b)+", "| None", file.read_text()))
    for command in ("ruff check . --fix-only --extend-select=I,F401,PYI016 -q", "ruff format --line-length 120 -q ."):
        subprocess.run(command.split(), cwd=folder, check=True)


def main(source: str, output: str) -> None:
    settings = ConfigFile(
        literal_enums=True,
        content_type_overrides={LINES: "application/octet-stream"},
        post_hooks=[],
    )
    with tempfile.NamedTemporaryFile("w", suffix=".json") as document:
        json.dump(simplified(json.loads(Path(source).read_text())), document)
        document.flush()
        config = Config.from_sources(
            settings,
            MetaType.NONE,
            Path(document.name),
            file_encoding="utf-8",
            overwrite=True,
            output_path=Path(output),
        )
        if errors := generate(config=config, custom_template_path=HERE / "templates"):
            sys.exit("\n".join(f"{error.header}: {error.detail}" for error in errors))
    without_unset(Path(output))


if __name__ == "__main__":
    main(*sys.argv[1:])
