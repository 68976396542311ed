from typing import Literal, cast

QueryRerankItem = Literal[
    "cross_encoder",
    "mentions",
    "mmr",
    "node_distance",
    "salience",
]


def check_query_rerank_item(value: str | None) -> QueryRerankItem:
    return cast(QueryRerankItem, value)
