from typing import Literal, cast

AskingQueryRerankItem = Literal[
    "cross_encoder",
    "mentions",
    "mmr",
    "node_distance",
    "salience",
]


def check_asking_query_rerank_item(value: str | None) -> AskingQueryRerankItem:
    return cast(AskingQueryRerankItem, value)
