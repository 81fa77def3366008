#define _POSIX_C_SOURCE 200809L
#include "tests/conformance/record.h"

#include "harness/case/formats.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record {
    const char *directory;
    struct harness_case *test_case;
};

struct record *record_create(void)
{
    const char *const directory = getenv("PICAFUZZ_RECORD");
    if (directory == NULL || directory[0] == '\0')
        return NULL;
    struct record *const record = calloc(1, sizeof *record);
    cr_assert_not_null(record);
    record->directory = directory;
    record->test_case = harness_case_create();
    cr_assert_not_null(record->test_case);
    return record;
}

/* A case that does nothing gets no file. */
static void write_case(struct record *record)
{
    static unsigned files; /* of this process; every test has one of its own */
    char path[4096];
    struct harness_text text = { 0 };
    struct harness_error error = { "" };
    if (record->test_case->operation_count == 0)
        return;
    cr_assert_eq(harness_pcase_write(record->test_case, &text, &error), HARNESS_OK, "%s", error.message);
    const struct criterion_test *const test = criterion_current_test;
    (void)snprintf(path, sizeof path, "%s/%s-%s-%ld-%u.pcase", record->directory, test->category, test->name,
                   (long)getpid(), files++);
    cr_assert_eq(harness_file_write(path, text.data, text.size, &error), HARNESS_OK, "%s", error.message);
    harness_text_free(&text);
}

static struct harness_data bytes_of(struct record *record, const uint8_t *bytes, size_t size)
{
    struct harness_data data;
    cr_assert(harness_data_bytes(record->test_case, &data, size == 0 ? (const uint8_t *)"" : bytes, size));
    return data;
}

void record_load(struct record *record, const struct pica_setup *setup)
{
    if (record == NULL)
        return;
    write_case(record);
    struct harness_case *const test_case = record->test_case;
    harness_case_reset(test_case);
    for (uint32_t i = 0; i < setup->window_count; i++)
        cr_assert(harness_case_add_window(test_case, setup->windows[i].address, setup->windows[i].size));
    test_case->limits = setup->limits;
    test_case->work = setup->work != 0 ? setup->work : HARNESS_DEFAULT_WORK;
    test_case->profile = setup->profile;
    for (uint32_t i = 0; i < setup->chunk_count; i++) {
        const struct harness_data data = bytes_of(record, setup->chunks[i].data, setup->chunks[i].size);
        cr_assert_not_null(harness_case_add_chunk(test_case, setup->chunks[i].address, &data));
    }
    if (setup->initial_state != NULL) {
        struct harness_state *const state = harness_case_state(test_case);
        cr_assert_not_null(state);
        harness_state_take(state, setup->initial_state);
    }
}

void record_operation(struct record *record, const struct pica_operation *operation)
{
    if (record == NULL)
        return;
    struct harness_case *const test_case = record->test_case;
    const void *added = NULL;
    struct harness_data data;
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY:
        data = bytes_of(record, operation->data, operation->size);
        added = harness_case_add_load(test_case, operation->address, &data);
        break;
    case PICA_OPERATION_SUBMIT_LIST:
        added = harness_case_add_submit(test_case, operation->address, operation->size);
        break;
    case PICA_OPERATION_WRITE_REGISTER:
        added = harness_case_add_write(test_case, operation->address, operation->words[0]);
        break;
    case PICA_OPERATION_MEMORY_FILL: added = harness_case_add_fill(test_case, operation->unit, operation->words); break;
    case PICA_OPERATION_DISPLAY_TRANSFER: added = harness_case_add_transfer(test_case, operation->words); break;
    case PICA_OPERATION_VERTICAL_BLANK: added = harness_case_add_vblank(test_case, operation->unit); break;
    }
    cr_assert_not_null(added);
}

void record_destroy(struct record *record)
{
    if (record == NULL)
        return;
    write_case(record);
    harness_case_destroy(record->test_case);
    free(record);
}
