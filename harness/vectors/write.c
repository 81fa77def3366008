/* Writes a pack. Everything is computed first; the file appears whole or not at all. */
#include "harness/vectors/write.h"

#include "harness/case/formats.h"
#include "harness/run/recording.h"
#include "harness/vectors/format.h"
#include "harness/vectors/machines.h"
#include "harness/vectors/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

enum {
    PATH_SIZE = 4096
};

/* A pack that grows. */
struct maker {
    const char *path;
    const struct vectors_source *source;
    struct vectors_written *written;
    struct vectors_machines *machines;
    struct harness_recorder *recorders[VECTORS_ALL_MACHINES];
    uint32_t places[VECTORS_ALL_MACHINES]; /* of a side in the pack */
    uint32_t order[VECTORS_ALL_MACHINES];  /* the side at a place */
    uint32_t side_count;
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_surfaces *surfaces;
    struct harness_text cases, payload, text; /* blocks; one of them; a case as text */
    uint64_t *seen;                           /* digests of all that cases leave, sorted by when they came */
    size_t seen_count;
};

/* What became of one case. */
struct made {
    struct vectors_steps steps[VECTORS_MOST_SIDES + 1];
    uint32_t sides[VECTORS_MOST_SIDES];
    size_t side_count;
    struct vectors_open open;
};

static void put32(struct harness_text *out, uint32_t value)
{
    const uint8_t bytes[4] = { (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24) };
    harness_text_bytes(out, bytes, sizeof bytes);
}

static void put_text(struct harness_text *out, const char *text)
{
    const size_t size = strnlen(text, VECTORS_TEXT - 1);
    put32(out, (uint32_t)size);
    harness_text_bytes(out, text, size);
}

static void put_block(struct harness_text *out, enum vectors_kind kind, const struct harness_text *payload)
{
    put32(out, (uint32_t)kind);
    put32(out, (uint32_t)payload->size);
    put32(out, (uint32_t)crc32(0, (const Bytef *)payload->data, (uInt)payload->size));
    harness_text_bytes(out, payload->data, payload->size);
    out->failed = out->failed || payload->failed;
}

/* ------------------------------------------------------------------------------------------------------------ sides */

static void side_path(const struct maker *maker, size_t side, char out[PATH_SIZE])
{
    (void)snprintf(out, PATH_SIZE, "%s.side-%zu", maker->path, side);
}

/* Nothing of the day or the host goes in. */
static enum harness_status open_recorder(struct maker *maker, size_t side, struct harness_error *error)
{
    char path[PATH_SIZE];
    struct harness_runner *runner = NULL;
    struct harness_recording_head head = { .budgets = PICA_BUDGETS_ALL, .float24 = 1, .date = "frozen" };
    enum harness_status status = vectors_machine(maker->machines, side, &runner, error);
    if (status != HARNESS_OK || maker->recorders[side] != NULL)
        return status;
    (void)snprintf(head.backend, sizeof head.backend, "%s", harness_runner_backend(runner)->name);
    (void)snprintf(head.program, sizeof head.program, "%s", maker->source->program);
    oracle_scope_all(&head.scope);
    if (side != 0)
        head.scope.parts &= ~(uint32_t)PICA_PART_EVENTS; /* they mean nothing there */
    side_path(maker, side, path);
    status = harness_recording_head(path, &head, error);
    if (status == HARNESS_OK)
        status = harness_recorder_open(path, &maker->recorders[side], error);
    maker->places[side] = maker->side_count;
    maker->order[maker->side_count++] = (uint32_t)side;
    return status;
}

/* Runs the case once more on that side and keeps it. */
static enum harness_status record_side(struct maker *maker, size_t side, const char *name, struct vectors_steps *steps,
                                       struct harness_error *error)
{
    struct harness_runner *runner = NULL;
    enum harness_status status = open_recorder(maker, side, error);
    if (status == HARNESS_OK)
        status = vectors_machine(maker->machines, side, &runner, error);
    return status == HARNESS_OK
               ? vectors_take_steps(runner, maker->program, maker->surfaces, steps, maker->recorders[side], name, error)
               : status;
}

