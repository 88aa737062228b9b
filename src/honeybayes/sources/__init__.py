"""Sources of labels: rules, language models, columns of a table; what each is worth."""

from honeybayes.sources.answers import encode_answers, map_answers
from honeybayes.sources.bill import advise_to_keep, describe_bill, make_bill, measure_share
from honeybayes.sources.language_models import (
    Asked,
    ChatServer,
    ask_model,
    choose_texts,
    make_prompt,
    parse_reply,
)
from honeybayes.sources.rules import (
    Rule,
    RuleAnswers,
    apply_rules,
    describe_rules,
    read_rules,
    suggest_rules,
)

__all__ = [
    "Asked",
    "ChatServer",
    "Rule",
    "RuleAnswers",
    "advise_to_keep",
    "apply_rules",
    "ask_model",
    "choose_texts",
    "describe_bill",
    "describe_rules",
    "encode_answers",
    "make_bill",
    "make_prompt",
    "map_answers",
    "measure_share",
    "parse_reply",
    "read_rules",
    "suggest_rules",
]
