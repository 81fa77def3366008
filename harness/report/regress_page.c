/* What changed between two builds as a page, JSON and SARIF. Words of cases and plug-ins are text there, never HTML. */
#include "harness/case/formats.h"
#include "harness/localise/location_json.h"
#include "harness/report/html.h"
#include "harness/report/regress_parts.h"
#include "harness/report/sarif.h"
#include "harness/triage/json_file.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A file in the directory of the page. */
static enum harness_status write_file(const struct harness_regress *regress, const char *name,
                                      const struct harness_text *text, struct harness_error *error)
{
    char path[4096];
    if (text->failed)
        return harness_fail_memory(error);
    const int length = snprintf(path, sizeof path, "%s/%s", regress->directory, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", regress->directory);
    return harness_file_write(path, text->data, text->size, error);
}

/* ------------------------------------------------------------------------------------------------------------- page */

static void add_figure(const char *file, const char *caption, struct harness_text *out)
{
    harness_text_format(out,
                        "<figure><a href=\"%s\"><img loading=\"lazy\" src=\"%s\" alt=\"%s\"></a>"
                        "<figcaption>%s</figcaption></figure>\n",
                        file, file, caption, caption);
}

static void add_picture(const struct regress_entry *entry, const struct report_picture *picture,
                        struct harness_text *out)
{
    const struct oracle_surface *const surface = &picture->surface;
    harness_text_add(out, "<h3>");
    report_picture_title(picture, out);
    harness_text_format(out, ", %s: %" PRIu64 " pixel%s differ%s, first x %" PRIu32 ", y %" PRIu32 " (y up)</h3>\n",
                        entry->at_end ? "at the end of the case" : "after that operation", picture->differing,
                        picture->differing == 1 ? "" : "s", picture->differing == 1 ? "s" : "", picture->first_x,
                        picture->first_y);
    if (picture->width != surface->width || picture->height != surface->height)
        harness_text_format(out, "<p class=\"soft\">The part of %" PRIu32 "x%" PRIu32 " around that pixel.</p>\n",
                            picture->width, picture->height);
    add_figure(picture->first, "before", out);
    add_figure(picture->second, "after", out);
    add_figure(picture->difference, "difference", out);
}

static void add_pre(const char *text, struct harness_text *out)
{
    if (text[0] == '\0')
        return;
    harness_text_add(out, "<pre>");
    harness_html_text(out, text);
    harness_text_add(out, "</pre>\n");
}

static const char *message_of(const struct regress_entry *entry)
{
    return entry->message != NULL ? entry->message : "";
}

/* One case that is not the same. */
static void add_entry(const struct regress_entry *entry, size_t number, struct harness_text *out)
{
    struct harness_text place;
    harness_text_format(out, "<h2 id=\"case%zu\">", number);
    harness_html_text(out, entry->path);
    harness_text_format(out, ": <span class=\"%s\">%s%s</span></h2>\n", entry->accepted ? "known" : "bad",
                        harness_outcome_name(entry->outcome), entry->accepted ? ", accepted by the baseline" : "");
    harness_text_init(&place);
    harness_location_text(&entry->location, &place);
    add_pre(harness_text_string(&place), out);
    for (size_t i = 0; i < entry->picture_count; i++)
        add_picture(entry, &entry->pictures[i], out);
    if (entry->outcome == HARNESS_DIVERGE && entry->picture_count == 0)
        harness_text_add(out, "<p>No picture shows it.</p>\n");
    if (place.size == 0) {
        add_pre(message_of(entry), out);
    } else {
        harness_text_add(out, "<details><summary>What differs after that operation</summary>\n");
        add_pre(message_of(entry), out);
        harness_text_add(out, "</details>\n");
    }
    harness_text_free(&place);
}

static bool is_hidden(const struct regress_entry *entry)
{
    return harness_outcome_exit(entry->outcome) == HARNESS_EXIT_OK;
}

/* The cases of a verdict that one looks at only if one wants to. */
static void add_hidden(const struct harness_regress *regress, enum harness_outcome outcome, struct harness_text *out)
{
    const size_t count = harness_regress_count(regress, outcome, true);
    if (count == 0)
        return;
    harness_text_format(out, "<details><summary>%zu %s</summary>\n<ul>\n", count, harness_outcome_name(outcome));
    for (size_t i = 0; i < regress->count; i++) {
        const struct regress_entry *const entry = &regress->entries[i];
        if (entry->outcome != outcome)
            continue;
        harness_text_add(out, "<li>");
        harness_html_text(out, entry->path);
        harness_text_add(out, outcome != HARNESS_AGREE ? ": " : "");
        harness_html_text(out, outcome != HARNESS_AGREE ? message_of(entry) : "");
        harness_text_add(out, "</li>\n");
    }
    harness_text_add(out, "</ul></details>\n");
}

/* "12 cases: 11 agree, 1 diverge" */
static void add_summary(const struct harness_regress *regress, struct harness_text *out)
{
    harness_text_format(out, "<p>%zu case%s:", regress->count, regress->count == 1 ? "" : "s");
    harness_regress_totals(regress, out);
    harness_text_add(out, ". <a href=\"index.json\">JSON</a></p>\n<table class=\"facts\">\n<tr><th>before</th><td>");
    harness_html_text(out, regress->names[0]);
    harness_text_add(out, "</td></tr>\n<tr><th>after</th><td>");
    harness_html_text(out, regress->names[1]);
    harness_text_add(out, "</td></tr>\n<tr><th>compared</th><td>");
    harness_html_text(out, regress->compared[0] != '\0' ? regress->compared : "everything");
    harness_text_add(out, "</td></tr>\n</table>\n");
}

static enum harness_status write_html(const struct harness_regress *regress, struct harness_error *error)
{
    struct harness_text page;
    harness_text_init(&page);
    harness_html_begin(&page, "picafuzz: what changed", NULL);
    add_summary(regress, &page);
    size_t shown = 0;
    for (size_t i = 0; i < regress->count; i++)
        if (!is_hidden(&regress->entries[i]))
            add_entry(&regress->entries[i], ++shown, &page);
    if (shown == 0)
        harness_text_add(&page, "<p class=\"fine\">Nothing changed.</p>\n");
    else
        harness_text_add(&page, "<p class=\"soft\">In differences white differs in what is shown; red only in alpha, "
                                "stencil or low bits of depth.</p>\n");
    add_hidden(regress, HARNESS_AGREE, &page);
    add_hidden(regress, HARNESS_VACUOUS, &page);
    add_hidden(regress, HARNESS_NOT_TESTED, &page);
    harness_html_end(&page);
    const enum harness_status status = write_file(regress, "index.html", &page, error);
    harness_text_free(&page);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

static cJSON *picture_json(const struct report_picture *picture)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "buffer", picture->origin);
    if (!picture->is_screen)
        cJSON_AddNumberToObject(object, "address", picture->surface.address);
    cJSON_AddNumberToObject(object, "differing", (double)picture->differing);
    cJSON_AddNumberToObject(object, "x", picture->first_x);
    cJSON_AddNumberToObject(object, "y", picture->first_y);
    cJSON_AddStringToObject(object, "before", picture->first);
    cJSON_AddStringToObject(object, "after", picture->second);
    cJSON_AddStringToObject(object, "difference", picture->difference);
    return object;
}

