/* sarif: a log with one run, in which each finding is a result. */
#define _GNU_SOURCE /* asprintf */
#include "sarif.h"
#include "base/memory.h"
#include "base/vocabulary.h"
#include "driver/version.h"
#include "findings.h"
#include "text/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct json json;

static void open_named(const char *name, char bracket) {
    json_name(&json, name);
    json_open(&json, bracket);
}

/* {"text": ...}, as all messages are. */
static void write_message(const char *name, const char *text) {
    open_named(name, '{');
    json_field(&json, "text", text);
    json_close(&json, '}');
}

static void write_rules(void) {
    const struct rule *rule;
    open_named("rules", '[');
    for (size_t i = 0; (rule = rule_number(i)); i++) {
        json_line(&json);
        json_open(&json, '{');
        json_field(&json, "id", rule->id);
        write_message("shortDescription", term(rule->title));
        json_close(&json, '}');
    }
    json_close(&json, ']');
}

static void write_tool(void) {
    open_named("tool", '{');
    open_named("driver", '{');
    json_field(&json, "name", "cllens");
    json_field(&json, "version", LOCKSTEP_VERSION);
    write_rules();
    json_close(&json, '}');
    json_close(&json, '}');
}

/* What could not be looked at, which is no finding. */
static void write_invocation(void) {
    open_named("invocations", '[');
    json_open(&json, '{');
    json_name(&json, "executionSuccessful");
    json_print(&json, "%s", findings.hidden_count > 0 ? "false" : "true");
    open_named("toolExecutionNotifications", '[');
    for (size_t i = 0; i < findings.hidden_count; i++) {
        const struct hidden *hidden = &findings.hidden[i];
        char *text = NULL;
        if (asprintf(&text, "%s was not looked at: %s", hidden->kernel, hidden->why) <
            0)
            lens_die("no memory for a message" HINT "try a smaller problem");
        json_line(&json);
        json_open(&json, '{');
        json_field(&json, "level", "error");
        write_message("message", text);
        json_close(&json, '}');
        free(text);
    }
    json_close(&json, ']');
    json_close(&json, '}');
    json_close(&json, ']');
}

/* A path as a URI has it (RFC 3986); it is relative to the working folder, if it is
 * below that. */
static void write_uri(const char *path) {
    char *uri = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&uri, &bytes);
    fputs(*path == '/' ? "file://" : "", out);
    for (const char *c = path; *c; c++)
        if (isascii((unsigned char)*c) &&
            (isalnum((unsigned char)*c) || strchr("-._~/", *c)))
            fputc(*c, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*c);
    fclose(out);
    json_field(&json, "uri", uri);
    free(uri);
}

static void write_region(const struct spot *spot) {
    open_named("region", '{');
    json_count(&json, "startLine", spot->line);
    if (spot->column)
        json_count(&json, "startColumn", spot->column);
    if (spot->text && *spot->text)
        write_message("snippet", spot->text);
    json_close(&json, '}');
}

/* Names of `locations` or `relatedLocations`, with one place in it, or none. */
static void write_location(const char *name, const struct spot *spot) {
    open_named(name, '[');
    if (spot->file) {
        json_open(&json, '{');
        open_named("physicalLocation", '{');
        open_named("artifactLocation", '{');
        write_uri(spot->file);
        json_close(&json, '}');
        if (spot->line)
            write_region(spot);
        json_close(&json, '}');
        if (spot->who)
            write_message("message", spot->who);
        json_close(&json, '}');
    }
    json_close(&json, ']');
}

static void write_who(const struct spot *spot, const char *item, const char *group) {
    if (spot->item >= 0)
        json_count(&json, item, (uint64_t)spot->item);
    if (spot->group >= 0)
        json_count(&json, group, (uint64_t)spot->group);
}

static void write_properties(const struct finding *finding) {
    open_named("properties", '{');
    json_field(&json, "kernel", finding->kernel);
    json_field(&json, "arguments", finding->arguments);
    if (finding->name)
        json_field(&json, "memory", finding->name);
    if (rule_is_count(finding->rule)) {
        json_count(&json, "value", finding->value);
        json_count(&json, "needed", finding->needed);
    }
    json_count(&json, "lanes", finding->lanes);
    write_who(&finding->at, "item", "group");
    write_who(&finding->other, "otherItem", "otherGroup");
    json_name(&json, "fails");
    json_print(&json, "%s", finding->fails ? "true" : "false");
    json_close(&json, '}');
}

static const char *level_of(const struct finding *finding) {
    const bool is_count = rule_is_count(finding->rule);
    return finding->is_note || (is_count && !finding->is_grave) ? "note"
           : is_count                                           ? "warning"
                                                                : "error";
}

static void write_result(const struct finding *finding) {
    json_line(&json);
    json_open(&json, '{');
    json_field(&json, "ruleId", finding->rule->id);
    json_field(&json, "level", level_of(finding));
    char *text = NULL;
    if (asprintf(&text, "%s: %s", finding->kernel, finding->message) < 0)
        lens_die("no memory for a message" HINT "try a smaller problem");
    write_message("message", text);
    free(text);
    write_location("locations", &finding->at);
    if (finding->other.file)
        write_location("relatedLocations", &finding->other);
    write_properties(finding);
    json_close(&json, '}');
}

void sarif_write(FILE *out) {
    json = (struct json){.out = out};
    json_open(&json, '{');
    json_field(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_field(&json, "version", "2.1.0");
    open_named("runs", '[');
    json_open(&json, '{');
    write_tool();
    write_invocation();
    json_field(&json, "columnKind", "unicodeCodePoints");
    open_named("results", '[');
    for (size_t i = 0; i < findings.count; i++)
        write_result(&findings.all[i]);
    json_close(&json, ']');
    json_close(&json, '}');
    json_close(&json, ']');
    json_close(&json, '}');
    fputc('\n', out);
    fflush(out);
}