static enum harness_status put_side(struct maker *maker, uint32_t place, struct harness_text *out,
                                    struct harness_error *error)
{
    char path[PATH_SIZE], name[VECTORS_TEXT];
    uint8_t *bytes = NULL;
    size_t size = 0;
    const size_t side = maker->order[place];
    side_path(maker, side, path);
    vectors_machine_name(maker->machines, side, name);
    harness_recorder_close(maker->recorders[side]);
    maker->recorders[side] = NULL;
    enum harness_status status = harness_recording_end(path, error);
    if (status == HARNESS_OK)
        status = harness_file_read(path, &bytes, &size, error);
    if (status != HARNESS_OK)
        return status;
    harness_text_clear(&maker->payload);
    put_text(&maker->payload, name);
    harness_text_bytes(&maker->payload, bytes, size);
    free(bytes);
    put_block(out, VECTORS_SIDE, &maker->payload);
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------------ cases */

static void put_surfaces(struct harness_text *out, const struct harness_surfaces *surfaces)
{
    put32(out, (uint32_t)surfaces->count);
    for (size_t i = 0; i < surfaces->count; i++) {
        const struct oracle_surface *const surface = &surfaces->items[i].surface;
        const uint32_t words[8] = { (uint32_t)surfaces->items[i].origin,
                                    surface->address,
                                    surface->width,
                                    surface->height,
                                    surface->pitch,
                                    (uint32_t)surface->format,
                                    (uint32_t)surface->layout,
                                    surface->rows_reversed };
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            put32(out, words[k]);
    }
}

static void put_digests(struct harness_text *out, const struct vectors_steps *steps)
{
    put32(out, (uint32_t)steps->count);
    for (size_t i = 0; i < steps->count; i++) {
        put32(out, steps->items[i].step | steps->items[i].what << 16);
        put32(out, (uint32_t)steps->items[i].digest);
        put32(out, (uint32_t)(steps->items[i].digest >> 32));
    }
}

static enum harness_status put_case_text(struct maker *maker, struct harness_text *out, struct harness_error *error)
{
    harness_text_clear(&maker->text);
    const enum harness_status status = harness_pcase_write(maker->test_case, &maker->text, error);
    if (status != HARNESS_OK)
        return status;
    uLongf size = compressBound((uLong)maker->text.size);
    uint8_t *const deflated = malloc(size);
    if (deflated == NULL || maker->text.failed ||
        compress2(deflated, &size, (const Bytef *)maker->text.data, (uLong)maker->text.size, 9) != Z_OK) {
        free(deflated);
        return harness_fail_memory(error);
    }
    put32(out, (uint32_t)maker->text.size);
    harness_text_bytes(out, deflated, size);
    free(deflated);
    return HARNESS_OK;
}

/* A result that depends on what sources disagree about is not better than a split, whatever the case is about. */
static enum vectors_provenance provenance_of(const struct vectors_item *item, const struct made *made)
{
    if (made->steps[0].undefined && item->provenance < VECTORS_SPLIT)
        return made->side_count != 0 ? VECTORS_SPLIT : VECTORS_CHOICE;
    return made->side_count != 0 && item->provenance < VECTORS_SPLIT ? VECTORS_SPLIT : item->provenance;
}

/* Everything of the case behind its version. */
static enum harness_status put_case(struct maker *maker, const struct vectors_item *item, const struct made *made,
                                    struct harness_text *out, struct harness_error *error)
{
    put32(out, (uint32_t)provenance_of(item, made));
    put32(out, made->steps[0].tells);
    put32(out, made->open.count);
    for (uint32_t i = 0; i < made->open.count; i++)
        put32(out, made->open.items[i]);
    put_text(out, item->name);
    put_text(out, item->area);
    put_text(out, item->rules);
    put_surfaces(out, maker->surfaces);
    put_digests(out, &made->steps[0]);
    put32(out, (uint32_t)made->side_count);
    for (size_t i = 0; i < made->side_count; i++) {
        put32(out, maker->places[made->sides[i]]);
        put_digests(out, &made->steps[i + 1]);
    }
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
    const struct vectors_case *const about = vectors_about(before, old);
    size_t count = vectors_digests(before, old, -1, &items);
    bool same = same_digests(&made->steps[0], items, count) && about->side_count == made->side_count;
    for (uint32_t i = 0; same && i < made->side_count; i++) {
        char name[VECTORS_TEXT];
        vectors_machine_name(maker->machines, made->sides[i], name);
        count = vectors_digests(before, old, (int)i, &items);
        same = same_digests(&made->steps[i + 1], items, count) &&
               strcmp(name, vectors_side_name(before, about->sides[i])) == 0;
    }
    maker->written->amended += !same;
    return about->version + !same;
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

static enum harness_status record_case(struct maker *maker, const struct vectors_item *item, struct made *made,
                                       struct harness_error *error)
{
    vectors_steps_free(&made->steps[0]);
    enum harness_status status = record_side(maker, 0, item->name, &made->steps[0], error);
    for (size_t i = 0; i < made->side_count && status == HARNESS_OK; i++)
        status = record_side(maker, made->sides[i], item->name, &made->steps[i + 1], error);
    if (status != HARNESS_OK)
        return status;
    harness_text_clear(&maker->payload);
    put32(&maker->payload, version_of(maker, item, made));
    status = put_case(maker, item, made, &maker->payload, error);
    put_block(&maker->cases, VECTORS_CASE, &maker->payload);
    maker->written->cases++;
    return status;
}

static bool is_about(const struct vectors_item *item, size_t side)
{
    return strstr(item->rules, pica_choice_info((uint32_t)(side - 1) / PICA_MOST_SIDES)->rule) != NULL;
}

/* What a side changes besides memory; *alone: it changes nothing in memory. */
static enum harness_status find_changes(struct maker *maker, size_t side, struct vectors_open *out, bool *alone,
                                        struct harness_error *error)
{
    struct harness_runner *first = NULL, *other = NULL;
    enum harness_status status = vectors_machine(maker->machines, 0, &first, error);
    if (status == HARNESS_OK)
        status = vectors_machine(maker->machines, side, &other, error);
    return status == HARNESS_OK ? vectors_find_open(first, other, maker->program, out, alone, error) : status;
}

/* The words that tell the sides of those choices apart that the case is about: they stay compared. */
static enum harness_status find_telling(struct maker *maker, const struct vectors_item *item, const struct made *made,
                                        struct vectors_open *out, struct harness_error *error)
{
    bool alone = false;
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < made->side_count && status == HARNESS_OK; i++)
        if (is_about(item, made->sides[i]))
            status = find_changes(maker, made->sides[i], out, &alone, error);
    return status;
}

/* A choice that the case is not about, and that does not show in memory: those words are not compared, so that whoever
 * takes another side of several such choices at once does not fail every case. */
static enum harness_status set_aside(struct maker *maker, const struct vectors_item *item, struct made *made,
                                     struct harness_error *error)
{
    size_t kept = 0;
    struct vectors_open telling = { .count = 0 };
    enum harness_status status = find_telling(maker, item, made, &telling, error);
    for (size_t i = 0; i < made->side_count && status == HARNESS_OK; i++) {
        struct vectors_open changed = { .count = 0 };
        bool alone = false;
        if (!is_about(item, made->sides[i]))
            status = find_changes(maker, made->sides[i], &changed, &alone, error);
        if (!alone || vectors_open_meets(&changed, &telling) || !vectors_open_join(&made->open, &changed))
            made->sides[kept++] = made->sides[i];
    }
    made->side_count = kept;
    return status;
}

/* A machine that takes sides of two choices that meet in one picture is right, too. */
static enum harness_status add_combinations(struct maker *maker, struct made *made, struct harness_error *error)
{
    bool fits = true;
    const enum harness_status status = vectors_machines_combined(maker->machines, maker->program, made->sides,
                                                                 VECTORS_MOST_SIDES, &made->side_count, &fits, error);
    maker->written->uncombined += !fits;
    return status;
}

static enum harness_status make_loaded(struct maker *maker, const struct vectors_item *item, struct made *made,
                                       struct harness_error *error)
{
    struct harness_runner *runner = NULL;
    enum harness_status status = vectors_machine(maker->machines, 0, &runner, error);
    if (status == HARNESS_OK)
        status = vectors_find_surfaces(runner, maker->program, maker->surfaces, error);
    if (status == HARNESS_OK)
        status = vectors_take_steps(runner, maker->program, maker->surfaces, &made->steps[0], NULL, NULL, error);
    if (status != HARNESS_OK)
        return status;
    if ((made->steps[0].tells & ~(uint32_t)PICA_PART_EVENTS) == 0) {
        maker->written->silent++;
        return HARNESS_OK;
    }
    if (is_seen(maker, &made->steps[0])) {
        maker->written->same++;
        return HARNESS_OK;
    }
    status = vectors_machines_differing(maker->machines, maker->program, made->sides, VECTORS_MOST_SIDES,
                                        &made->side_count, error);
    if (status == HARNESS_OK && made->side_count <= VECTORS_MOST_SIDES)
        status = set_aside(maker, item, made, error);
    if (status == HARNESS_OK && made->side_count <= VECTORS_MOST_SIDES)
        status = add_combinations(maker, made, error);
    if (status != HARNESS_OK || made->side_count <= VECTORS_MOST_SIDES)
        return status == HARNESS_OK ? record_case(maker, item, made, error) : status;
    maker->written->undecided++;
    return HARNESS_OK;
}

static enum harness_status make_case(struct maker *maker, size_t index, struct harness_error *error)
{
    const struct vectors_item *const item = &maker->source->items[index];
    struct made made = { .side_count = 0 };
    enum harness_status status = maker->source->load(maker->source->what, index, maker->test_case, error);
    if (status == HARNESS_OK)
        status = harness_case_setup(maker->test_case, maker->program, error);
    if (status == HARNESS_OK)
        status = make_loaded(maker, item, &made, error);
    for (size_t i = 0; i <= VECTORS_MOST_SIDES; i++)
        vectors_steps_free(&made.steps[i]);
    if (status != HARNESS_OK)
        harness_error_prefix(error, item->name);
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
    put32(&maker->payload, VECTORS_VERSION);
    put32(&maker->payload, pack_version(maker));
    put32(&maker->payload, (uint32_t)maker->written->cases);
    put32(&maker->payload, maker->side_count);
    put_text(&maker->payload, maker->source->program);
    put_block(out, VECTORS_HEAD, &maker->payload);
}

static enum harness_status finish(struct maker *maker, struct harness_error *error)
{
    const struct harness_text nothing = { 0 };
    struct harness_text file;
    enum harness_status status = HARNESS_OK;
    harness_text_init(&file);
    harness_text_bytes(&file, vectors_magic, VECTORS_MAGIC);
    put_head(maker, &file);
    for (uint32_t i = 0; i < maker->side_count && status == HARNESS_OK; i++)
        status = put_side(maker, i, &file, error);
    harness_text_bytes(&file, maker->cases.data, maker->cases.size);
    put_block(&file, VECTORS_LAST, &nothing);
    maker->written->sides = maker->side_count;
    if (status == HARNESS_OK)
        status = file.failed || maker->cases.failed ? harness_fail_memory(error)
                                                    : harness_file_write(maker->path, file.data, file.size, error);
    harness_text_free(&file);
    return status;
}

static void clean(struct maker *maker)
{
    char path[PATH_SIZE];
    for (uint32_t i = 0; i < maker->side_count; i++) {
        harness_recorder_close(maker->recorders[maker->order[i]]);
        side_path(maker, maker->order[i], path);
        (void)unlink(path);
    }
    vectors_machines_destroy(maker->machines);
    harness_program_destroy(maker->program);
    harness_case_destroy(maker->test_case);
    harness_text_free(&maker->cases);
    harness_text_free(&maker->payload);
    harness_text_free(&maker->text);
    free(maker->surfaces);
    free(maker->seen);
    free(maker);
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
    maker->seen = calloc(source->count + 1, sizeof *maker->seen);
    if (maker->machines != NULL && maker->test_case != NULL && maker->program != NULL && maker->surfaces != NULL &&
        maker->seen != NULL)
        return maker;
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
    enum harness_status status = open_recorder(maker, 0, error);
    for (size_t i = 0; i < source->count && status == HARNESS_OK; i++)
        status = make_case(maker, i, error);
    if (status == HARNESS_OK)
        status = finish(maker, error);
    clean(maker);
    return status;
}
