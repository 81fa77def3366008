/* Writes a pack. Everything is computed first; the file appears whole or not at all. */
#include "harness/vectors/write.h"

#include "harness/case/formats.h"
#include "harness/run/recording.h"
#include "harness/vectors/console.h"
#include "harness/vectors/format.h"
#include "harness/vectors/machines.h"
#include "harness/vectors/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    PATH_SIZE = 4096
};

static const struct pica_choices normative = { { 0 } };

/* A pack that grows. */
struct maker {
    const char *path;
    char results[PATH_SIZE]; /* of a file beside it */
    const struct vectors_source *source;
    struct vectors_written *written;
    struct vectors_machines *machines;
    struct harness_recorder *recorder;
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_surfaces *surfaces;
    struct vectors_sides *asked;              /* every other side of every choice */
    struct harness_text cases, payload, text; /* blocks; one of them; a case as text */
    uint64_t *seen;                           /* digests of all that cases leave, sorted by when they came */
    size_t seen_count;
};

/* What became of one case. */
struct made {
    struct vectors_steps steps;
    enum vectors_where touched[PICA_CHOICES];
    enum vectors_provenance provenance;
};

/* ---------------------------------------------------------------------------------------------------------- results */

/* Date and host are left out, so that the same cases always make the same file. */
static enum harness_status open_recorder(struct maker *maker, struct harness_error *error)
{
    struct harness_recording_head head = {
        .backend = "reference", .budgets = PICA_BUDGETS_ALL, .float24 = 1, .date = "frozen"
    };
    (void)snprintf(head.program, sizeof head.program, "%s", maker->source->program);
    (void)snprintf(maker->results, PATH_SIZE, "%s.results", maker->path);
    oracle_scope_all(&head.scope);
    const enum harness_status status = harness_recording_head(maker->results, &head, error);
    return status == HARNESS_OK ? harness_recorder_open(maker->results, &maker->recorder, error) : status;
}

static enum harness_status put_results(struct maker *maker, struct harness_text *out, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    harness_recorder_close(maker->recorder);
    maker->recorder = NULL;
    enum harness_status status = harness_recording_end(maker->results, error);
    if (status == HARNESS_OK)
        status = harness_file_read(maker->results, &bytes, &size, error);
    if (status != HARNESS_OK)
        return status;
    harness_text_clear(&maker->payload);
    harness_put_text(&maker->payload, "");
    harness_text_bytes(&maker->payload, bytes, size);
    free(bytes);
    harness_put_block(out, VECTORS_SIDE, &maker->payload);
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------------ cases */

static void surface_words(const struct harness_surface *listed, uint32_t words[VECTORS_SURFACE_WORDS])
{
    const struct oracle_surface *const surface = &listed->surface;
    words[0] = (uint32_t)listed->origin;
    words[1] = surface->address;
    words[2] = surface->width;
    words[3] = surface->height;
    words[4] = surface->pitch;
    words[5] = (uint32_t)surface->format;
    words[6] = (uint32_t)surface->layout;
    words[7] = surface->rows_reversed;
}

static void drop_surfaces(struct harness_surfaces *surfaces)
{
    size_t kept = 0;
    for (size_t i = 0; i < surfaces->count; i++) {
        uint32_t words[VECTORS_SURFACE_WORDS];
        surface_words(&surfaces->items[i], words);
        if (vectors_holds_surface(words))
            surfaces->items[kept++] = surfaces->items[i];
    }
    surfaces->count = kept;
}

static void put_surfaces(struct harness_text *out, const struct harness_surfaces *surfaces)
{
    harness_text_word(out, (uint32_t)surfaces->count);
    for (size_t i = 0; i < surfaces->count; i++) {
        uint32_t words[VECTORS_SURFACE_WORDS];
        surface_words(&surfaces->items[i], words);
        for (size_t k = 0; k < VECTORS_SURFACE_WORDS; k++)
            harness_text_word(out, words[k]);
    }
}

static void put_digests(struct harness_text *out, const struct vectors_steps *steps)
{
    harness_text_word(out, (uint32_t)steps->count);
    for (size_t i = 0; i < steps->count; i++) {
        harness_text_word(out, steps->items[i].step | steps->items[i].what << 16);
        harness_text_word(out, (uint32_t)steps->items[i].digest);
        harness_text_word(out, (uint32_t)(steps->items[i].digest >> 32));
    }
}

static enum harness_status put_case_text(struct maker *maker, struct harness_text *out, struct harness_error *error)
{
    harness_text_clear(&maker->text);
    const enum harness_status status = harness_pcase_write(maker->test_case, &maker->text, error);
    if (status != HARNESS_OK)
        return status;
    harness_text_word(out, (uint32_t)maker->text.size);
    harness_put_deflated(out, &maker->text, 9);
    return HARNESS_OK;
}

static void put_touched(struct harness_text *out, const struct made *made)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        count += made->touched[i] != VECTORS_NOWHERE;
    harness_text_word(out, count);
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        if (made->touched[i] == VECTORS_NOWHERE)
            continue;
        harness_text_word(out, (uint32_t)made->touched[i]);
        harness_put_text(out, pica_choice_info(i)->name);
    }
}

