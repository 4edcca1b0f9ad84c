"""What GPUs have measured, in docs/results/nvidia-h200.csv and nvidia-h100.csv.  The card
that answers for a step is the one that docs/results/answers.tsv names."""

import csv
from typing import NamedTuple

from files import read
from runs import StepRow

CARDS = ("H200", "H100")
ANSWERS = "docs/results/answers.tsv"


class Pair(NamedTuple):
    """The rows of two variants, the card that has measured them, and when."""

    card: str
    date: str
    rows: list[StepRow]


def pair(rows: list[StepRow], stem: str, variants: list[str]) -> list[StepRow]:
    """The first row of each of two variants; [] unless both have a time."""
    found: dict[str, StepRow] = {}
    for row in rows:
        if row["step"] == stem and float(row["median_ms"] or 0) > 0:
            found.setdefault(row["variant"], row)
    both = [found[variant] for variant in variants if variant in found]
    return both if len(both) == 2 else []


def stored(stem: str, variants: list[str]) -> Pair:
    """Without rows if no card has measured both."""
    answers = read(ANSWERS)
    for card in sorted(
        CARDS, key=lambda card: f"measured\t{stem}\t{card}\n" not in answers
    ):
        lines = read(f"docs/results/nvidia-{card.lower()}.csv").splitlines()
        dates = [line[8:] for line in lines if line.startswith("# date: ")]
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        both = pair(list(rows), stem, variants)
        if both:
            return Pair(card, "".join(dates[:1]), both)
    return Pair("", "", [])
