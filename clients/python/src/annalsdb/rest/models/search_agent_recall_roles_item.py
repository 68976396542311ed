from typing import Literal, cast

SearchAgentRecallRolesItem = Literal[
    "assistant",
    "user",
]


def check_search_agent_recall_roles_item(value: str | None) -> SearchAgentRecallRolesItem:
    return cast(SearchAgentRecallRolesItem, value)
