"""``honeybayes models``: list the models of the zoo."""

import sys

from honeybayes.cli._output import print_json, print_table
from honeybayes.zoo import RECOMMENDED, describe_model, list_models


def models(name: str | None = None, json: bool = False) -> None:
    """List the models with their papers and equations. Recommended models come first.

    Example: honeybayes models HCNB

    Arguments:
      name: Show all about this model.
    """
    names = [name] if name else dict.fromkeys([*RECOMMENDED, *list_models()])
    entries = [describe_model(known) for known in names]
    described = [
        {
            "name": entry.name,
            "summary": entry.summary,
            "recommended_with": RECOMMENDED.get(entry.name),
            "paper": entry.paper,
            "equations": entry.equations,
            "estimator": entry.estimator.replace(":", "."),
            "parameters": dict(entry.parameters),
        }
        for entry in entries
    ]
    if json:
        print_json(described[0] if name else described)
    elif name:
        _, *facts = [fact for fact in described[0].items() if fact[1]]
        print_table(["name", name], facts)
    else:
        advice = {name: f"Recommended with {what}. " for name, what in RECOMMENDED.items()}
        rows = [
            [entry.name, advice.get(entry.name, "") + entry.summary, entry.paper.split(":")[0]]
            for entry in entries
        ]
        print_table(["model", "what it is", "paper"], rows)
        if sys.stdout.isatty():  # a pipe gets only rows
            print("\nIf in doubt, omit --model: `honeybayes fit` then chooses one for your texts.")
