#include "harness/findings/reduce_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "# picafuzz reduce, unfinished work: ";

enum harness_status harness_reduce_save(const char *path, const char *identity, const struct reduce_saved *saved,
                                        const struct harness_case *best, struct harness_error *error)
{
    struct harness_text text;
    harness_text_init(&text);
    harness_text_format(&text, "%s%s\n", mark, identity);
    harness_text_format(&text, "# %u %u %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %u\n",
                        (unsigned)saved->cursor.round, (unsigned)saved->cursor.pass, (unsigned)saved->cursor.size,
                        (unsigned)saved->cursor.end, (unsigned)saved->cursor.variant, (unsigned)saved->round_accepted,
                        saved->tried, saved->accepted, saved->first_bytes, (unsigned)saved->first_writes);
    enum harness_status status = harness_pcase_write(best, &text, error);
    if (status == HARNESS_OK && text.failed)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK)
        status = harness_file_write(path, text.data, text.size, error);
    harness_text_free(&text);
    return status;
}

static bool parse_numbers(const char *line, struct reduce_saved *out)
{
    uint64_t numbers[10];
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char *end = NULL;
        line += strspn(line, "# ");
        numbers[i] = strtoull(line, &end, 10);
        if (end == line)
            return false;
        line = end;
    }
    out->cursor = (struct reduce_cursor){ .round = (uint32_t)numbers[0],
                                          .pass = (uint32_t)numbers[1],
                                          .size = (uint32_t)numbers[2],
                                          .end = (uint32_t)numbers[3],
                                          .variant = (uint32_t)numbers[4] };
    out->round_accepted = (uint32_t)numbers[5];
    out->tried = numbers[6];
    out->accepted = numbers[7];
    out->first_bytes = numbers[8];
    out->first_writes = (uint32_t)numbers[9];
    return *line == '\n';
}

/* The file is its two lines and a case, whose reader takes the lines for comments; they are cut off before. */
static bool restore(const char *text, size_t size, const char *identity, struct reduce_saved *saved,
                    struct harness_case *best)
{
    const size_t identity_length = strlen(identity);
    const char *const second = text + strlen(mark) + identity_length + 1;
    if (size <= strlen(mark) + identity_length + 1 || memcmp(text, mark, strlen(mark)) != 0 ||
        memcmp(text + strlen(mark), identity, identity_length) != 0 || second[-1] != '\n' ||
        !parse_numbers(second, saved))
        return false;
    const char *const third = strchr(second, '\n');
    struct harness_error error = { "" };
    struct harness_case *const read = harness_case_create();
    const bool good =
        third != NULL && read != NULL &&
        harness_pcase_read(read, third + 1, size - (size_t)(third + 1 - text), "state", &error) == HARNESS_OK &&
        harness_case_copy(best, read);
    harness_case_destroy(read);
    return good;
}

bool harness_reduce_restore(const char *path, const char *identity, struct reduce_saved *saved,
                            struct harness_case *best)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (harness_file_read(path, &bytes, &size, NULL) != HARNESS_OK)
        return false;
    const bool good = restore((const char *)bytes, size, identity, saved, best);
    free(bytes);
    return good;
}