/* Everything of the case behind its version. */
static enum harness_status put_case(struct maker *maker, const struct vectors_item *item, const struct made *made,
                                    struct harness_text *out, struct harness_error *error)
{
    harness_text_word(out, (uint32_t)made->provenance);
    harness_text_word(out, made->steps.tells);
    harness_put_text(out, item->name);
    harness_put_text(out, item->area);
    harness_put_text(out, item->rules);
    harness_put_text(out, item->evidence);
    put_surfaces(out, maker->surfaces);
    put_digests(out, &made->steps);
    put_touched(out, made);
    return put_case_text(maker, out, error);
}

static size_t find_before(const struct vectors *before, const char *name)
{
    const size_t count = before != NULL ? vectors_count(before) : 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(vectors_about(before, i)->name, name) == 0)
            return i;
    return SIZE_MAX;
}

static bool same_digests(const struct vectors_steps *steps, const struct vectors_digest *items, size_t count)
{
    for (size_t i = 0; i < count && i < steps->count; i++)
        if (steps->items[i].step != items[i].step || steps->items[i].what != items[i].what ||
            steps->items[i].digest != items[i].digest)
            return false;
    return steps->count == count;
}

/* The version of the pack before, or the next one if the case must leave something else now. */
static uint32_t version_of(struct maker *maker, const struct vectors_item *item, const struct made *made)
{
    const struct vectors *const before = maker->source->before;
    const struct vectors_digest *items = NULL;
    const size_t old = find_before(before, item->name);
    if (old == SIZE_MAX)
        return 1;
    const size_t count = vectors_digests(before, old, &items);
    const bool is_amended = !same_digests(&made->steps, items, count);
    maker->written->amended += is_amended;
    return vectors_about(before, old)->version + is_amended;
}

/* Does an earlier case leave the same after each of its operations? */
static bool is_seen(struct maker *maker, const struct vectors_steps *steps)
{
    uint64_t digest = 0;
    for (size_t i = 0; i < steps->count; i++) {
        const uint64_t words[3] = { steps->items[i].step, steps->items[i].what, steps->items[i].digest };
        if (steps->items[i].what < VECTORS_SURFACE)
            digest = XXH3_64bits_withSeed(words, sizeof words, digest);
    }
    for (size_t i = 0; i < maker->seen_count; i++)
        if (maker->seen[i] == digest)
            return true;
    maker->seen[maker->seen_count++] = digest;
    return false;
}

/* Runs the case once more and keeps it. */
static enum harness_status record_case(struct maker *maker, const struct vectors_item *item, struct made *made,
                                       struct harness_runner *runner, struct harness_error *error)
{
    vectors_steps_free(&made->steps);
    enum harness_status status =
        vectors_take_steps(runner, maker->program, maker->surfaces, &made->steps, maker->recorder, item->name, error);
    if (status != HARNESS_OK)
        return status;
    harness_text_clear(&maker->payload);
    harness_text_word(&maker->payload, version_of(maker, item, made));
    status = put_case(maker, item, made, &maker->payload, error);
    harness_put_block(&maker->cases, VECTORS_CASE, &maker->payload);
    maker->written->cases++;
    return status;
}

