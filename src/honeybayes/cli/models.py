"""``honeybayes models``: list the models of the zoo."""

from honeybayes.cli._output import print_json, print_table
from honeybayes.zoo import RECOMMENDED, describe_model, list_models, settings_of

AUTO = "auto"
CHOICE = f"The default of `fit`: chooses among {', '.join(RECOMMENDED)} by labels and texts"


def models(name: str | None = None, json: bool = False) -> None:
    """List the models with their papers and equations. Recommended models come first.

    Example: honeybayes models HCNB

    Arguments:
      name: Show all about this model, and its settings.
    """
    if name == AUTO:
        if json:
            print_json({"name": AUTO, "summary": CHOICE})
        else:
            print_table(["name", AUTO], [["summary", CHOICE]])
        return
    names = [name] if name else list_models()
    entries = [describe_model(known) for known in names]
    shown = ("name", "summary", "recommended_with", "paper", "equations", "estimator", "parameters")
    described = []
    for entry in entries:
        about = vars(entry) | {"recommended_with": RECOMMENDED.get(entry.name)}
        about |= {"estimator": entry.estimator.replace(":", ".")}
        described.append({fact: about[fact] for fact in shown})
    if name:
        settings = {key: {"value": v, "meaning": m} for key, (v, m) in settings_of(name).items()}
        described[0]["settings"] = settings
    if json:
        print_json(described[0] if name else described)
    elif name:
        _, *facts, _ = [fact for fact in described[0].items() if fact[1]]
        print_table(["name", name], facts)
        print(f"\nSettings, which may follow the name: --model '{name} setting=value'")
        rows = [[setting, *told.values()] for setting, told in settings.items()]
        print_table(["setting", "value", "meaning"], rows)
    else:
        advice = {name: f"Recommended with {what}. " for name, what in RECOMMENDED.items()}
        rows = [
            [entry.name, advice.get(entry.name, "") + entry.summary, entry.paper.split(":")[0]]
            for entry in entries
        ]
        print_table(["model", "what it is", "paper"], [[AUTO, CHOICE, ""], *rows])
