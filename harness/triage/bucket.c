#include "harness/triage/bucket.h"

#include "harness/run/dump.h"
#include "pica/events.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void add_events(struct harness_text *key, const struct pica_events *events)
{
    const char *separator = "; undefined: ";
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++) {
        const struct pica_event_info *const info = pica_event_info((enum pica_event)event);
        if (!pica_events_has(events, info->event))
            continue;
        harness_text_format(key, "%s%s", separator, info->name);
        separator = ", ";
    }
}

/* "diverge in submit: color (color+alpha)", "crash in submit: signal 11: ...", "hang in fill" */
static void add_symptom(struct harness_text *key, const struct harness_symptom *symptom)
{
    harness_text_add(key, harness_symptom_kind_name(symptom->kind));
    if (symptom->kind == HARNESS_SYMPTOM_TEST)
        return;
    if (symptom->kind == HARNESS_SYMPTOM_RELATION) {
        harness_text_format(key, " %s%s", symptom->what, symptom->undefined ? ", undefined" : "");
        return;
    }
    harness_text_format(key, " in %s", harness_symptom_operation_name(symptom));
    if (symptom->kind == HARNESS_SYMPTOM_CRASH)
        harness_text_format(key, ": %s %d%s%s", symptom->code < 256 ? "signal" : "exit", symptom->code % 256,
                            symptom->detail[0] != '\0' ? ": " : "", symptom->detail);
    if (symptom->kind != HARNESS_SYMPTOM_DIVERGE)
        return;
    harness_text_format(key, ": %s", symptom->what);
    if (symptom->fields == 0)
        return;
    harness_text_add(key, " (");
    harness_symptom_fields_text(symptom, key);
    harness_text_add(key, ")");
}

/* The middle of the name: what differs, in letters that every file system likes. */
static void name_bucket(struct harness_bucket *bucket, const struct harness_symptom *symptom)
{
    const uint64_t hash = harness_digest_bytes(harness_text_string(&bucket->key), bucket->key.size);
    char what[32];
    const bool diverges = symptom->kind == HARNESS_SYMPTOM_DIVERGE || symptom->kind == HARNESS_SYMPTOM_RELATION;
    (void)snprintf(what, sizeof what, "%.31s", diverges ? symptom->what : harness_symptom_operation_name(symptom));
    for (char *at = what; *at != '\0'; at++)
        *at = isalnum((unsigned char)*at) != 0 ? (char)tolower((unsigned char)*at) : '-';
    (void)snprintf(bucket->name, sizeof bucket->name, "%s-%s-%08X", harness_symptom_kind_name(symptom->kind), what,
                   (unsigned)(hash & 0xFFFFFFFFu));
}

void harness_bucket_make(struct harness_bucket *out, const struct harness_symptom *symptom, const char *features,
                         const char *stage)
{
    harness_text_init(&out->key);
    add_symptom(&out->key, symptom);
    if (stage != NULL && stage[0] != '\0')
        harness_text_format(&out->key, "; stage %s", stage);
    if (features[0] != '\0')
        harness_text_format(&out->key, "; with %s", features);
    add_events(&out->key, &symptom->events);
    name_bucket(out, symptom);
}

void harness_bucket_free(struct harness_bucket *bucket)
{
    harness_text_free(&bucket->key);
}

bool harness_bucket_head(struct harness_case *test_case, const char *name, const struct harness_reduce_result *result,
                         const struct harness_bucket *bucket)
{
    struct harness_text head;
    harness_text_init(&head);
    harness_text_format(&head, "Reduced from %s, %" PRIu64 " to %" PRIu64 " bytes.\nBucket %s:\n%s", name,
                        result->progress.first_bytes, result->progress.bytes, bucket->name,
                        harness_text_string(&bucket->key));
    for (const char *line = result->message; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        harness_text_format(&head, "\n%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (!head.failed && head.size > HARNESS_MAX_TEXT)
        head.data[HARNESS_MAX_TEXT] = '\0';
    test_case->comment = head.failed ? NULL : harness_case_text(test_case, head.data, false);
    harness_text_free(&head);
    return test_case->comment != NULL;
}