static bool has_open_side(uint32_t choice)
{
    for (uint32_t side = 1; side < pica_side_count(choice); side++)
        if (vectors_side_is_open(choice, side))
            return true;
    return false;
}

/* A result that depends on an open choice is a split at best, whatever the case is about. A choice that the case is not
 * about counts only if it shows in memory: what a register holds after reset shows nearly everywhere. */
static enum vectors_provenance provenance_of(const struct vectors_item *item, const struct made *made)
{
    bool is_split = false;
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        is_split = is_split || (has_open_side(i) &&
                                (made->touched[i] == VECTORS_IN_MEMORY ||
                                 (made->touched[i] == VECTORS_ELSEWHERE && vectors_rules_name(item->rules, i))));
    if (item->provenance >= VECTORS_SPLIT)
        return item->provenance;
    if (is_split)
        return VECTORS_SPLIT;
    return made->steps.undefined ? VECTORS_CHOICE : item->provenance;
}

static enum harness_status find_touching(struct maker *maker, struct made *made, struct harness_error *error)
{
    struct vectors_sides touching;
    const enum harness_status status =
        vectors_machines_touching(maker->machines, maker->program, &normative, maker->asked, &touching, error);
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        for (uint32_t side = 0; side < PICA_MOST_SIDES; side++)
            if (touching.at[i][side] > made->touched[i])
                made->touched[i] = touching.at[i][side];
    return status;
}

/* What stands behind the case, and what touches it. */
static enum harness_status judge_case(struct maker *maker, const struct vectors_item *item, struct made *made,
                                      struct harness_error *error)
{
    struct vectors_console console;
    enum harness_status status = find_touching(maker, made, error);
    if (status == HARNESS_OK)
        status = vectors_console_read(maker->test_case, &console, error);
    made->provenance = item->provenance;
    if (status == HARNESS_OK && console.count == 0)
        made->provenance = provenance_of(item, made);
    return status;
}

/* A case that may be left out, with all that is to be found out about it. */
static enum harness_status make_new(struct maker *maker, const struct vectors_item *item, struct made *made,
                                    struct harness_runner *runner, struct harness_error *error)
{
    enum harness_status status =
        vectors_take_steps(runner, maker->program, maker->surfaces, &made->steps, NULL, NULL, error);
    if (status != HARNESS_OK)
        return status;
    if ((made->steps.tells & ~(uint32_t)PICA_PART_EVENTS) == 0) {
        maker->written->silent++;
        return HARNESS_OK;
    }
    if (is_seen(maker, &made->steps)) {
        maker->written->same++;
        return HARNESS_OK;
    }
    status = judge_case(maker, item, made, error);
    if (status == HARNESS_OK)
        status = vectors_machine(maker->machines, &normative, &runner, error); /* others came since */
    return status == HARNESS_OK ? record_case(maker, item, made, runner, error) : status;
}

static enum harness_status make_loaded(struct maker *maker, size_t index, struct made *made,
                                       struct harness_error *error)
{
    const struct vectors_source *const source = maker->source;
    const struct vectors_item *const item = &source->items[index];
    struct harness_runner *runner = NULL;
    enum harness_status status = vectors_machine(maker->machines, &normative, &runner, error);
    if (status == HARNESS_OK)
        status = vectors_find_surfaces(runner, maker->program, maker->surfaces, error);
    if (status != HARNESS_OK)
        return status;
    drop_surfaces(maker->surfaces);
    if (!source->again || vectors_format(source->before) != VECTORS_VERSION)
        return make_new(maker, item, made, runner, error);
    made->provenance = item->provenance;
    memcpy(made->touched, vectors_about(source->before, index)->touched, sizeof made->touched);
    return record_case(maker, item, made, runner, error);
}

