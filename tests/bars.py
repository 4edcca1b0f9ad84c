"""bars.py SVG : what its bars are long, by the ticks of its axis, and what they were drawn of.

A line for each bar: the length that the geometry says, and the one in the comment.  Nothing but
the coordinates is used for the first: the places of the numbers below the axis give its scale,
and a bar is a polygon from the left end of the axis to its value."""

import math
import re
import sys

svg = open(sys.argv[1], encoding="utf-8").read()
text = re.findall(
    r'translate\(([0-9.]+),([0-9.]+)\)"[^>]*text-anchor="middle">\s*<text>'
    r"(?:<tspan[^>]*>)?\s*([0-9.]+)<",
    svg,
)
below = max(float(y) for _, y, _ in text)
ticks = [(float(x), float(value)) for x, y, value in text if float(y) == below]
is_log = "(logarithmic)" in svg
scale = math.log10 if is_log else float
(x0, first), (x1, last) = ticks[0], ticks[-1]


def value(x: float) -> float:
    at = scale(first) + (x - x0) * (scale(last) - scale(first)) / (x1 - x0)
    return 10**at if is_log else at


polygons = re.findall(r"<polygon fill *= *'[^']*' *points *= *'([^']*)'", svg)
corners = [[tuple(map(float, c.split(","))) for c in each.split()] for each in polygons]
left = min(ticks)[0]
drawn = [each for each in corners if abs(min(x for x, _ in each) - left) < 0.1]
drawn.sort(key=lambda each: min(y for _, y in each))
comment = svg.rpartition("<!-- ")[2].split("\n\n")[0].split("\n")[1:]
told = [line.split()[2] for line in comment if line.split()[2] != "?"]
assert len(drawn) == len(told), (len(drawn), len(told))
for each, length in zip(drawn, told):
    print(f"{value(max(x for x, _ in each)):.4g} {length}")
