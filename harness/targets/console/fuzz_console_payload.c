/*
 * The property: any bytes may be taken for a program that was exported for a console, when its results are imported: if
 * the reader does not refuse it, every case and every run in it can be read (docs/formats/console-payload.md).
 *
 * An input is the .3dsx file itself if it begins as one. Any other bytes are a payload after its first four words,
 * which are added here with a valid checksum, since no engine guesses a CRC-32.
 */
#include "harness/case/formats.h"
#include "harness/console/program.h"
#include "harness/console/view.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/files/whole_case.h"

#include <string.h>
#include <zlib.h>

enum {
    HEAD_BYTES = 16 /* magic, version, size, checksum */
};

const char saved_beginning[] = "";

/* Reads everything that the import reads, and the text of each case, which need not be a valid one. */
static void ask(const struct console_view *view)
{
    struct harness_text text = { 0 };
    struct harness_case *const test_case = whole_case();
    for (uint32_t i = 0; i < view->head.case_count; i++) {
        (void)console_view_case(view, i);
        harness_text_clear(&text);
        if (console_view_source(view, i, &text, NULL) == HARNESS_OK && test_case != NULL && !text.failed)
            (void)harness_pcase_read(test_case, harness_text_string(&text), text.size, console_view_case_name(view, i),
                                     NULL);
    }
    for (uint32_t i = 0; i < view->head.run_count; i++)
        (void)console_view_run(view, i);
    harness_text_free(&text);
}

static enum harness_status read_payload(const uint8_t *bytes, size_t size, struct harness_error *error)
{
    struct console_view view;
    const enum harness_status status = console_view_open(saved_name, bytes, size, &view, error);
    if (status == HARNESS_OK)
        ask(&view);
    return status;
}

static enum harness_status read_framed(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_text whole = { 0 };
    enum harness_status status = HARNESS_NO_MEMORY;
    size -= size % 4;
    harness_text_word(&whole, CONSOLE_PAYLOAD_MAGIC);
    harness_text_word(&whole, CONSOLE_PAYLOAD_VERSION);
    harness_text_word(&whole, (uint32_t)size + HEAD_BYTES);
    harness_text_word(&whole, (uint32_t)crc32(0, (const Bytef *)bytes, (uInt)size));
    harness_text_bytes(&whole, bytes, size);
    if (!whole.failed)
        status = read_payload((const uint8_t *)harness_text_string(&whole), whole.size, error);
    harness_text_free(&whole);
    return status;
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    const uint8_t *payload = NULL;
    size_t payload_size = 0;
    if (size < 4 || memcmp(bytes, "3DSX", 4) != 0)
        return read_framed(bytes, size, error);
    const enum harness_status status =
        console_program_payload(saved_name, (const uint8_t *)bytes, size, &payload, &payload_size, error);
    return status == HARNESS_OK ? read_payload(payload, payload_size, error) : status;
}