static enum harness_status make_case(struct maker *maker, size_t index, struct harness_error *error)
{
    struct made made = { .provenance = VECTORS_CHOICE };
    enum harness_status status = maker->source->load(maker->source->what, index, maker->test_case, error);
    if (status == HARNESS_OK)
        status = harness_case_setup(maker->test_case, maker->program, error);
    if (status == HARNESS_OK)
        status = make_loaded(maker, index, &made, error);
    vectors_steps_free(&made.steps);
    if (status != HARNESS_OK)
        harness_error_prefix(error, maker->source->items[index].name);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- file */

/* The pack gets a new version when anything of it does. */
static uint32_t pack_version(const struct maker *maker)
{
    const struct vectors *const before = maker->source->before;
    if (before == NULL)
        return 1;
    return vectors_pack_version(before) +
           (maker->written->amended != 0 || maker->written->cases != vectors_count(before));
}

static void put_head(struct maker *maker, struct harness_text *out)
{
    harness_text_clear(&maker->payload);
    harness_text_word(&maker->payload, VECTORS_VERSION);
    harness_text_word(&maker->payload, pack_version(maker));
    harness_text_word(&maker->payload, (uint32_t)maker->written->cases);
    harness_text_word(&maker->payload, 1); /* SIDE */
    harness_put_text(&maker->payload, maker->source->program);
    harness_put_block(out, VECTORS_HEAD, &maker->payload);
}

static enum harness_status finish(struct maker *maker, struct harness_error *error)
{
    const struct harness_text nothing = { 0 };
    struct harness_text file = { 0 };
    harness_text_bytes(&file, vectors_magic, VECTORS_MAGIC);
    put_head(maker, &file);
    enum harness_status status = put_results(maker, &file, error);
    harness_text_bytes(&file, maker->cases.data, maker->cases.size);
    harness_put_block(&file, VECTORS_LAST, &nothing);
    if (status == HARNESS_OK)
        status = file.failed || maker->cases.failed ? harness_fail_memory(error)
                                                    : harness_file_write(maker->path, file.data, file.size, error);
    harness_text_free(&file);
    return status;
}

static void clean(struct maker *maker)
{
    harness_recorder_close(maker->recorder);
    if (maker->results[0] != '\0')
        (void)unlink(maker->results);
    vectors_machines_destroy(maker->machines);
    harness_program_destroy(maker->program);
    harness_case_destroy(maker->test_case);
    harness_text_free(&maker->cases);
    harness_text_free(&maker->payload);
    harness_text_free(&maker->text);
    free(maker->surfaces);
    free(maker->asked);
    free(maker->seen);
    free(maker);
}

static void ask_all(struct vectors_sides *asked)
{
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        for (uint32_t side = 1; side < pica_side_count(i); side++)
            asked->at[i][side] = VECTORS_ELSEWHERE;
}

static struct maker *create(const char *path, const struct vectors_source *source, struct vectors_written *out)
{
    struct maker *const maker = calloc(1, sizeof *maker);
    if (maker == NULL)
        return NULL;
    maker->path = path;
    maker->source = source;
    maker->written = out;
    maker->machines = vectors_machines_create();
    maker->test_case = harness_case_create();
    maker->program = harness_program_create();
    maker->surfaces = calloc(1, sizeof *maker->surfaces);
    maker->asked = calloc(1, sizeof *maker->asked);
    maker->seen = calloc(source->count + 1, sizeof *maker->seen);
    if (maker->machines != NULL && maker->test_case != NULL && maker->program != NULL && maker->surfaces != NULL &&
        maker->asked != NULL && maker->seen != NULL) {
        ask_all(maker->asked);
        return maker;
    }
    clean(maker);
    return NULL;
}

enum harness_status vectors_write(const char *path, const struct vectors_source *source, struct vectors_written *out,
                                  struct harness_error *error)
{
    memset(out, 0, sizeof *out);
    struct maker *const maker = create(path, source, out);
    if (maker == NULL)
        return harness_fail_memory(error);
    enum harness_status status = open_recorder(maker, error);
    for (size_t i = 0; i < source->count && status == HARNESS_OK; i++)
        status = make_case(maker, i, error);
    if (status == HARNESS_OK)
        status = finish(maker, error);
    clean(maker);
    return status;
}
