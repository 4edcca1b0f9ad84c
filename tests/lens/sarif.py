# sarif.py [SCHEMA] : is stdin a valid log of SARIF 2.1.0?  Says what is not as it should be; and
# prints a line for each result: level, rule, file:line:column, its message.  SCHEMA is the
# official one, for which jsonschema is needed; what it would find in a log of the lens, the
# checks below find as well.
import json
import sys
import urllib.parse


def need(condition, what):
    if not condition:
        sys.exit(f"not valid: {what}")


def check_text(message, where):
    need(set(message) == {"text"} and isinstance(message["text"], str), where)
    need(message["text"], f"{where} is empty")


def check_location(location):
    need(set(location) <= {"physicalLocation", "message"}, "a location's names")
    physical = location["physicalLocation"]
    need(set(physical) <= {"artifactLocation", "region"}, "a place's names")
    uri = physical["artifactLocation"]["uri"]
    need(urllib.parse.quote(urllib.parse.unquote(uri), "/:") == uri, f"uri {uri}")
    region = physical.get("region", {})
    need(set(region) <= {"startLine", "startColumn", "snippet"}, "a region's names")
    for name in "startLine", "startColumn":
        number = region.get(name, 1)
        need(type(number) is int and number >= 1, f"{name} {number}")
    if "message" in location:
        check_text(location["message"], "a location's message")


def check_result(result, ids):
    names = "ruleId level message locations relatedLocations properties".split()
    need(set(result) <= set(names), f"a result's names: {list(result)}")
    need(result["ruleId"] in ids, f"no rule {result['ruleId']}")
    need(result["level"] in ("error", "warning", "note"), result["level"])
    check_text(result["message"], "a message")
    need(len(result["locations"]) <= 1, "places of a result")
    for location in result["locations"] + result.get("relatedLocations", []):
        check_location(location)
    need(isinstance(result["properties"], dict), "properties")


def check_log(log):
    need(set(log) == {"$schema", "version", "runs"}, "the log's names")
    need(log["version"] == "2.1.0" and len(log["runs"]) == 1, "version, runs")
    run = log["runs"][0]
    need(
        set(run) == {"tool", "invocations", "columnKind", "results"}, "the run's names"
    )
    need(run["columnKind"] == "unicodeCodePoints", "columnKind")
    driver = run["tool"]["driver"]
    need(driver["name"] == "cllens" and driver["version"], "the driver")
    ids = [rule["id"] for rule in driver["rules"]]
    need(len(ids) == len(set(ids)) > 10, "rules")
    for rule in driver["rules"]:
        check_text(rule["shortDescription"], "a rule")
    for invocation in run["invocations"]:
        need(type(invocation["executionSuccessful"]) is bool, "executionSuccessful")
        for told in invocation["toolExecutionNotifications"]:
            need(told["level"] == "error", "a notification's level")
            check_text(told["message"], "a notification")
    for result in run["results"]:
        check_result(result, ids)


def place_of(result):
    place = result["locations"][0]["physicalLocation"]
    region = place.get("region", {})
    numbers = (str(region.get(name, "")) for name in ("startLine", "startColumn"))
    return ":".join([place["artifactLocation"]["uri"], *numbers])


log = json.load(sys.stdin.buffer)
check_log(log)
if len(sys.argv) > 1:
    import jsonschema

    with open(sys.argv[1], encoding="utf-8") as schema:
        jsonschema.Draft4Validator(json.load(schema)).validate(log)
for result in log["runs"][0]["results"]:
    print(
        result["level"], result["ruleId"], place_of(result), result["message"]["text"]
    )
for invocation in log["runs"][0]["invocations"]:
    for told in invocation["toolExecutionNotifications"]:
        print("hidden", told["message"]["text"])
