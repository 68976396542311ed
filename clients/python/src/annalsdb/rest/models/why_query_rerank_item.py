from typing import Literal, cast

WhyQueryRerankItem = Literal[
    "cross_encoder",
    "mentions",
    "mmr",
    "node_distance",
    "salience",
]


def check_why_query_rerank_item(value: str | None) -> WhyQueryRerankItem:
    return cast(WhyQueryRerankItem, value)
