/*
 * The property: no bytes that claim to come from a console harm their reader, and what is read becomes recorded results
 * that their own reader accepts.
 *
 * An input is the file itself if it begins with a record's magic number. Any other bytes are contents of records, which
 * get whole frames with valid checksums here, since no engine guesses a CRC-32.
 */
#include "harness/case/formats.h"
#include "harness/case/text.h"
#include "harness/console/export.h"
#include "harness/console/import.h"
#include "harness/console/program.h"
#include "harness/run/recording.h"
#include "harness/targets/files/memory_file.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"

#include <string.h>
#include <zlib.h>

enum {
    MOST_RECORDS = 64
};

const char saved_beginning[] = "";

static const char text[] = "pcase 1\n"
                           "window 0x18000000 size 0x2000\n"
                           "fill 0 {\n    FILL0_START { address = 0x18000000 }\n"
                           "    FILL0_END { address = 0x18001000 }\n    FILL0_VALUE = 1\n"
                           "    FILL0_CTRL { start = 1, width = 32-bit }\n}\n"
                           "fill 1 {\n    FILL1_START { address = 0x18001000 }\n"
                           "    FILL1_END { address = 0x18002000 }\n    FILL1_VALUE = 2\n"
                           "    FILL1_CTRL { start = 1, width = 32-bit }\n}\n";

/* Global, since the engines' interface has no parameter for this state. */
static struct harness_text file; /* a .3dsx file with two operations, run twice */
static struct console_view view;

static enum harness_status make_file(struct harness_error *error)
{
    size_t program_size = 0, size = 0;
    const uint8_t *const program = console_program(&program_size), *payload = NULL;
    struct console_export *export = NULL;
    struct console_answer answer = { .taken = false };
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = harness_pcase_read(test_case, text, sizeof text - 1, "fills", error);
    if (status == HARNESS_OK)
        status = console_export_create("fuzz", false, &export, error);
    if (status == HARNESS_OK)
        status = console_export_ask(export, "fills", test_case, &answer, error);
    if (status == HARNESS_OK)
        status = console_export_make(export, program, program_size, &file, error);
    if (status == HARNESS_OK)
        status = console_program_payload("file", (const uint8_t *)file.data, file.size, &payload, &size, error);
    if (status == HARNESS_OK)
        status = console_view_open("file", payload, size, &view, error);
    harness_text_free(&answer.reasons);
    console_export_destroy(export);
    harness_case_destroy(test_case);
    return status;
}

void saved_begin(void)
{
    struct harness_error error = { "" };
    if (make_file(&error) != HARNESS_OK)
        target_cannot_begin(error.message);
}

/* ----------------------------------------------------------------------------------------------------- whole frames */

static void add_record(struct harness_text *out, uint32_t kind, uint32_t sequence, const void *payload, uint32_t bytes)
{
    struct console_record record = {
        .magic = CONSOLE_RECORD_MAGIC, .kind = kind, .sequence = sequence, .bytes = bytes
    };
    const uint32_t head[3] = { kind, sequence, bytes };
    record.crc = (uint32_t)crc32(crc32(0, (const Bytef *)head, sizeof head), payload, bytes);
    harness_text_bytes(out, &record, sizeof record);
    harness_text_bytes(out, payload, bytes);
}

static uint32_t bytes_of(uint32_t kind)
{
    switch ((enum console_record_kind)kind) {
    case CONSOLE_RECORD_ABOUT: return sizeof(struct console_about);
    case CONSOLE_RECORD_PAGE: return sizeof(struct console_page);
    case CONSOLE_RECORD_REGISTERS: return sizeof(struct console_register_block);
    case CONSOLE_RECORD_STEP: return sizeof(struct console_step_result);
    case CONSOLE_RECORD_RUN:
    case CONSOLE_RECORD_TEST: return sizeof(struct console_run_result);
    case CONSOLE_RECORD_END: return sizeof(struct console_end);
    case CONSOLE_RECORD_WAY: return sizeof(struct console_way_choice);
    }
    return 4;
}

/* Makes a record of each five bytes: its kind, and the low bytes of its first four words; the last one also fills
 * pages. */
static void frame(struct harness_text *out, const uint8_t *data, size_t size)
{
    static uint32_t words[2048];
    const struct console_about about = { .version = CONSOLE_RESULTS_VERSION,
                                         .id = { view.head.id[0], view.head.id[1] } };
    add_record(out, CONSOLE_RECORD_ABOUT, 0, &about, sizeof about);
    for (uint32_t i = 1; i < MOST_RECORDS && size >= 5; i++, data += 5, size -= 5) {
        const uint32_t bytes = bytes_of(data[0] % 9u);
        memset(words, data[4], sizeof words);
        for (uint32_t k = 0; k < 4; k++)
            words[k] = data[1 + k];
        if (data[0] % 9u == CONSOLE_RECORD_PAGE)
            words[2] = 0x18000000u + 0x1000u * data[3];
        if (data[0] >= 0x80)
            words[0] |= 0x80000000u; /* belongs to a self-test */
        add_record(out, data[0] % 9u, i, words, bytes);
    }
}

/* ------------------------------------------------------------------------------------------------------------ input */

static void import(const struct console_results *results)
{
    struct harness_error error = { "" };
    struct harness_recording *recording = NULL;
    const char *const path = memory_file(MEMORY_FILE, "", 0); /* of the recorded results */
    const struct console_import request = {
        .view = &view, .results = results, .count = 1, .path = path, .program = "fuzz", .date = "never"
    };
    if (console_import_write(&request, &error) == HARNESS_OK &&
        harness_recording_open(path, &recording, &error) == HARNESS_BAD_INPUT)
        target_fails("imported results are refused", error.message);
    harness_recording_close(recording);
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    static const uint32_t magic = CONSOLE_RECORD_MAGIC;
    const uint8_t *const data = (const uint8_t *)bytes;
    struct harness_text framed = { 0 };
    struct console_results results;
    const bool is_file = size >= sizeof magic && memcmp(data, &magic, sizeof magic) == 0;
    if (!is_file)
        frame(&framed, data, size);
    const enum harness_status status = console_results_parse(saved_name, is_file ? data : (const uint8_t *)framed.data,
                                                             is_file ? size : framed.size, &view, &results, error);
    if (status == HARNESS_OK) {
        import(&results);
        console_results_free(&results);
    }
    harness_text_free(&framed);
    return status;
}
