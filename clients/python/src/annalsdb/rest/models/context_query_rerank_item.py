from typing import Literal, cast

ContextQueryRerankItem = Literal[
    "cross_encoder",
    "mentions",
    "mmr",
    "node_distance",
    "salience",
]


def check_context_query_rerank_item(value: str | None) -> ContextQueryRerankItem:
    return cast(ContextQueryRerankItem, value)
