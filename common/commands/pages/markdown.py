"""Numbers, tables and links, as pages have them."""

from __future__ import annotations

import os
from pathlib import Path


def number(text: str) -> float:
    """Of a field that may be empty, which is 0."""
    return float(text or 0)


def grouped(value: float | str) -> str:
    """1,234,567"""
    return f"{float(value):,.0f}"


def significant(value: float | str) -> str:
    """Four significant digits; large numbers whole."""
    return f"{float(value):.4g}" if float(value) < 10000 else grouped(value)


def quotient(a: float, b: float, unit: str = "") -> str:
    return f"{a / b:.3g}{unit}" if a and b else "–"


def table(titles: list[str], rows: list[list[str]], sides: str = "l") -> list[str]:
    """With blank lines around it.  sides: l or r for each column; r, if it does not say."""
    head = "|" + "".join(f" {title} |" if title else " |" for title in titles)
    dashes = ["---|" if side == "l" else "--:|" for side in sides.ljust(len(titles), "r")]
    body = ["|" + "".join(f" {cell} |" for cell in row) for row in rows]
    return ["", head, "|" + "".join(dashes), *body, ""]


def fenced(lines: list[str]) -> list[str]:
    return ["```text", *lines, "```"]


def link(page: Path, target: Path) -> str:
    """From a page to a file."""
    return os.path.relpath(target, page.parent)
