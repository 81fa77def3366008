/*
 * The property: no bytes that claim to be recorded results harm their reader, or the backend that replays them
 * (docs/formats/results.md).
 *
 * An input is the file itself if it begins as one. Any other bytes are what a step decompresses to, in an otherwise
 * valid file, since no engine guesses a CRC-32 or a history; that file must be accepted.
 */
#include "harness/case/formats.h"
#include "harness/case/text.h"
#include "harness/run/history.h"
#include "harness/run/kind.h"
#include "harness/run/recording.h"
#include "harness/run/recording_format.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    SCOPE_WORDS = (96 + 128 + 8) / 4
};

const char saved_beginning[] = "";

static const char text[] = "pcase 1\n"
                           "window 0x18000000 size 0x2000\n"
                           "fill 0 {\n    FILL0_START { address = 0x18000000 }\n"
                           "    FILL0_END { address = 0x18001000 }\n    FILL0_VALUE = 1\n"
                           "    FILL0_CTRL { start = 1, width = 32-bit }\n}\n";

/* Global, since the engines' interface has no parameter for this state. */
static struct harness_case *test_case;
static struct harness_program *program;

void saved_begin(void)
{
    struct harness_error error = { "" };
    test_case = harness_case_create();
    program = harness_program_create();
    if (test_case == NULL || program == NULL ||
        harness_pcase_read(test_case, text, sizeof text - 1, "fill", &error) != HARNESS_OK ||
        harness_case_setup(test_case, program, &error) != HARNESS_OK)
        target_cannot_begin(error.message);
}

static void add_block(struct harness_text *out, enum recording_kind kind, const struct harness_text *payload)
{
    harness_text_word(out, (uint32_t)kind);
    harness_text_word(out, (uint32_t)payload->size);
    harness_text_word(out, (uint32_t)crc32(0, (const Bytef *)payload->data, (uInt)payload->size));
    harness_text_bytes(out, payload->data, payload->size);
}

/* Adds a step that decompresses to these bytes. From 0xF0 on, the first byte says by how much the length is
 * overstated. */
static void add_step(struct harness_text *out, const struct harness_history *history, const uint8_t *data, size_t size)
{
    struct harness_text payload = { 0 };
    uLongf packed = compressBound((uLong)size);
    uint8_t *const deflated = malloc(packed);
    harness_text_word(&payload, (uint32_t)history->low);
    harness_text_word(&payload, (uint32_t)(history->low >> 32));
    harness_text_word(&payload, (uint32_t)history->high);
    harness_text_word(&payload, (uint32_t)(history->high >> 32));
    harness_text_word(&payload, (uint32_t)size + (size != 0 && data[0] >= 0xF0 ? data[0] & 15u : 0));
    if (deflated != NULL && compress2(deflated, &packed, data, (uLong)size, 1) == Z_OK)
        harness_text_bytes(&payload, deflated, packed);
    add_block(out, RECORDING_DATA, &payload);
    free(deflated);
    harness_text_free(&payload);
}

/* Makes the file around the bytes: the load gets the first half of them, the fill the second. */
static void frame(struct harness_text *out, const uint8_t *data, size_t size)
{
    struct harness_text payload = { 0 };
    struct harness_history history = { 0, 0 };
    const size_t half = size / 2;
    harness_text_bytes(out, recording_magic, RECORDING_MAGIC);
    harness_text_word(&payload, size % 4 + 2); /* versions 2 to 5 */
    harness_text_word(&payload, 0);            /* budgets, float24 */
    harness_text_word(&payload, 0);
    harness_text_word(&payload, PICA_PARTS_ALL);
    for (int i = 0; i < SCOPE_WORDS + 3; i++) /* and the lengths of three empty texts */
        harness_text_word(&payload, 0);
    add_block(out, RECORDING_HEAD, &payload);
    harness_text_clear(&payload);
    add_block(out, RECORDING_CASE, &payload);
    (void)harness_history_begin(&program->setup, &history);
    add_step(out, &history, data, half);
    (void)harness_history_add(&history, &program->operations[0]);
    add_step(out, &history, data + half, size - half);
    add_block(out, RECORDING_DONE, &payload);
    add_block(out, RECORDING_LAST, &payload);
    harness_text_free(&payload);
}

/* Reads everything that running a case reads; any answer is allowed. */
static void ask(const struct harness_recording *recording)
{
    static uint8_t memory[0x2000];
    static struct pica_state state;
    uint64_t held[1]; /* one bit for each of the two pages */
    struct pica_events events;
    const struct pica_backend *const backend = harness_recording_backend(recording);
    void *instance = NULL;
    if (harness_backend_create(backend, &(struct pica_options){ .threads = 0 }, &instance) != PICA_OK)
        return;
    enum pica_status status = backend->load(instance, &program->setup);
    for (uint32_t i = 0; status == PICA_OK && i < program->count; i++)
        status = backend->run(instance, &program->operations[i]);
    if (status == PICA_OK) {
        (void)backend->read_memory(instance, 0x18000000, memory, sizeof memory);
        (void)backend->read_state(instance, &state);
        (void)backend->read_events(instance, &events);
        harness_kind(backend)->held(instance, 0, held);
    }
    backend->destroy(instance);
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    const uint8_t *const data = (const uint8_t *)bytes;
    struct harness_recording *recording = NULL;
    struct harness_text framed = { 0 };
    const bool is_file = size >= RECORDING_MAGIC && memcmp(data, recording_magic, RECORDING_MAGIC) == 0;
    if (!is_file)
        frame(&framed, data, size);
    const enum harness_status status = harness_recording_parse(
        saved_name, is_file ? data : (const uint8_t *)framed.data, is_file ? size : framed.size, &recording, error);
    if (status == HARNESS_BAD_INPUT && !is_file && !framed.failed)
        target_fails("recorded results are refused", error->message);
    if (status == HARNESS_OK)
        ask(recording);
    harness_recording_close(recording);
    harness_text_free(&framed);
    return status;
}
