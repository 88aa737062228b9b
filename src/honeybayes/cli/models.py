"""``honeybayes models``: list the models of the zoo."""

from typing import Any

from honeybayes.cli._output import print_json, print_table
from honeybayes.zoo import RECOMMENDED, describe_model, list_models, settings_of

AUTO = "auto"
CHOICE = f"The default of `fit`: chooses among {', '.join(RECOMMENDED)} by labels and texts"
FACTS = ("name", "summary", "recommended_with", "paper", "equations", "estimator", "parameters")


def models(name: str | None = None, json: bool = False) -> None:
    """List the models with their papers and equations. Recommended models come first.

    Example: honeybayes models HCNB

    Arguments:
      name: Show all about this model, and its settings.
    """
    described = [_describe(each) for each in ([name] if name else [AUTO, *list_models()])]
    if name:
        known = {} if name == AUTO else settings_of(name)
        settings = {key: {"value": v, "meaning": m} for key, (v, m) in known.items()}
        about = described[0] | {"settings": settings}
    if json:
        print_json(about if name else described)
    elif name:
        facts = [[fact, about[fact]] for fact in FACTS[1:] if about[fact]]
        print_table(["name", about["name"]], facts)
        if settings:
            print(f"\nSettings, which may follow the name: --model '{name} setting=value'")
            rows = [[setting, *told.values()] for setting, told in settings.items()]
            print_table(["setting", "value", "meaning"], rows)
    else:
        advice = {name: f"Recommended with {what}. " for name, what in RECOMMENDED.items()}
        print_table(
            ["model", "what it is", "paper"],
            [
                [each["name"], advice.get(each["name"], "") + each["summary"], paper]
                for each in described
                for paper in [(each["paper"] or "").partition(":")[0]]
            ],
        )


def _describe(name: str) -> dict[str, Any]:
    if name == AUTO:
        return dict.fromkeys(FACTS) | {"name": AUTO, "summary": CHOICE, "parameters": {}}
    entry = describe_model(name)
    about = vars(entry) | {"recommended_with": RECOMMENDED.get(entry.name)}
    about |= {"estimator": entry.estimator.replace(":", ".")}
    return {fact: about[fact] for fact in FACTS}
