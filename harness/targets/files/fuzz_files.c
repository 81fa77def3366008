/*
 * The property: no bytes harm who reads them as one of the files that people bring: captures, a dump of a list, text of
 * a case, dumped registers, quirks. What is read as a case is a valid one, and its text is read as the same case again.
 *
 * The first byte of an input says as what the rest is read; what every such file begins with is put before it, for no
 * engine guesses that.
 */
#include "harness/case/formats.h"
#include "harness/case/state.h"
#include "harness/quirks/quirks.h"
#include "harness/targets/failure.h"
#include "harness/targets/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    CAPTURE_1 = 0,
    CAPTURE_2 = 1,
    TRACE = 2, /* .ctf */
    LIST = 3,
    TEXT = 4,
    REGISTERS = 5,
    QUIRKS = 6,
    KINDS = 7
};

static const char *const beginnings[KINDS] = { "PCAP3DS1", "PCAP3DS2", "CiTr", "", "pcase 1\n", "", "version = 1;\n" };

/* One process reads for one engine; its interface has no other place for this. */
static struct harness_case *test_case, *again;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    test_case = harness_case_create();
    again = harness_case_create();
    if (test_case != NULL && again != NULL)
        return 0;
    fprintf(stderr, "picafuzz: no memory\n");
    exit(1);
}

/* Functions of their own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void a_read_case_is_invalid(const char *why)
{
    target_tell("files", "invalid", why);
    fprintf(stderr, "picafuzz: a file is read as a case that is none: %s\n", why);
    __builtin_trap();
}

static __attribute__((noinline)) void text_is_another_case(const char *why)
{
    target_tell("files", "text", why);
    fprintf(stderr, "picafuzz: the text of a case is not that case: %s\n", why);
    __builtin_trap();
}

static __attribute__((noinline)) void an_error_says_nothing(void)
{
    target_tell("files", "error", "a file is refused without a word");
    fprintf(stderr, "picafuzz: a file is refused without a word\n");
    __builtin_trap();
}

static enum harness_status read_case(enum kind kind, const struct harness_text *file, struct harness_error *error)
{
    const uint8_t *const bytes = (const uint8_t *)harness_text_string(file);
    switch (kind) {
    case CAPTURE_1:
    case CAPTURE_2: return harness_picacap_read(test_case, bytes, file->size, "input", NULL, error);
    case TRACE: return harness_ctf_read(test_case, bytes, file->size, "input", NULL, error);
    case LIST: return harness_raw_list_read(test_case, bytes, file->size, "input", error);
    case TEXT: return harness_pcase_read(test_case, (const char *)bytes, file->size, "input", error);
    case REGISTERS:
    case QUIRKS:
    case KINDS: break;
    }
    return HARNESS_BAD_INPUT;
}

static void check_case(void)
{
    struct harness_error error = { "" };
    struct harness_text text;
    if (harness_case_check(test_case, &error) != HARNESS_OK)
        a_read_case_is_invalid(error.message);
    harness_text_init(&text);
    if (harness_pcase_write(test_case, &text, &error) == HARNESS_OK && !text.failed) {
        if (harness_pcase_read(again, harness_text_string(&text), text.size, "text", &error) == HARNESS_BAD_INPUT)
            text_is_another_case(error.message);
        else if (!harness_case_equal(test_case, again, true))
            text_is_another_case("it reads as another one");
    }
    harness_text_free(&text);
}

/* The second byte says which part of the state. */
static enum harness_status read_registers(const struct harness_text *file, struct harness_error *error)
{
    static struct harness_state state;
    const uint8_t *const bytes = (const uint8_t *)harness_text_string(file);
    if (file->size == 0)
        return HARNESS_OK;
    return harness_state_words_read(&state, bytes[0] % harness_part_count, bytes + 1, file->size - 1, "input", error);
}

static enum harness_status read_quirks(const struct harness_text *file, struct harness_error *error)
{
    struct harness_quirks *const quirks = harness_quirks_create();
    const enum harness_status status =
        quirks == NULL ? HARNESS_NO_MEMORY
                       : harness_quirks_parse(quirks, harness_text_string(file), file->size, "input", error);
    harness_quirks_destroy(quirks);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct harness_error error = { "" };
    struct harness_text file;
    enum harness_status status;
    if (size == 0)
        return 0;
    target_begin_input();
    const enum kind kind = (enum kind)(data[0] % KINDS);
    harness_text_init(&file);
    harness_text_add(&file, beginnings[kind]);
    harness_text_bytes(&file, data + 1, size - 1);
    if (file.failed)
        status = HARNESS_NO_MEMORY;
    else if (kind == REGISTERS)
        status = read_registers(&file, &error);
    else if (kind == QUIRKS)
        status = read_quirks(&file, &error);
    else
        status = read_case(kind, &file, &error);
    if (status == HARNESS_BAD_INPUT && error.message[0] == '\0')
        an_error_says_nothing();
    if (status == HARNESS_OK && kind < REGISTERS)
        check_case();
    harness_text_free(&file);
    return 0;
}
