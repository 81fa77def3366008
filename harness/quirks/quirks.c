#include "harness/quirks/quirks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const expectations[] = { "fail", "crash", "flaky", "skip" };

const char *harness_expectation_name(uint32_t expectation)
{
    return expectation < sizeof expectations / sizeof expectations[0] ? expectations[expectation] : NULL;
}

struct harness_quirks *harness_quirks_create(void)
{
    return calloc(1, sizeof(struct harness_quirks));
}

void harness_quirks_destroy(struct harness_quirks *quirks)
{
    if (quirks == NULL)
        return;
    for (uint32_t i = 0; i < quirks->accepted_count; i++) {
        free((char *)quirks->accepted[i].bucket);
        free((char *)quirks->accepted[i].test_case);
        free((char *)quirks->accepted[i].note);
    }
    free(quirks->accepted);
    free(quirks->path);
    free(quirks);
}

enum harness_status harness_quirks_apply(const struct harness_quirks *quirks, struct harness_case *test_case,
                                         struct harness_quirks_result *out)
{
    bool failed = false;
    out->forced = harness_force_apply(&quirks->force, test_case);
    out->without = harness_without_has(&quirks->without, test_case, &failed);
    return out->forced >= 0 && !failed ? HARNESS_OK : HARNESS_NO_MEMORY;
}

/* ------------------------------------------------------------------------------------------------------------- text */

void harness_quirks_choices_text(const struct harness_quirks *quirks, struct harness_text *out)
{
    for (uint32_t choice = 0; choice < PICA_CHOICES; choice++) {
        const struct pica_side_info *const side = pica_side_info(choice, quirks->choices.sides[choice]);
        if (side != NULL && side->number != 0)
            harness_text_format(out, "+%s=%s", pica_choice_info(choice)->name, side->word);
    }
}

static void separate(struct harness_text *out, size_t before)
{
    if (out->size != before)
        harness_text_add(out, "; ");
}

static void tolerance_text(const struct oracle_tolerance *tolerance, struct harness_text *out)
{
    harness_text_format(out,
                        "tolerance: channels %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 ", depth %" PRIu32
                        ", edge %" PRIu32 ", filter %" PRIu32 ", ulps %" PRIu32,
                        tolerance->channels[0], tolerance->channels[1], tolerance->channels[2], tolerance->channels[3],
                        tolerance->depth, tolerance->edge, tolerance->filter, tolerance->ulps);
}

void harness_quirks_text(const struct harness_quirks *quirks, struct harness_text *out)
{
    const size_t before = out->size;
    uint32_t others = 0;
    for (uint32_t choice = 0; choice < PICA_CHOICES; choice++)
        others += quirks->choices.sides[choice] != 0;
    if (others != 0)
        harness_text_format(out, "choices: reference takes %" PRIu32 " other side%s", others, others == 1 ? "" : "s");
    if (quirks->force.count != 0) {
        separate(out, before);
        harness_text_format(out, "force: %" PRIu32 " statement%s", quirks->force.count,
                            quirks->force.count == 1 ? "" : "s");
    }
    for (uint32_t i = 0; i < quirks->without.count; i++) {
        if (i != 0 && strcmp(quirks->without.items[i].word, quirks->without.items[i - 1].word) == 0)
            continue;
        if (i == 0)
            separate(out, before);
        harness_text_format(out, "%s%s", i == 0 ? "without: " : ", ", quirks->without.items[i].word);
    }
    if (!oracle_tolerance_is_none(&quirks->tolerance)) {
        separate(out, before);
        tolerance_text(&quirks->tolerance, out);
    }
    if (quirks->accepted_count != 0) {
        separate(out, before);
        harness_text_format(out, "baseline: %" PRIu32 " accepted", quirks->accepted_count);
    }
}

/* --------------------------------------------------------------------------------------------------------- baseline */

bool harness_path_ends(const char *path, const char *name)
{
    const size_t length = strlen(path), size = strlen(name);
    return size <= length && strcmp(path + length - size, name) == 0 &&
           (size == length || path[length - size - 1] == '/');
}

const struct harness_accepted *harness_quirks_bucket(const struct harness_quirks *quirks, const char *bucket,
                                                     uint32_t version)
{
    for (uint32_t i = 0; i < quirks->accepted_count; i++) {
        const struct harness_accepted *const entry = &quirks->accepted[i];
        if (entry->bucket != NULL && entry->version == version && strcmp(entry->bucket, bucket) == 0)
            return entry;
    }
    return NULL;
}

uint32_t harness_quirks_buckets(const struct harness_quirks *quirks)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < quirks->accepted_count; i++)
        count += quirks->accepted[i].bucket != NULL;
    return count;
}

static bool expects(const struct harness_accepted *entry, enum harness_showing what)
{
    if (what == HARNESS_SHOWS_NOTHING)
        return false;
    switch (entry->expectation) {
    case HARNESS_EXPECT_FAIL: return what == HARNESS_SHOWS_DIFFERENCE;
    case HARNESS_EXPECT_CRASH: return what == HARNESS_SHOWS_CRASH;
    case HARNESS_EXPECT_FLAKY:
    case HARNESS_EXPECT_SKIP: return true; /* triage and report run even these; what they show is accepted */
    }
    return false; /* not reached */
}

const struct harness_accepted *harness_quirks_accepts(const struct harness_quirks *quirks,
                                                      const struct harness_shown *shown)
{
    const struct harness_accepted *entry =
        shown->test_case != NULL ? harness_quirks_case(quirks, shown->test_case) : NULL;
    if (entry != NULL && expects(entry, shown->what))
        return entry;
    entry = shown->bucket != NULL ? harness_quirks_bucket(quirks, shown->bucket, shown->version) : NULL;
    return entry != NULL && expects(entry, shown->what) ? entry : NULL;
}

const struct harness_accepted *harness_quirks_case(const struct harness_quirks *quirks, const char *path)
{
    for (uint32_t i = 0; i < quirks->accepted_count; i++)
        if (quirks->accepted[i].test_case != NULL && harness_path_ends(path, quirks->accepted[i].test_case))
            return &quirks->accepted[i];
    return NULL;
}