static cJSON *entry_json(const struct regress_entry *entry)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", entry->path);
    cJSON_AddStringToObject(object, "verdict", harness_outcome_name(entry->outcome));
    if (entry->accepted)
        cJSON_AddBoolToObject(object, "accepted", true);
    if (entry->outcome != HARNESS_AGREE)
        cJSON_AddStringToObject(object, "message", message_of(entry));
    if (entry->location.differs)
        cJSON_AddItemToObject(object, "location", harness_location_json(&entry->location));
    if (entry->picture_count == 0)
        return object;
    cJSON *const pictures = cJSON_AddArrayToObject(object, "pictures");
    for (size_t i = 0; i < entry->picture_count; i++)
        cJSON_AddItemToArray(pictures, picture_json(&entry->pictures[i]));
    return object;
}

static enum harness_status write_json(const struct harness_regress *regress, struct harness_error *error)
{
    cJSON *const root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "picafuzz regress 1");
    cJSON_AddStringToObject(root, "before", regress->names[0]);
    cJSON_AddStringToObject(root, "after", regress->names[1]);
    if (regress->compared[0] != '\0')
        cJSON_AddStringToObject(root, "compared", regress->compared);
    cJSON *const cases = cJSON_AddArrayToObject(root, "cases");
    for (size_t i = 0; i < regress->count; i++)
        cJSON_AddItemToArray(cases, entry_json(&regress->entries[i]));
    struct harness_text text;
    harness_text_init(&text);
    harness_json_text(root, &text);
    const enum harness_status status = write_file(regress, "index.json", &text, error);
    harness_text_free(&text);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ SARIF */

static enum harness_status write_sarif(const struct harness_regress *regress, struct harness_error *error)
{
    char path[4096];
    size_t count = 0;
    const int length = snprintf(path, sizeof path, "%s/findings.sarif", regress->directory);
    struct harness_sarif_result *const results = calloc(regress->count + 1, sizeof *results);
    if (results == NULL)
        return harness_fail_memory(error);
    for (size_t i = 0; i < regress->count; i++) {
        const struct regress_entry *const entry = &regress->entries[i];
        if (!is_hidden(entry))
            results[count++] =
                (struct harness_sarif_result){ .rule = harness_outcome_name(entry->outcome),
                                               .message = message_of(entry),
                                               .path = entry->path,
                                               .accepted = entry->accepted ? "accepted by the baseline" : NULL };
    }
    const enum harness_status status =
        length > 0 && (size_t)length < sizeof path
            ? harness_sarif_write(path, results, count, error)
            : harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", regress->directory);
    free(results);
    return status;
}

enum harness_status harness_regress_finish(const struct harness_regress *regress, struct harness_error *error)
{
    enum harness_status status = write_html(regress, error);
    if (status == HARNESS_OK)
        status = write_json(regress, error);
    return status == HARNESS_OK ? write_sarif(regress, error) : status;
}
