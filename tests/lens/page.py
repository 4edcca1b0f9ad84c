"""page: looks into a page of `lens --html`, without a browser.

    page.py sums PAGE REPORT.json   its steps add up to its totals, and to the rows that
                                    --format json has of launches of one group
    page.py totals PAGE KERNEL NAME ...   prints these totals
    page.py safe PAGE FILE          nothing in FILE, a kernel's text, gets out of the JSON,
                                    which has all of its lines
    page.py facts PAGE              prints the launches: kernel, steps, and all of them
    page.py ways PAGE KERNEL        prints the branches: their line, and those they lead to"""
import base64
import collections
import hashlib
import json
import re
import sys


def read(path):
    with open(path, "rb") as file:
        text = file.read().decode("utf-8")  # it has to be valid
    found = re.search(r'<script type="application/json" id="data">\n(.*?)</script>', text,
                      re.S)
    return text, json.loads(found.group(1))


def lanes(mask, width):
    return width if mask == 1 else 0 if mask == 0 else bin(int(mask, 16)).count("1")


def steps_of(launch):
    """Each with what its pattern says: the kind, the warp, and what follows the kind."""
    for number, warp, *_ in launch["steps"]:
        kind, *more = launch["patterns"][number]
        yield kind, warp, *more


def sums_of(page, launch):
    """By name the sums over all steps, and by kind, line and name those of accesses."""
    sums, facts = collections.Counter(), {}
    for kind, warp, _, _, instructions, by_lanes, place, *more in steps_of(launch):
        sums["instructions"] += instructions
        sums["lane_instructions"] += by_lanes
        if kind == "o":
            sums["barriers"] += 1
        if kind == "b":
            sums["branches"] += 1
            sums["diverged"] += more[0]
            fact = facts.setdefault(("branch", launch["places"][place][1], ""),
                                    collections.Counter())
            fact["executions"] += 1
            fact["diverged"] += more[0]
        if kind != "a":
            continue
        what, number, _, mask, _, cost, ideal, used, _ = more
        name, space = launch["objects"][number]
        width = min(page["lanes"], launch["items"] - warp * page["lanes"])
        unit = {"local": "passes", "constant": "addresses"}.get(space, "sectors")
        step = {"accesses": 1, "lanes": lanes(mask, width), unit: cost,
                "ideal_" + unit: ideal, "used_bytes": used,
                "operations": lanes(mask, width) if what == "atomic" else 0}
        sums.update(step)
        facts.setdefault((what, launch["places"][place][1], name),
                         collections.Counter()).update(step)
    return sums, facts


def check_sums(page, report):
    rows, wrong, compared = collections.defaultdict(list), [], 0
    with open(report, encoding="utf-8") as file:
        for text in file:
            row = json.loads(text)
            rows[row.get("kernel")].append(row)  # the verdict is of no kernel
    for launch in page["launches"]:
        kernel = launch["kernel"]
        sums, facts = sums_of(page, launch)
        whole = len(launch["steps"]) == launch["steps_in_all"]
        for name, value in launch["totals"].items():
            if whole and "instructions" not in name and sums[name] != value:
                wrong.append(f"{kernel}: {name} add up to {sums[name]}, not {value}")
        if launch["groups"] > 1 or not whole:
            continue
        busy = launch["totals"]["lane_instructions"] / launch["totals"]["instructions"]
        expected = collections.defaultdict(collections.Counter)
        for row in rows[kernel]:
            if row["row"] == "launch" and abs(row["busy_lanes"] - busy) > 0.005:
                wrong.append(f"{kernel}: {busy} lanes busy, not {row['busy_lanes']}")
            if row["row"] in ("launch", "barrier", "total", "least"):
                continue
            fact = expected[row["row"], row["line"], row.get("name", "")]
            for name in ("executions", "diverged", "accesses", "used_bytes", "operations"):
                fact[name] += row.get(name, 0)
            for name in ("lanes", "sectors", "ideal_sectors", "passes", "ideal_passes",
                         "addresses", "ideal_addresses"):
                fact[name] += row.get(name, 0) * row.get("accesses", 0)
        for key in expected.keys() | facts.keys():
            compared += 1
            for name in expected[key].keys() | facts.get(key, {}).keys():
                want, have = expected[key][name], facts.get(key, {}).get(name, 0)
                room = 0.005 * expected[key]["accesses"] + 1e-6  # two decimals each
                if abs(want - have) > room:
                    wrong.append(f"{kernel} {key}: {name} {have}, not {want}")
    print("\n".join(wrong) or f"{compared} places agree")
    return bool(wrong)


def sum_of(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_safe(text, page, path):
    wrong = []
    with open(path, "rb") as file:
        lines = file.read().decode("utf-8", "replace").split("\n")
    shown = {number: line for launch in page["launches"] for file in launch["files"]
             for number, line in file["lines"]}
    for number, line in shown.items():
        if re.sub("\ufffd+", "?", lines[number - 1]) != re.sub("\ufffd+", "?", line):
            wrong.append(f"line {number} is {line!r}")
    if len(shown) < 3:
        wrong.append(f"only {len(shown)} lines")
    tags = re.findall(r"</?script|<!--", text)
    if tags != ["<script", "</script"] * 4:  # the data, and three scripts
        wrong.append(f"tags: {tags}")
    for tag in ("script", "style"):
        sums = "".join(f" 'sha256-{sum_of(inside)}'"
                       for inside in re.findall(f"<{tag}>(.*?)</{tag}>", text, re.S))
        if not sums or f"{tag}-src{sums};" not in text:
            wrong.append(f"the policy does not name each {tag}")
    if re.search(r"(src|href)=\"(?!data:,)|url\(|@import", text):
        wrong.append("it loads something")
    print("\n".join(wrong) or "safe")
    return bool(wrong)


def ways(launch):
    """Of each line with a branch: where lanes go from there, by line; 0: the end."""
    lines = {}
    for kind, _, _, _, _, _, place, *more in steps_of(launch):
        if kind == "b":
            to = lines.setdefault(launch["places"][place][1], set())
            to.update(launch["places"][way[1]][1] if way[1] >= 0 else 0
                      for way in more[1])
    for line, to in sorted(lines.items()):
        print(line, "to", *sorted(to))


def main():
    text, page = read(sys.argv[2])
    if sys.argv[1] == "sums":
        return check_sums(page, sys.argv[3])
    if sys.argv[1] == "safe":
        return check_safe(text, page, sys.argv[3])
    for launch in page["launches"]:
        if sys.argv[1] == "facts":
            print(launch["kernel"], len(launch["steps"]), launch["steps_in_all"])
        elif launch["kernel"] == sys.argv[3] and sys.argv[1] == "ways":
            ways(launch)
        elif launch["kernel"] == sys.argv[3]:
            print(*(launch["totals"][name] for name in sys.argv[4:]))
    return 0


sys.exit(main())
