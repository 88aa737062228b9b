"""Sources of labels: rules, language models, columns of a table; what each is worth."""

from honeybayes.sources.answers import map_answers as map_answers
from honeybayes.sources.bill import describe_bill as describe_bill
from honeybayes.sources.language_models import Asked as Asked
from honeybayes.sources.language_models import ChatServer as ChatServer
from honeybayes.sources.language_models import ask_model as ask_model
from honeybayes.sources.language_models import choose_texts as choose_texts
from honeybayes.sources.rules import Rule as Rule
from honeybayes.sources.rules import RuleAnswers as RuleAnswers
from honeybayes.sources.rules import apply_rules as apply_rules
from honeybayes.sources.rules import read_rules as read_rules
