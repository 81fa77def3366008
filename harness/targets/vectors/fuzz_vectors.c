/*
 * The property: any bytes may be taken for a frozen pack, and what its reader does not refuse can be run.
 *
 * An input is the file itself if it begins with the magic of a pack. Otherwise its first byte selects the version of
 * the pack, and the rest is the payload of the pack's one CASE, after a HEAD and a SIDE without results, with a valid
 * checksum, since no engine guesses a CRC-32.
 */
#include "harness/case/formats.h"
#include "harness/case/text.h"
#include "harness/run/recording.h"
#include "harness/run/runner.h"
#include "harness/targets/files/memory_file.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"
#include "harness/vectors/vectors.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

const char saved_beginning[] = "";

static const char magic[8] = { 'P', 'I', 'C', 'A', 'V', 'E', 'C', '1' };

/* Global, since the engines' interface has no parameter for this state. */
static struct harness_text before[VECTORS_VERSION]; /* for each version, from 1: magic, HEAD, SIDE */
static struct harness_text file;
static struct harness_case *test_case;
static struct harness_program *program;
static struct harness_surfaces surfaces;

static void put_block(struct harness_text *out, const char *kind, const void *payload, size_t size)
{
    harness_text_bytes(out, kind, 4);
    harness_text_word(out, (uint32_t)size);
    harness_text_word(out, (uint32_t)crc32(0, payload, (uInt)size));
    harness_text_bytes(out, payload, size);
}

/* Adds a SIDE: recorded results without a case, made by their own writer. */
static bool add_side(struct harness_text *out)
{
    const char *const path = memory_file(MEMORY_FILE, "", 0);
    const struct harness_recording_head head = { .backend = "reference", .date = "frozen" };
    uint8_t *bytes = NULL;
    size_t size = 0;
    const bool good = harness_recording_head(path, &head, NULL) == HARNESS_OK &&
                      harness_recording_end(path, NULL) == HARNESS_OK &&
                      harness_file_read(path, &bytes, &size, NULL) == HARNESS_OK;
    struct harness_text payload = { 0 };
    harness_text_word(&payload, 0); /* length of the empty name */
    harness_text_bytes(&payload, bytes, size);
    put_block(out, "SIDE", payload.data, payload.size);
    harness_text_free(&payload);
    free(bytes);
    return good;
}

void saved_begin(void)
{
    bool good = true;
    for (uint8_t version = 1; version <= VECTORS_VERSION; version++) {
        const uint8_t head[20] = { version, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 };
        struct harness_text *const text = &before[version - 1];
        harness_text_bytes(text, magic, sizeof magic);
        put_block(text, "HEAD", head, sizeof head);
        good = add_side(text) && !text->failed && good;
    }
    test_case = harness_case_create();
    program = harness_program_create();
    if (!good || test_case == NULL || program == NULL)
        target_cannot_begin("the pack around inputs cannot be made");
}

/* Runs the first case on every side. */
static void run_sides(const struct vectors *vectors)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    if (vectors_load(vectors, 0, test_case, &surfaces, NULL) != HARNESS_OK ||
        harness_case_setup(test_case, program, NULL) != HARNESS_OK)
        return;
    for (size_t side = 0; side < vectors_side_count(vectors); side++) {
        struct harness_runner *runner = NULL;
        if (harness_runner_create(vectors_side_backend(vectors, side), &options, &runner) != PICA_OK)
            continue;
        if (harness_runner_load(runner, &program->setup) == PICA_OK)
            (void)harness_runner_run(runner, program->operations, program->count);
        harness_runner_destroy(runner);
    }
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    const uint8_t *const data = (const uint8_t *)bytes;
    struct vectors *vectors = NULL;
    enum harness_status status = HARNESS_NO_MEMORY;
    const bool is_file = size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
    harness_text_clear(&file);
    if (is_file) {
        harness_text_bytes(&file, data, size);
    } else {
        const struct harness_text *const text = &before[size != 0 ? data[0] % VECTORS_VERSION : 0];
        harness_text_bytes(&file, text->data, text->size);
        put_block(&file, "CASE", size > 1 ? (const void *)(data + 1) : "", size > 1 ? size - 1 : 0);
        put_block(&file, "LAST", "", 0);
    }
    if (!file.failed)
        status = vectors_parse(saved_name, (const uint8_t *)file.data, file.size, &vectors, error);
    if (status == HARNESS_OK && vectors_count(vectors) != 0)
        run_sides(vectors);
    vectors_close(vectors);
    return status;
}
